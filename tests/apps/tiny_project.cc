#include "apps/tiny_project.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

namespace hmtc {
namespace {

struct Topic {
  const char* label;
  std::vector<const char*> words;
};

const std::vector<Topic>& topics() {
  static const std::vector<Topic> all = {
      {"drink/tea", {"leaf", "pot", "green"}},   {"drink/coffee", {"bean", "roast", "espresso"}},
      {"food/bread", {"flour", "crust", "rye"}}, {"food/cake/sponge", {"egg", "soft", "cream"}},
      {"food/cake/fruit", {"raisin", "plum"}},   {"travel", {"train", "map"}},
  };
  return all;
}

std::string document(std::size_t number) {
  static const std::vector<const char*> common = {"the", "of", "good", "day", "house"};
  const Topic& topic = topics()[number % topics().size()];
  const Topic& second = topics()[(number / 7) % topics().size()];
  std::string text;
  // Between three and seven words, so that batches hold documents of different lengths.
  for (std::size_t i = 0; i < 3 + number % 5; ++i) {
    const auto& words = i % 2 == 0 ? topic.words : common;
    text += std::string(words[(number + i) % words.size()]) + " ";
  }
  nlohmann::ordered_json labels = {topic.label};
  if (number % 4 == 0 && second.label != topic.label) {
    text += second.words[number % second.words.size()];
    labels.push_back(second.label);
  }
  return nlohmann::ordered_json{
      {"id", "d" + std::to_string(number)}, {"text", text}, {"labels", labels}}
      .dump();
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace

Arguments hmtc_command(const Arguments& arguments) {
  Arguments argv = {HMTC_PROGRAM};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return argv;
}

ProcessResult hmtc_program(const Arguments& arguments, const std::string& input,
                           const std::string& out_path) {
  return run_process(hmtc_command(arguments), input, out_path);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TinyCorpus tiny_corpus() {
  TinyCorpus corpus;
  for (std::size_t i = 0; i < 36; ++i) corpus.train.push_back(document(i));
  for (std::size_t i = 36; i < 48; ++i) corpus.validation.push_back(document(i));
  for (std::size_t i = 48; i < 60; ++i) corpus.test.push_back(document(i));
  return corpus;
}

std::vector<std::string> tiny_labels() {
  return {"drink",     "drink/tea",        "drink/coffee",    "food",  "food/bread",
          "food/cake", "food/cake/sponge", "food/cake/fruit", "travel"};
}

TinyProject::TinyProject() {
  const TinyCorpus corpus = tiny_corpus();
  directory_.write("data/train.jsonl", joined(corpus.train));
  directory_.write("data/val.jsonl", joined(corpus.validation));
  directory_.write("data/test.jsonl", joined(corpus.test));
}

Arguments TinyProject::train_arguments(const std::string& out, const Arguments& more) const {
  Arguments arguments = {"train",
                         "--data",
                         data(),
                         "--out",
                         out,
                         "--set",
                         "encoder.embedding_width=8",
                         "encoder.lstm_width=4",
                         "model.document_width=8",
                         "model.attention_width=8",
                         "model.components=4",
                         "model.global_width=8",
                         "train.batch_size=8",
                         "train.learning_rate=0.02",
                         "train.epochs=2"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

const std::string& TinyProject::model() {
  if (model_.empty()) {
    const std::string out = path("model");
    const ProcessResult result = hmtc_program(train_arguments(out));
    if (result.exit_code != 0) throw std::runtime_error("training failed: " + result.err);
    model_ = out;
  }
  return model_;
}

}  // namespace hmtc
