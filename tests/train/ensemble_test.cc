// Several networks as one model, a linear model beside them, and a teacher.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "artifact/model_directory.h"
#include "base/files.h"
#include "base/logistic.h"
#include "predict/evaluate.h"
#include "support/expect_error.h"
#include "support/tiny_data.h"

namespace hmtc {
namespace {

class EnsembleTest : public testing::Test {
 protected:
  EnsembleTest() { write_tiny_data(data_); }

  std::filesystem::path out(const std::string& name) const { return models_.path() / name; }

  TrainResult train_model(const Config& config, const std::string& name, bool resume = false) {
    return train_tiny(data_.path(), out(name), config, observer_, resume);
  }

  ScoreSet scores_of(const std::string& name) {
    LoadedModel model = load_for_prediction(out(name), 1);
    LabelResolver labels(model.hierarchy, true);
    return model.scorer->score(read_corpus((data_.path() / "val.jsonl").string(), model.vocabulary,
                                           labels, model.read_options()));
  }

  TemporaryDirectory data_, models_;
  RecordingObserver observer_;
};

Config three_members() {
  Config config = tiny_training();
  config.encoder.dropout = 0.3;
  config.train.members = 3;
  return config;
}

/// The tensors of a member, as a model of one would have them.
std::map<std::string, StoredTensor> member_of(const std::filesystem::path& model,
                                              const std::string& prefix) {
  std::map<std::string, StoredTensor> found;
  for (const auto& [name, tensor] : load_model(model).tensors.tensors) {
    if (name.starts_with(prefix)) found[name.substr(prefix.size())] = tensor;
  }
  return found;
}

TEST_F(EnsembleTest, TheFirstMemberIsTheModelOfOneAndTheOthersDiffer) {
  Config one = three_members();
  one.train.members = 1;
  train_model(one, "one");
  train_model(three_members(), "three");
  const auto alone = load_model(out("one")).tensors.tensors;
  const auto first = member_of(out("three"), "members.0.");
  ASSERT_FALSE(first.empty());
  for (const auto& [name, tensor] : first) {
    EXPECT_EQ(tensor.bytes, alone.at(name).bytes) << name;
  }
  EXPECT_NE(member_of(out("three"), "members.1.").at("level_1.labels").bytes,
            first.at("level_1.labels").bytes);
  EXPECT_NE(member_of(out("three"), "members.2.").at("level_1.labels").bytes,
            member_of(out("three"), "members.1.").at("level_1.labels").bytes);
}

TEST_F(EnsembleTest, ItsLogitsAreTheMeanOfTheMembersLogits) {
  train_model(three_members(), "three");
  ModelParts parts = load_model(out("three"));
  const ScoreSet together = scores_of("three");
  std::vector<double> sums(together.local.size(), 0.0);
  for (const char* prefix : {"members.0.", "members.1.", "members.2."}) {
    ModelParts alone = parts;
    alone.config.train.members = 1;
    for (const auto& [name, tensor] : member_of(out("three"), prefix))
      alone.tensors.tensors[name] = tensor;
    save_model(out("alone"), alone);
    const ScoreSet scores = scores_of("alone");
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += bounded_logit(scores.local[i]);
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    EXPECT_NEAR(bounded_logit(together.local[i]), sums[i] / 3, 1e-4);
  }
}

TEST_F(EnsembleTest, InterruptedInAnyMemberItEndsWithTheSameBytes) {
  train_model(three_members(), "whole");  // three epochs of four steps each
  for (const std::size_t steps : {5, 12, 13, 30}) {
    const std::string name = "after_" + std::to_string(steps);
    RecordingObserver stopped;
    stopped.stop_after = steps;
    // A stop at the end of a member comes too late for it, and is obeyed in the next one.
    EXPECT_EQ(train_tiny(data_.path(), out(name), three_members(), stopped).outcome,
              TrainOutcome::kInterrupted);
    EXPECT_EQ(train_model(three_members(), name, /*resume=*/true).outcome, TrainOutcome::kFinished);
    EXPECT_EQ(weights_of(out(name)), weights_of(out("whole"))) << name;
    EXPECT_EQ(read_file(out(name) / "config.json"), read_file(out("whole") / "config.json"));
  }
}

TEST_F(EnsembleTest, MetricsTellTheMembersApart) {
  train_model(three_members(), "three");
  ASSERT_EQ(observer_.validations.size(), 9U);
  EXPECT_EQ(observer_.validations[2].member, 0);
  EXPECT_EQ(observer_.validations[3].member, 1);
  EXPECT_EQ(observer_.validations[3].step, 4);
  EXPECT_EQ(observer_.validations[8].member, 2);
}

TEST_F(EnsembleTest, ALinearModelBesideTheNetworkTakesPartInTheScores) {
  Config config = tiny_training();
  config.fusion.wide = true;
  train_model(config, "wide");
  const ScoreSet scores = scores_of("wide");
  ASSERT_EQ(scores.wide.size(), scores.combined.size());
  for (std::size_t i = 0; i < scores.combined.size(); ++i) {
    // Without calibration: a quarter of local and of global, a half of the linear model.
    const float expected = 0.25F * bounded_logit(scores.local[i]) +
                           0.25F * bounded_logit(scores.global[i]) +
                           0.5F * bounded_logit(scores.wide[i]);
    EXPECT_NEAR(bounded_logit(scores.combined[i]), expected, 1e-4);
  }
}

TEST_F(EnsembleTest, TheLinearModelReadsWhatTheNetworkDoesNot) {
  Config config = tiny_training();
  config.fusion.wide = true;
  config.train.max_words = 1;
  train_model(config, "short");
  LoadedModel model = load_for_prediction(out("short"), 1);
  Corpus corpus;
  corpus.max_words = 1;
  const std::vector<std::int32_t> words = {2, 3};
  corpus.append("one", std::span(words).first(1), {});
  corpus.append("two", words, {});
  const ScoreSet scores = model.scorer->score(corpus);
  EXPECT_EQ(scores.local[0], scores.local[scores.num_labels]);
  EXPECT_NE(scores.wide[0], scores.wide[scores.num_labels]);
}

TEST_F(EnsembleTest, TheLinearModelBesideTheNetworkHasPairsOfWordsAndIsResumedToTheSameBytes) {
  write_ordered_data(data_);
  Config config = tiny_training();
  config.encoder.kind = EncoderKind::kEmbedding;  // knows no order, all of it comes from the pairs
  config.linear.word_pairs = 100;
  config.fusion.wide = true;
  config.fusion.calibrate = true;
  train_model(config, "whole");
  const ModelParts parts = load_model(out("whole"));
  EXPECT_EQ(parts.config.linear.word_pairs, 100);
  EXPECT_EQ(parts.tensors.tensors.at("linear.pairs").shape, (std::vector<std::int64_t>{2, 2}));
  LoadedModel model = load_for_prediction(out("whole"), 1);
  const Evaluation found = evaluate(model, (data_.path() / "val.jsonl").string(), {});
  EXPECT_EQ(found.reports[0].name, "combined");
  EXPECT_GT(found.reports[0].report.areas.micro, 0.99);
  train_model(config, "again");
  EXPECT_EQ(weights_of(out("again")), weights_of(out("whole")));
  RecordingObserver stopped;
  stopped.stop_after = 5;
  train_tiny(data_.path(), out("cut"), config, stopped);
  train_model(config, "cut", /*resume=*/true);
  EXPECT_EQ(weights_of(out("cut")), weights_of(out("whole")));
  config.linear.word_pairs = 0;
  train_model(config, "words");
  LoadedModel words = load_for_prediction(out("words"), 1);
  EXPECT_LT(
      evaluate(words, (data_.path() / "val.jsonl").string(), {}).reports[0].report.areas.micro,
      0.9);
}

TEST_F(EnsembleTest, AllOfItTogetherOverfitsAndIsResumedToTheSameBytes) {
  Config config = three_members();
  config.fusion.wide = true;
  config.fusion.calibrate = true;
  config.train.epochs = 20;
  config.train.patience = 20;
  train_model(config, "whole");
  LoadedModel model = load_for_prediction(out("whole"), 1);
  const Evaluation found = evaluate(model, (data_.path() / "train.jsonl").string(), {});
  EXPECT_GT(found.reports[0].report.areas.micro, 0.99);
  EXPECT_EQ(found.reports.back().name, "wide");
  RecordingObserver stopped;
  stopped.stop_after = 100;
  train_tiny(data_.path(), out("cut"), config, stopped);
  train_model(config, "cut", /*resume=*/true);
  EXPECT_EQ(weights_of(out("cut")), weights_of(out("whole")));
}

TEST_F(EnsembleTest, APupilComesNearerToItsTeacher) {
  Config config = tiny_training();
  config.train.epochs = 60;
  config.train.patience = 60;
  config.fusion.calibrate = true;  // a teacher that is not sure
  train_model(config, "teacher");
  Config learning = tiny_training();
  learning.train.epochs = 60;
  learning.train.patience = 60;
  learning.train.teacher_weight = 1;
  learning.train.teacher_splices = 0;  // the documents that are compared, alone
  const auto distance = [&](const std::string& name) {
    const ScoreSet taught = scores_of("teacher");
    const ScoreSet scores = scores_of(name);
    double sum = 0;
    for (std::size_t i = 0; i < taught.combined.size(); ++i)
      sum += std::abs(taught.combined[i] - scores.combined[i]);
    return sum;
  };
  train_model(learning, "alone");
  TrainRequest request;
  request.data = data_.path();
  request.out = out("pupil");
  request.config = learning;
  request.teacher = out("teacher");
  request.observer = &observer_;
  train(request);
  EXPECT_LT(distance("pupil"), 0.5 * distance("alone"));
}

TEST_F(EnsembleTest, APupilLearnsFromSplicesButItsLinearPartDoesNot) {
  train_model(tiny_training(), "teacher");
  const auto learn = [&](const std::string& name, std::int64_t splices) {
    RecordingObserver observer;
    TrainRequest request;
    request.data = data_.path();
    request.out = out(name);
    request.config = tiny_training();
    request.config.fusion.wide = true;
    request.config.train.teacher_splices = splices;
    request.teacher = out("teacher");
    request.observer = &observer;
    train(request);
    return observer.steps.front().batches;
  };
  EXPECT_EQ(learn("without", 0), 4);  // eight documents, two a step
  EXPECT_EQ(learn("with", 2), 12);
  EXPECT_NE(weights_of(out("with")), weights_of(out("without")));
  const auto linear = [&](const std::string& name) { return member_of(out(name), "linear."); };
  ASSERT_FALSE(linear("with").empty());
  for (const auto& [name, tensor] : linear("with")) {
    EXPECT_EQ(tensor.bytes, linear("without").at(name).bytes) << name;
  }
}

/// A pupil that holds documents out and learns from all of them in the end: the teacher's scores
/// must stand beside the documents they were given for, and a resumed run see the same.
TEST_F(EnsembleTest, APupilThatWasStoppedEndsWithTheSameBytes) {
  train_model(tiny_training(), "teacher");
  std::filesystem::remove(data_.path() / "val.jsonl");
  const auto learn = [&](const std::string& name, std::size_t stop_after, bool resume,
                         const std::string& teacher = "teacher") {
    RecordingObserver observer;
    observer.stop_after = stop_after;
    TrainRequest request;
    request.data = data_.path();
    request.out = out(name);
    request.config = tiny_training();
    request.config.train.refit = true;
    request.config.train.teacher_splices = 2;
    request.teacher = out(teacher);
    request.observer = &observer;
    request.stop = &observer.stop;
    request.resume = resume;
    EXPECT_EQ(train(request).outcome,
              stop_after > 0 ? TrainOutcome::kInterrupted : TrainOutcome::kFinished);
    EXPECT_THAT(observer.messages, testing::Contains(testing::HasSubstr("too good")));
    return observer.steps.size();
  };
  const std::size_t steps = learn("whole", 0, false);
  for (const std::size_t cut : {std::size_t{3}, steps - 2}) {  // in the first training, in the last
    const std::string name = "after_" + std::to_string(cut);
    learn(name, cut, false);
    learn(name, 0, true);
    EXPECT_EQ(weights_of(out(name)), weights_of(out("whole"))) << name;
  }
  Config other = tiny_training();
  other.train.seed = 9;
  write_tiny_data(data_);
  train_model(other, "other");
  std::filesystem::remove(data_.path() / "val.jsonl");
  learn("changed", 3, false);
  expect_error(ErrorKind::kUsage, {"another --teacher"},
               [&] { learn("changed", 0, true, "other"); });
}

TEST_F(EnsembleTest, ATeacherOfOtherLabelsIsRefused) {
  train_model(tiny_training(), "teacher");
  write_file_atomically(data_.path() / "hierarchy.tsv", five_labels() + "more\t\n");
  TrainRequest request;
  request.data = data_.path();
  request.out = out("pupil");
  request.config = tiny_training();
  request.teacher = out("teacher");
  request.observer = &observer_;
  expect_error(ErrorKind::kUsage, {"--teacher", "other labels"}, [&] { train(request); });
}

}  // namespace
}  // namespace hmtc
