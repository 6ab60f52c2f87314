// Settings that change how every neural model is trained, each off by default.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "artifact/model_directory.h"
#include "base/files.h"
#include "support/expect_error.h"
#include "support/tensors.h"
#include "support/train_tiny.h"
#include "train/checkpoint.h"

namespace hmtc {
namespace {

/// With dropout, so that random numbers matter: 3 epochs of 4 steps.
Config with(const std::vector<std::string>& settings, const std::string& model = "la-hcn") {
  Config config = tiny_training();
  config.model.name = model;
  config.encoder.dropout = 0.3;
  for (const std::string& setting : settings) config.set(setting);
  return config;
}

class TrainingSettings : public testing::Test {
 protected:
  TrainingSettings() { write_tiny_data(data_); }

  std::filesystem::path out(const std::string& name) const { return models_.path() / name; }

  std::string trained(const Config& config, const std::string& name) {
    RecordingObserver observer;
    EXPECT_EQ(train_tiny(data_.path(), out(name), config, observer).outcome,
              TrainOutcome::kFinished);
    return weights_of(out(name));
  }

  /// The checkpoint of a run that was stopped after so many steps.
  Checkpoint stopped(const Config& config, const std::string& name, std::size_t steps) {
    RecordingObserver observer;
    observer.pause_after = steps;
    EXPECT_EQ(train_tiny(data_.path(), out(name), config, observer).outcome,
              TrainOutcome::kInterrupted);
    return load_checkpoint(out(name) / "run" / "checkpoint.safetensors").value();
  }

  std::string resumed(const Config& config, const std::string& name) {
    RecordingObserver observer;
    EXPECT_EQ(train_tiny(data_.path(), out(name), config, observer, true).outcome,
              TrainOutcome::kFinished);
    return weights_of(out(name));
  }

