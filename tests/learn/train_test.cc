#include "train/train.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "artifact/model_directory.h"
#include "base/files.h"
#include "learn/train_network.h"
#include "predict/evaluate.h"
#include "support/expect_error.h"
#include "support/train_tiny.h"
#include "train/checkpoint.h"

namespace hmtc {
namespace {

using testing::Contains;
using testing::HasSubstr;

class TrainTest : public testing::Test {
 protected:
  TrainTest() { write_tiny_data(data_); }

  TrainResult train_model(const Config& config, const std::string& name = "model") {
    return train_tiny(data_.path(), out(name), config, observer_);
  }
  std::filesystem::path out(const std::string& name = "model") const {
    return models_.path() / name;
  }

  TemporaryDirectory data_, models_;
  RecordingObserver observer_;
};

TEST_F(TrainTest, OverfitsEightDocuments) {
  for (const char* encoder : {"embedding", "bilstm"}) {
    for (const char* profile : {"paper", "reference"}) {
      Config config = tiny_training();
      config.set("encoder.kind", encoder);
      config.set("model.profile", profile);
      config.train.epochs = 60;
      config.train.patience = 60;
      const std::string name = std::string(encoder) + "_" + profile;
      const TrainResult result = train_model(config, name);
      EXPECT_EQ(result.outcome, TrainOutcome::kFinished);
      EXPECT_GT(result.best_score, 0.99) << name;
      LoadedModel model = load_for_prediction(out(name), 1);
      const Evaluation found = evaluate(model, (data_.path() / "train.jsonl").string(), {});
      EXPECT_GT(found.reports[0].report.areas.micro, 0.99) << name;
    }
  }
}

TEST_F(TrainTest, TheSameSeedGivesTheSameBytesAndAnotherSeedOthers) {
  Config config = tiny_training();
  config.encoder.dropout = 0.5;
  config.model.global_dropout = 0.5;
  train_model(config, "first");
  train_model(config, "second");
  EXPECT_EQ(weights_of(out("first")), weights_of(out("second")));
  for (const char* file : {"manifest.json", "config.json", "hierarchy.tsv", "vocabulary.txt"}) {
    EXPECT_EQ(read_file(out("first") / file), read_file(out("second") / file)) << file;
  }
  config.train.seed = 1;
  train_model(config, "third");
  EXPECT_NE(weights_of(out("third")), weights_of(out("first")));
}

TEST_F(TrainTest, EveryEpochIsReportedAndWrittenToTheMetrics) {
  train_model(tiny_training());
  EXPECT_EQ(observer_.steps.size(), 12U);  // 3 epochs of 8 / 2 batches
  EXPECT_EQ(observer_.steps.back().batch, 4);
  EXPECT_EQ(observer_.steps.back().batches, 4);
  EXPECT_EQ(observer_.steps.back().epoch, 2);
  ASSERT_EQ(observer_.validations.size(), 3U);
  std::istringstream lines(read_file(out() / "run" / "metrics.jsonl"));
  std::string line;
  for (const ValidationReport& report : observer_.validations) {
    ASSERT_TRUE(std::getline(lines, line));
    const auto json = nlohmann::json::parse(line);
    EXPECT_EQ(json["step"], report.step);
    EXPECT_EQ(json["validation_auprc"], report.score);
    EXPECT_EQ(json["loss"], report.loss);
  }
  EXPECT_FALSE(std::getline(lines, line));
  EXPECT_FALSE(std::filesystem::exists(out() / "run" / "checkpoint.safetensors"));
}

TEST_F(TrainTest, ValidationCanComeEveryFewStepsAndAlwaysAtTheEnd) {
  Config config = tiny_training();
  config.train.validate_steps = 5;
  train_model(config);
  std::vector<std::int64_t> steps;
  for (const ValidationReport& report : observer_.validations) steps.push_back(report.step);
  EXPECT_THAT(steps, testing::ElementsAre(5, 10, 12));
}

TEST_F(TrainTest, TheLearningRateDecaysEveryFewSteps) {
  Config config = tiny_training();
  config.train.learning_rate = 0.01;
  config.train.decay = 0.5;
  config.train.decay_steps = 3;
  train_model(config);
  // After steps 4, 8 and 12: 1, 2 and 4 decays.
  ASSERT_EQ(observer_.validations.size(), 3U);
  EXPECT_DOUBLE_EQ(observer_.validations[0].learning_rate, 0.005);
  EXPECT_DOUBLE_EQ(observer_.validations[1].learning_rate, 0.0025);
  EXPECT_DOUBLE_EQ(observer_.validations[2].learning_rate, 0.000625);
}

TEST_F(TrainTest, StopsEarlyWhenValidationsBringNoGain) {
  Config config = tiny_training();
  config.train.learning_rate = 1e-9;  // no ranking ever changes
  config.train.epochs = 30;
  config.train.patience = 2;
  const TrainResult result = train_model(config);
  EXPECT_EQ(result.outcome, TrainOutcome::kFinished);
  ASSERT_EQ(observer_.validations.size(), 3U);
  EXPECT_TRUE(observer_.validations[0].is_best);
  EXPECT_FALSE(observer_.validations[1].is_best);
  EXPECT_FALSE(observer_.validations[2].is_best);
  EXPECT_EQ(result.best_score, observer_.validations[0].score);
}

TEST_F(TrainTest, TheBestModelIsKeptNotTheLast) {
  // Steps so large that the model gets worse again, with one of some seeds at the end: the file
  // must have the best validation's score.
  Config config = tiny_training();
  config.train.learning_rate = 0.5;
  config.train.epochs = 12;
  config.train.patience = 12;
  TrainResult result;
  for (std::int64_t seed = 0; seed < 20; ++seed) {
    config.train.seed = seed;
    result = train_model(config);
    if (observer_.validations.back().score < result.best_score) break;
  }
  ASSERT_LT(observer_.validations.back().score, result.best_score) << "nothing to be seen here";
  LoadedModel model = load_for_prediction(out(), 1);
  const Evaluation found = evaluate(model, (data_.path() / "val.jsonl").string(), {});
  EXPECT_DOUBLE_EQ(found.reports[0].report.areas.micro, result.best_score);
}

TEST_F(TrainTest, TokensGetTheEmbeddingAloneAndTextsTheBiLstm) {
  train_model(tiny_training(), "tokens");
  EXPECT_EQ(load_model(out("tokens")).config.encoder.kind, EncoderKind::kEmbedding);
  const std::string text = R"({"text": "Red apples, crisp and red", "labels": ["apple"]})";
  data_.write("train.jsonl", text + "\n");
  data_.write("val.jsonl", text + "\n");
  train_model(tiny_training(), "text");
  EXPECT_EQ(load_model(out("text")).config.encoder.kind, EncoderKind::kBiLstm);
}

TEST_F(TrainTest, WordsOfTheValidationSplitAreUnknown) {
  data_.write("val.jsonl",
              eight_documents() + R"({"tokens": ["quince", "sweet"], "labels": ["fruit"]})" + "\n");
  train_model(tiny_training());
  const Vocabulary vocabulary = load_model(out()).vocabulary;
  EXPECT_EQ(vocabulary.find("quince"), Vocabulary::kUnknown);
  EXPECT_NE(vocabulary.find("sweet"), Vocabulary::kUnknown);
}

TEST_F(TrainTest, LabelsWithoutADocumentAreWarnedOf) {
  data_.write("hierarchy.tsv", five_labels() + "saw\ttool\n");
  train_model(tiny_training());
  EXPECT_THAT(observer_.messages,
              Contains(HasSubstr("warning: 1 of 6 labels have no training document (the first: "
                                 "\"saw\")")));
}

TEST_F(TrainTest, WithoutAValidationSplitSomeTrainingDocumentsAreHeldOut) {
  std::filesystem::remove(data_.path() / "val.jsonl");
  std::string documents;
  for (int i = 0; i < 5; ++i) documents += eight_documents();
  data_.write("train.jsonl", documents);
  const TrainResult result = train_model(tiny_training());
  EXPECT_EQ(result.outcome, TrainOutcome::kFinished);
  EXPECT_THAT(observer_.messages, Contains(HasSubstr("no val.jsonl: 15 %")));
  EXPECT_LT(observer_.steps.back().batches, 20);  // of 40 documents
}

TEST_F(TrainTest, PretrainedVectorsAreTakenAndCoverageIsReported) {
  const std::string vectors = data_.write("vectors.txt", "sweet 9 8 7\nnail 6 5 4\nother 1 1 1\n");
  TrainRequest request;
  request.data = data_.path();
  request.out = out();
  request.config = tiny_training();
  request.config.encoder.train_embeddings = false;
  request.embeddings = vectors;
  request.observer = &observer_;
  request.train_network = train_network;
  train(request);
  const ModelParts parts = load_model(out());
  EXPECT_EQ(parts.config.encoder.embedding_width, 3);
  const auto table = float_values(parts.tensors.tensors.at("encoder.embedding.weight"));
  const auto row = static_cast<std::size_t>(parts.vocabulary.find("sweet")) * 3;
  EXPECT_EQ(table[row], 9);
  EXPECT_EQ(table[row + 2], 7);
  // 13 different words in the eight documents.
  EXPECT_THAT(observer_.messages, Contains(HasSubstr("vectors: 2 of 13 words")));
}

TEST_F(TrainTest, MissingVectorsAreComposedFromSubwordsWhenAskedFor) {
  const std::string vectors = data_.write("vectors.txt", "sweet 9 8 7\nnails 6 5 4\n");
  TrainRequest request;
  request.data = data_.path();
  request.out = out();
  request.config = tiny_training();
  request.config.encoder.train_embeddings = false;
  request.config.encoder.subword_vectors = true;
  request.embeddings = vectors;
  request.observer = &observer_;
  request.train_network = train_network;
  train(request);
  const ModelParts parts = load_model(out());
  EXPECT_TRUE(parts.config.encoder.subword_vectors);
  const auto table = float_values(parts.tensors.tensors.at("encoder.embedding.weight"));
  // "nail" shares pieces with "nails" alone: its direction, and the length of "sweet".
  const auto row = static_cast<std::size_t>(parts.vocabulary.find("nail")) * 3;
  const float scale = std::sqrt((81.0F + 64 + 49) / (36 + 25 + 16));
  EXPECT_NEAR(table[row], 6 * scale, 1e-4);
  EXPECT_NEAR(table[row + 2], 4 * scale, 1e-4);
  EXPECT_THAT(observer_.messages, Contains(HasSubstr("vectors: 1 of 13 words")));
  EXPECT_THAT(observer_.messages, Contains(HasSubstr("were composed from sub-words")));
}

TEST_F(TrainTest, ALossThatIsNotFiniteStopsWithStepAndRateAndLeavesTheCheckpoint) {
  // "workshop" stands in one document only: the run goes well until its batch comes.
  const std::string vectors = data_.write("vectors.txt", "workshop 3e38 3e38 3e38\nnail 1 1 1\n");
  TrainRequest request;
  request.data = data_.path();
  request.out = out();
  request.config = tiny_training();
  request.config.train.batch_size = 1;
  request.config.train.checkpoint_minutes = 0;  // after every step
  request.embeddings = vectors;
  request.observer = &observer_;
  request.train_network = train_network;
  try {
    train(request);
    FAIL() << "no error was thrown";
  } catch (const Error& error) {
    const std::size_t failed = observer_.steps.size() + 1;
    ASSERT_GT(failed, 1U) << "choose another seed: the bad document came first";
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_THAT(error.what(), HasSubstr("step " + std::to_string(failed) + ":"));
    EXPECT_THAT(error.what(), HasSubstr("not finite"));
    EXPECT_THAT(error.what(), HasSubstr("learning rate 0.01"));
    EXPECT_THAT(error.what(), HasSubstr("train.learning_rate"));
  }
  const auto checkpoint = load_checkpoint(out() / "run" / "checkpoint.safetensors");
  ASSERT_TRUE(checkpoint.has_value());
  EXPECT_EQ(checkpoint->state.step, static_cast<std::int64_t>(observer_.steps.size()));
  EXPECT_FALSE(std::filesystem::exists(out() / "manifest.json"));
}

TEST_F(TrainTest, AnUnknownModelIsRefused) {
  Config config = tiny_training();
  config.model.name = "la-hnc";
  expect_error(ErrorKind::kUsage, {"la-hnc"}, [&] { train_model(config); });
}

TEST_F(TrainTest, AnEmptyTrainingFileIsRefused) {
  data_.write("train.jsonl", "\n");
  expect_error(ErrorKind::kInput, {"train.jsonl", "at least one document"},
               [&] { train_model(tiny_training()); });
}

TEST_F(TrainTest, ADocumentWithoutWordsOrLabelsDoesNotDisturb) {
  data_.write("train.jsonl",
              eight_documents() + R"({"id": "8", "tokens": [], "labels": []})" + "\n");
  EXPECT_EQ(train_model(tiny_training()).outcome, TrainOutcome::kFinished);
}

TEST_F(TrainTest, ASplitWithoutALabelOrWithoutAWordIsRefused) {
  data_.write("val.jsonl", R"({"id": "8", "tokens": ["nail"], "labels": []})"
                           "\n");
  expect_error(ErrorKind::kInput, {"val.jsonl", "not one label"},
               [&] { train_model(tiny_training()); });
  data_.write("val.jsonl", R"({"id": "8", "tokens": [], "labels": []})"
                           "\n");
  expect_error(ErrorKind::kInput, {"val.jsonl", "not one word"},
               [&] { train_model(tiny_training()); });
}

TEST_F(TrainTest, ADirectoryWithOtherFilesIsNeverReplaced) {
  const std::filesystem::path thesis = out() / "thesis.txt";
  std::filesystem::create_directories(out());
  std::ofstream(thesis) << "years of work";
  expect_error(ErrorKind::kUsage, {"thesis.txt"}, [&] { train_model(tiny_training()); });
  EXPECT_TRUE(std::filesystem::exists(thesis));
}

}  // namespace
}  // namespace hmtc
