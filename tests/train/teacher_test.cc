#include "train/teacher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/truth.h"
#include "predict/loaded_model.h"
#include "support/expect_error.h"
#include "support/train_tiny.h"

namespace hmtc {
namespace {

using testing::ElementsAreArray;
using testing::FloatNear;
using testing::Pointwise;

class TeacherTest : public testing::Test {
 protected:
  static constexpr std::size_t kNumLabels = 5;

  TeacherTest() { write_tiny_data(data_); }

  void train_teacher(const std::string& model) {
    Config config = tiny_training();
    config.model.name = model;
    train_tiny(data_.path(), teacher(), config, observer_);
  }

  std::filesystem::path teacher() const { return models_.path() / "teacher"; }
  DataDirectory directory() const { return open_data_directory(data_.path()); }

  /// The documents as a pupil sees them that knows fewer words than its teacher.
  Corpus train_of_pupil(std::size_t max_words = 0, const HeldOut& held_out = {}) const {
    const DataDirectory opened = directory();
    LabelResolver labels(opened.hierarchy, /*strict=*/true);
    ReadOptions options;
    options.text.min_count = 3;
    options.max_words = max_words;
    options.held_out = held_out;
    return read_training_corpus(opened.train, labels, options).corpus;
  }

  /// What the teacher says of a document in a file of its own.
  std::vector<float> answer_to(const std::string& tokens) {
    const std::filesystem::path file =
        data_.write("one.jsonl", "{\"tokens\": [" + tokens + "], \"labels\": []}\n");
    LoadedModel model = load_for_prediction(teacher(), 1);
    LabelResolver labels(model.hierarchy, /*strict=*/true);
    std::vector<float> scores =
        model.scorer
            ->score(read_corpus(file.string(), model.vocabulary, labels, model.read_options()))
            .combined;
    make_coherent(model.hierarchy, scores);
    return scores;
  }

  static std::vector<float> row(const Lessons& lessons, std::size_t document) {
    const auto begin = lessons.scores.begin() + static_cast<std::ptrdiff_t>(document * kNumLabels);
    return {begin, begin + kNumLabels};
  }

  TemporaryDirectory data_, models_;
  RecordingObserver observer_;
};

TEST_F(TeacherTest, AnswersEveryDocumentAndEverySpliceInItsPlace) {
  for (const char* const model : {"la-hcn", "han", "linear"}) {
    train_teacher(model);
    // 1 of five words and 3 of two, cut in the middle; ten splices are more than a block of eight.
    std::vector<Splice> splices(10, {3, 3, 0.5});
    splices[0] = {1, 3, 0.5};
    splices[9] = {5, 0, 1};
    const Corpus train = train_of_pupil();
    const Lessons lessons = ask_teacher(teacher(), directory(), {}, 1, train, splices);
    ASSERT_EQ(lessons.documents.size(), 18U);
    ASSERT_EQ(lessons.scores.size(), 18 * kNumLabels);
    const auto expect_row = [&](std::size_t document, const std::string& tokens) {
      EXPECT_THAT(row(lessons, document), Pointwise(FloatNear(1e-6F), answer_to(tokens)))
          << model << ", " << tokens;
    };
    expect_row(3, R"("juicy", "green")");
    expect_row(8, R"("crisp", "red", "cider", "green")");  // half of five is rounded to three
    expect_row(16, R"("juicy", "green")");
    expect_row(17, R"("steel", "nail", "handle")");
    EXPECT_THAT(lessons.documents.words_of(17), ElementsAreArray(train.words_of(5)));
    EXPECT_THAT(lessons.documents.labels_of(3), ElementsAreArray(train.labels_of(3)));
  }
}

TEST_F(TeacherTest, SeesNoMoreWordsOfASpliceThanItsPupil) {
  train_teacher("linear");  // reads all words
  const Lessons lessons =
      ask_teacher(teacher(), directory(), {}, 1, train_of_pupil(2), std::vector<Splice>{{1, 3, 1}});
  EXPECT_EQ(lessons.documents.words_of(8).size(), 2U);
  EXPECT_THAT(row(lessons, 8), Pointwise(FloatNear(1e-6F), answer_to(R"("crisp", "red")")));
}

TEST_F(TeacherTest, IsAskedAboutTheDocumentsThatAreNotHeldOut) {
  train_teacher("la-hcn");
  HeldOut held_out{{true, false, true, false, false, false, false, false}, HeldOut::Side::kRest};
  const Lessons lessons = ask_teacher(teacher(), directory(), held_out, 1,
                                      train_of_pupil(0, held_out), std::vector<Splice>{{1, 1, 0}});
  ASSERT_EQ(lessons.documents.size(), 7U);
  EXPECT_THAT(row(lessons, 1), Pointwise(FloatNear(1e-6F), answer_to(R"("juicy", "green")")));
  EXPECT_THAT(row(lessons, 6), Pointwise(FloatNear(1e-6F), answer_to(R"("juicy", "green")")));
}

TEST_F(TeacherTest, DocumentsThatChangeWhileTheyAreReadAreAnError) {
  train_teacher("linear");
  const Corpus train = train_of_pupil();
  data_.write("train.jsonl", eight_documents() + eight_documents());
  expect_error(ErrorKind::kUsage, {"train.jsonl", "expected 8 documents", "found 16"},
               [&] { ask_teacher(teacher(), directory(), {}, 1, train, {}); });
}

}  // namespace
}  // namespace hmtc
