#include "support/tiny_data.h"

#include "base/files.h"

namespace hmtc {

std::string eight_documents() {
  return R"({"id": "0", "tokens": ["sweet", "red", "crisp"], "labels": ["apple"]}
{"id": "1", "tokens": ["crisp", "red", "cider", "sweet", "orchard"], "labels": ["apple"]}
{"id": "2", "tokens": ["sweet", "green", "juicy"], "labels": ["pear"]}
{"id": "3", "tokens": ["juicy", "green"], "labels": ["pear"]}
{"id": "4", "tokens": ["sweet", "orchard"], "labels": ["fruit"]}
{"id": "5", "tokens": ["steel", "nail", "handle"], "labels": ["hammer"]}
{"id": "6", "tokens": ["nail", "handle", "wood", "steel", "heavy", "nail"], "labels": ["hammer"]}
{"id": "7", "tokens": ["steel", "wood", "workshop"], "labels": ["tool"]}
)";
}

std::string five_labels() {
  return "fruit\t\n"
         "tool\t\n"
         "apple\tfruit\n"
         "pear\tfruit\n"
         "hammer\ttool\n";
}

void write_tiny_data(const TemporaryDirectory& directory) {
  directory.write("hierarchy.tsv", five_labels());
  directory.write("train.jsonl", eight_documents());
  directory.write("val.jsonl", eight_documents());
}

void write_ordered_data(const TemporaryDirectory& directory, int num_documents) {
  const auto documents = [](int count) {
    std::string lines;
    for (int i = 0; i < count; ++i) {
      lines += i % 2 == 0 ? "{\"text\": \"red green\", \"labels\": [\"fruit\"]}\n"
                          : "{\"text\": \"green red\", \"labels\": [\"tool\"]}\n";
    }
    return lines;
  };
  directory.write("hierarchy.tsv", five_labels());
  directory.write("train.jsonl", documents(num_documents));
  directory.write("val.jsonl", documents(4));
}

Config tiny_training() {
  Config config;
  config.text.min_count = 1;
  config.encoder.embedding_width = 8;
  config.encoder.lstm_width = 4;
  config.encoder.dropout = 0;
  config.model.components = 4;
  config.model.attention_width = 6;
  config.model.document_width = 8;
  config.model.global_width = 10;
  config.model.global_dropout = 0;
  config.hmcn.width = 6;
  config.capsule.window = 3;
  config.capsule.kinds = 3;
  config.han.gru_width = 3;
  config.train.max_words = 12;
  config.train.epochs = 3;
  config.train.batch_size = 2;
  config.train.learning_rate = 0.01;
  config.train.threads = 1;
  return config;
}

void RecordingObserver::on_step(const StepProgress& progress) {
  steps.push_back(progress);
  if (throw_after != 0 && steps.size() == throw_after) throw Death();
  if (pause_after != 0 && steps.size() == pause_after) stop.pause();
  if (finish_after != 0 && steps.size() == finish_after) stop.finish();
}

TrainRequest tiny_request(const std::filesystem::path& data, const std::filesystem::path& out,
                          const Config& config, RecordingObserver& observer, bool resume) {
  TrainRequest request;
  request.data = data;
  request.out = out;
  request.config = config;
  request.resume = resume;
  request.observer = &observer;
  request.stop = &observer.stop;
  request.on_pause = [&observer] {
    ++observer.pauses;
    if (observer.finish_in_pause) observer.stop.finish();
  };
  return request;
}

std::string weights_of(const std::filesystem::path& out) {
  return read_file(out / "model.safetensors");
}

}  // namespace hmtc