  TemporaryDirectory data_, models_;
};

TEST_F(TrainingSettings, EachMattersAndARunThatWasStoppedEndsWithTheSameBytes) {
  const std::string plain = trained(with({}), "plain");
  const std::vector<std::vector<std::string>> all = {
      {"train.average=0.9"},
      {"train.weight_decay=0.5"},
      {"train.warmup_steps=5"},
      {"train.schedule=cosine"},
      {"train.schedule=cosine", "train.warmup_steps=5"},
      {"train.word_dropout=0.4"},
      {"train.loss=focal"},
      {"train.loss=asymmetric"},
      {"train.frozen_epochs=1"},
      {"train.average=0.9", "train.weight_decay=0.1", "train.warmup_steps=2",
       "train.schedule=cosine", "train.word_dropout=0.2", "train.loss=asymmetric",
       "train.frozen_epochs=1", "train.threads=2", "encoder.kind=bilstm"}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    SCOPED_TRACE(all[i].front() + " and " + std::to_string(all[i].size() - 1) + " more");
    const std::string expected = trained(with(all[i]), "whole_" + std::to_string(i));
    EXPECT_NE(expected, plain);
    for (const std::size_t steps : {1, 4, 6}) {  // the second is the end of an epoch
      const std::string name = std::to_string(i) + "_after_" + std::to_string(steps);
      stopped(with(all[i]), name, steps);
      EXPECT_EQ(resumed(with(all[i]), name), expected) << name;
    }
  }
}

TEST_F(TrainingSettings, TheFiltersOfTheCapsuleNetworkStayWithinTheirNorm) {
  const auto longest_filter = [&](const std::string& max_norm) {
    const std::string name = "max_norm_" + max_norm;
    trained(with({"capsule.max_norm=" + max_norm}, "capsule"), name);
    const torch::Tensor filters = read_tensor(load_model(out(name)).tensors, "conv.weight");
    return filters.flatten(1).norm(2, /*dim=*/1).max().item<double>();
  };
  ASSERT_GT(longest_filter("100"), 0.25);
  EXPECT_LE(longest_filter("0.125"), 0.125 + 1e-6);
}

TEST_F(TrainingSettings, OtherModelsTrainAndResumeWithThemToo) {
  const std::vector<std::string> settings = {"train.average=0.99", "train.weight_decay=0.1",
                                             "train.schedule=cosine", "train.word_dropout=0.2",
                                             "train.frozen_epochs=1"};
  for (const char* model : {"hmcn-f", "flat", "capsule"}) {
    const Config config = with(settings, model);
    const std::string expected = trained(config, std::string("whole_") + model);
    stopped(config, model, 6);
    EXPECT_EQ(resumed(config, model), expected) << model;
  }
}

TEST_F(TrainingSettings, BatchStatisticsResumeOnSeveralThreads) {
  for (const char* model : {"hmcn-f", "hmcn-r"}) {
    const Config config = with({"train.threads=2"}, model);
    const std::string expected = trained(config, std::string("whole_") + model);
    stopped(config, model, 6);
    EXPECT_EQ(resumed(config, model), expected) << model;
  }
}

TEST_F(TrainingSettings, TheAverageIsWhatIsValidatedAndWritten) {
  // The fourth step's d is 5/14; the product of the first three is 2/11 * 3/12 * 4/13. Word vectors
  // are kept as (average - value) / product.
  const Config config = with({"train.average=0.999"});
  const TensorFile third = stopped(config, "third", 3).tensors;
  const TensorFile fourth = stopped(config, "fourth", 4).tensors;  // validated: an epoch's end
  const double d = 5.0 / 14;
  const double product = 2.0 / 11 * 3 / 12 * 4 / 13;
  const auto average_of = [&](const std::string& name) {
    if (name != "encoder.embedding.weight") return read_tensor(third, "average/" + name);
    return read_tensor(third, "parameters/" + name) +
           product * read_tensor(third, "average.words/" + name);
  };
  std::size_t num_tensors = 0;
  for (const auto& [key, tensor] : fourth.tensors) {
    if (!key.starts_with("best/")) continue;
    const std::string name = key.substr(5);
    expect_close(read_tensor(fourth, key),
                 d * average_of(name) + (1 - d) * read_tensor(fourth, "parameters/" + name),
                 {1e-5, 1e-7}, name);
    ++num_tensors;
  }
  EXPECT_GT(num_tensors, 10U);
  EXPECT_NE(fourth.tensors.at("best/level_1.W.weight").bytes,
            fourth.tensors.at("parameters/level_1.W.weight").bytes);

  Config one_epoch = config;
  one_epoch.train.epochs = 1;
  trained(one_epoch, "written");
  const TensorFile written =
      parse_tensor_file(weights_of(out("written")), (out("written") / "model").string());
  for (const auto& [key, tensor] : fourth.tensors) {
    if (!key.starts_with("best/")) continue;
    EXPECT_EQ(written.tensors.at(key.substr(5)).bytes, tensor.bytes) << key;
  }
}

TEST_F(TrainingSettings, WithoutTheAverageACheckpointHasNone) {
  for (const auto& [name, tensor] : stopped(with({}), "plain", 2).tensors.tensors) {
    EXPECT_FALSE(name.starts_with("average")) << name;
  }
}

TEST_F(TrainingSettings, FrozenWordVectorsMoveAfterTheirEpochs) {
  const Config config = with({"train.frozen_epochs=1", "train.threads=2"});
  const auto tensors_after = [&](std::size_t steps) {
    return stopped(config, "after_" + std::to_string(steps), steps).tensors.tensors;
  };
  const std::string words = "parameters/encoder.embedding.weight";
  const auto first = tensors_after(1);
  const auto fourth = tensors_after(4);
  EXPECT_EQ(fourth.at(words).bytes, first.at(words).bytes);
  EXPECT_NE(fourth.at("parameters/level_1.W.weight").bytes,
            first.at("parameters/level_1.W.weight").bytes);
  EXPECT_NE(tensors_after(5).at(words).bytes, first.at(words).bytes);
}

TEST_F(TrainingSettings, FrozenForeverTheWordVectorsAreNeverTrained) {
  const auto words = [&](const std::vector<std::string>& settings, const std::string& name) {
    trained(with(settings), name);
    return parse_tensor_file(weights_of(out(name)), name)
        .tensors.at("encoder.embedding.weight")
        .bytes;
  };
  EXPECT_TRUE(words({"train.frozen_epochs=9"}, "frozen") ==
              words({"encoder.train_embeddings=false"}, "not_trained"));
  EXPECT_TRUE(words({"train.frozen_epochs=1", "encoder.train_embeddings=false"}, "both") ==
              words({"encoder.train_embeddings=false"}, "not_trained_again"));
}

TEST_F(TrainingSettings, TheCosineReachesZeroAtTheLastEpochsEnd) {
  RecordingObserver observer;
  train_tiny(data_.path(), out("cosine"), with({"train.schedule=cosine"}), observer);
  ASSERT_EQ(observer.validations.size(), 3U);
  // A third and two thirds of the way: (1 + cos 60°) / 2 and (1 + cos 120°) / 2 of 0.01.
  EXPECT_NEAR(observer.validations[0].learning_rate, 0.0075, 1e-9);
  EXPECT_NEAR(observer.validations[1].learning_rate, 0.0025, 1e-9);
  EXPECT_NEAR(observer.validations[2].learning_rate, 0, 1e-9);
}

TEST_F(TrainingSettings, WithTheCosineOtherEpochsAreRefused) {
  const Config cosine = with({"train.schedule=cosine"});
  stopped(cosine, "cosine", 2);
  RecordingObserver observer;
  expect_error(ErrorKind::kUsage, {"train.epochs=3", "found 4", "--restart"}, [&] {
    train_tiny(data_.path(), out("cosine"), with({"train.schedule=cosine", "train.epochs=4"}),
               observer, true);
  });
  expect_error(ErrorKind::kUsage, {"train.schedule=cosine", "found steps"},
               [&] { train_tiny(data_.path(), out("cosine"), with({}), observer, true); });
  // Patience is free all the same.
  resumed(with({"train.schedule=cosine", "train.patience=5"}), "cosine");

  stopped(with({}), "steps", 2);
  expect_error(ErrorKind::kUsage, {"train.schedule=steps", "found cosine"}, [&] {
    train_tiny(data_.path(), out("steps"), with({"train.schedule=cosine", "train.epochs=4"}),
               observer, true);
  });
}

}  // namespace
}  // namespace hmtc
