// What an interrupted run is not resumed with.
#include "base/files.h"
#include "learn/resume_fixture.h"
#include "learn/train_network.h"
#include "support/expect_error.h"

namespace hmtc {
namespace {

using ResumeRefusal = ResumeTest;

TEST_F(ResumeRefusal, AnotherNumberOfThreadsIsRefused) {
  Config config = with_dropout();
  config.train.threads = 1;
  interrupt(config, "other", 2);
  config.train.threads = 2;
  RecordingObserver observer;
  expect_error(ErrorKind::kUsage, {"train.threads=1", "--restart"},
               [&] { train_tiny(data_.path(), out("other"), config, observer, true); });
}

TEST_F(ResumeRefusal, AnUnfinishedRunIsNotOverwrittenUnlessAskedFor) {
  interrupt(with_dropout(), "unfinished", 3);
  RecordingObserver observer;
  expect_error(ErrorKind::kUsage, {"unfinished run", "--resume", "--restart"},
               [&] { train_tiny(data_.path(), out("unfinished"), with_dropout(), observer); });
  TrainRequest request;
  request.data = data_.path();
  request.out = out("unfinished");
  request.config = with_dropout();
  request.restart = true;
  request.observer = &observer;
  request.train_network = train_network;
  EXPECT_EQ(train(request).outcome, TrainOutcome::kFinished);
  EXPECT_EQ(observer.steps.size(), 12U);
  EXPECT_EQ(weights_of(out("unfinished")), uninterrupted(with_dropout()));
}

TEST_F(ResumeRefusal, AnotherConfigurationIsRefusedByItsKey) {
  interrupt(with_dropout(), "other", 3);
  for (const auto& [key, value] :
       {std::pair{"model.document_width", "9"}, std::pair{"train.seed", "4"},
        std::pair{"train.learning_rate", "0.02"}, std::pair{"model.profile", "reference"},
        std::pair{"encoder.kind", "bilstm"}}) {
    Config config = with_dropout();
    config.set(key, value);
    RecordingObserver observer;
    expect_error(ErrorKind::kUsage, {"--resume", std::string(key) + "=", value, "--restart"},
                 [&] { train_tiny(data_.path(), out("other"), config, observer, true); });
  }
  EXPECT_EQ(resumed(with_dropout(), "other"), uninterrupted(with_dropout()));
}

TEST_F(ResumeRefusal, AnotherModelOrProfileIsNamedBeforeTheDefaultsThatItBrings) {
  Config plus = default_config("la-hcn");
  interrupt(plus, "other", 1);
  RecordingObserver observer;
  const auto resume_with = [&](const Config& config) {
    train_tiny(data_.path(), out("other"), config, observer, true);
  };
  expect_error(ErrorKind::kUsage, {"--model la-hcn, found harnn"},
               [&] { resume_with(default_config("harnn")); });
  expect_error(ErrorKind::kUsage, {"model.profile=plus, found paper"},
               [&] { resume_with(default_config("la-hcn", Profile::kPaper)); });
}

TEST_F(ResumeRefusal, OtherDataIsRefused) {
  interrupt(with_dropout(), "data", 3);
  data_.write("train.jsonl", eight_documents() + R"({"tokens": ["nail"], "labels": ["tool"]})");
  RecordingObserver observer;
  expect_error(ErrorKind::kUsage, {"other data", "--restart"},
               [&] { train_tiny(data_.path(), out("data"), with_dropout(), observer, true); });
}

TEST_F(ResumeRefusal, OtherWordVectorsAreRefused) {
  const TemporaryDirectory vectors;
  interrupt(with_dropout(), "vectors", 3);
  RecordingObserver observer;
  TrainRequest request;
  request.data = data_.path();
  request.out = out("vectors");
  request.config = with_dropout();
  std::string row = "hammer";
  for (std::int64_t i = 0; i < request.config.encoder.embedding_width; ++i) row += " 1";
  request.embeddings = vectors.write("v.txt", row + "\n");
  request.observer = &observer;
  request.train_network = train_network;
  request.resume = true;
  expect_error(ErrorKind::kUsage, {"--embeddings", "--restart"}, [&] { train(request); });
}

TEST_F(ResumeRefusal, ADamagedCheckpointIsRefused) {
  interrupt(with_dropout(), "damaged", 3);
  const auto path = out("damaged") / "run" / "checkpoint.safetensors";
  std::string bytes = read_file(path);
  bytes[bytes.size() - 3] = static_cast<char>(bytes[bytes.size() - 3] ^ 1);
  write_file_atomically(path, bytes);
  RecordingObserver observer;
  expect_error(ErrorKind::kModel, {"checkpoint.safetensors", "--restart"},
               [&] { train_tiny(data_.path(), out("damaged"), with_dropout(), observer, true); });
}

}  // namespace
}  // namespace hmtc
