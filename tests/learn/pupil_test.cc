// Networks that learn from a teacher.
#include <gmock/gmock.h>

#include "base/files.h"
#include "learn/train_network.h"
#include "support/expect_error.h"
#include "support/tiny_training.h"

namespace hmtc {
namespace {

class Pupil : public TinyTraining {
 protected:
  /// That of a pupil without anything of its own.
  TrainRequest request_for(const std::string& name, const std::string& teacher = "teacher") {
    TrainRequest request;
    request.data = data_.path();
    request.out = out(name);
    request.config = tiny_training();
    request.teacher = out(teacher);
    request.observer = &observer_;
    request.train_network = train_network;
    return request;
  }
};

TEST_F(Pupil, ComesNearerToItsTeacher) {
  Config config = tiny_training();
  config.train.epochs = 60;
  config.train.patience = 60;
  config.fusion.calibrate = true;  // a teacher that is not sure
  train_model(config, "teacher");
  TrainRequest request = request_for("pupil");
  request.config.train.epochs = 60;
  request.config.train.patience = 60;
  request.config.train.teacher_weight = 1;
  request.config.train.teacher_splices = 0;  // the documents that are compared, alone
  const auto distance = [&](const std::string& name) {
    const ScoreSet taught = scores_of("teacher");
    const ScoreSet scores = scores_of(name);
    double sum = 0;
    for (std::size_t i = 0; i < taught.combined.size(); ++i)
      sum += std::abs(taught.combined[i] - scores.combined[i]);
    return sum;
  };
  train_model(request.config, "alone");
  train(request);
  EXPECT_LT(distance("pupil"), 0.5 * distance("alone"));
}

TEST_F(Pupil, LearnsFromSplicesButItsLinearPartDoesNot) {
  train_model(tiny_training(), "teacher");
  const auto learn = [&](const std::string& name, std::int64_t splices) {
    RecordingObserver observer;
    TrainRequest request = request_for(name);
    request.config.fusion.wide = true;
    request.config.train.teacher_splices = splices;
    request.observer = &observer;
    train(request);
    return observer.steps.front().batches;
  };
  EXPECT_EQ(learn("without", 0), 4);  // eight documents, two a step
  EXPECT_EQ(learn("with", 2), 12);
  EXPECT_NE(weights_of(out("with")), weights_of(out("without")));
  const auto linear_part = tensors_of("with", "linear.");
  ASSERT_FALSE(linear_part.empty());
  for (const auto& [name, tensor] : linear_part) {
    EXPECT_EQ(tensor.bytes, tensors_of("without", "linear.").at(name).bytes) << name;
  }
}

/// A pupil that holds documents out and learns from all of them in the end: the teacher's scores
/// must stand beside the documents they were given for, and a resumed run see the same.
TEST_F(Pupil, ThatWasStoppedEndsWithTheSameBytes) {
  train_model(tiny_training(), "teacher");
  std::filesystem::remove(data_.path() / "val.jsonl");
  const auto learn = [&](const std::string& name, std::size_t pause_after, bool resume,
                         const std::string& teacher = "teacher") {
    RecordingObserver observer;
    observer.pause_after = pause_after;
    TrainRequest request = request_for(name, teacher);
    request.config.train.refit = true;
    request.config.train.teacher_splices = 2;
    request.observer = &observer;
    request.stop = &observer.stop;
    request.resume = resume;
    EXPECT_EQ(train(request).outcome,
              pause_after > 0 ? TrainOutcome::kInterrupted : TrainOutcome::kFinished);
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

TEST_F(Pupil, WithOtherLabelsThanItsTeacherIsRefused) {
  train_model(tiny_training(), "teacher");
  const std::string others[] = {five_labels() + "more\t\n",
                                "fruit\t\ntool\t\napple\tfruit\npear\ttool\nhammer\ttool\n",
                                "fruit\t\ntool\t\napple\tfruit\nplum\tfruit\nhammer\ttool\n",
                                "tool\t\nfruit\t\napple\tfruit\npear\tfruit\nhammer\ttool\n"};
  for (const std::string& other : others) {
    data_.write("hierarchy.tsv", other);
    TrainRequest request = request_for("pupil");
    request.config.data.strict = false;
    expect_error(ErrorKind::kUsage, {"--teacher", "found others", "hierarchy.tsv"},
                 [&] { train(request); });
  }
}

TEST_F(Pupil, MayHaveOtherDescriptionsOfTheSameLabels) {
  train_model(tiny_training(), "teacher");
  data_.write("hierarchy.tsv", "fruit\t\tthings that grow\n" + five_labels().substr(7));
  EXPECT_EQ(train(request_for("pupil")).outcome, TrainOutcome::kFinished);
}

TEST_F(Pupil, DoesNotTakeThePlaceOfItsTeacher) {
  train_model(tiny_training(), "teacher");
  const std::string before = weights_of(out("teacher"));
  TrainRequest request = request_for("teacher");
  request.out = out("other") / ".." / "teacher";
  expect_error(ErrorKind::kUsage, {"--out", "--teacher"}, [&] { train(request); });
  EXPECT_EQ(weights_of(out("teacher")), before);
}

TEST_F(Pupil, WithoutItsTeacherIsRefusedBeforeAnyDocumentIsRead) {
  data_.write("train.jsonl", "no JSON\n");
  expect_error(ErrorKind::kIo, {"nobody"}, [&] { train(request_for("pupil", "nobody")); });
}

}  // namespace
}  // namespace hmtc
