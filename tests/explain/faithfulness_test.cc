#include "explain/faithfulness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "explain/linear_model.h"
#include "support/expect_error.h"
#include "support/temporary_directory.h"

namespace hmtc {
namespace {

using testing::HasSubstr;

double sigmoid_of(double x) { return 1 / (1 + std::exp(-x)); }

class Faithfulness : public testing::Test {
 protected:
  FaithfulnessReport measure(const std::string& lines, const FaithfulnessOptions& options = {}) {
    return measure_faithfulness(explainer_, directory_.write("data.jsonl", lines), options);
  }
  static const WordRankingReport& ranking(const FaithfulnessReport& report,
                                          const std::string& name) {
    for (const WordRankingReport& one : report.rankings) {
      if (one.ranking == name) return one;
    }
    ADD_FAILURE() << "no ranking " << name;
    return report.rankings.front();
  }

  TemporaryDirectory directory_;
  LoadedModel model_ = linear_model();
  Explainer explainer_{model_};
};

TEST_F(Faithfulness, DocumentsWithoutWordsOrLabelsTakeNoPart) {
  const std::string without = R"({"text": ""})"
                              "\n"
                              R"({"text": "the"})"
                              "\n";
  const FaithfulnessReport report = measure(without + R"({"text": "tea"})" + "\n");
  EXPECT_EQ(report.documents, 1U);
  EXPECT_EQ(report.labels, 1U);
  EXPECT_TRUE(std::isnan(report.top_words_apart));  // one label has nothing to share
  EXPECT_THAT(faithfulness_json({report}), HasSubstr("\"rank_correlation\": null"));
  expect_error(ErrorKind::kInput, {"data.jsonl", "a predicted label", "none"},
               [&] { measure(without); });
}

TEST_F(Faithfulness, DeletingTheHeaviestWordTakesItsPartOfTheProbability) {
  const FaithfulnessReport report = measure(R"({"text": "the tea the milk"})");
  EXPECT_EQ(report.documents, 1U);
  EXPECT_EQ(report.labels, 1U);
  // The, tea, milk: 4/sqrt(3) - 1. One word of four at shares up to 20 %: tea goes first, and the
  // and milk are left with 1/sqrt(2) - 1. At 50 %, tea and milk: -1 is left.
  const double whole = sigmoid_of(4 / std::sqrt(3.0) - 1);
  for (const char* name : {"coefficient", "leave-one-out"}) {
    const WordRankingReport& own = ranking(report, name);
    EXPECT_NEAR(own.deleted[0], whole - sigmoid_of(1 / std::sqrt(2.0) - 1), 1e-5) << name;
    EXPECT_NEAR(own.kept[0], whole - sigmoid_of(3 - 1), 1e-5) << name;
    EXPECT_NEAR(own.deleted[4], whole - sigmoid_of(-1), 1e-5) << name;
    EXPECT_NEAR(own.kept[4], whole - sigmoid_of(4 / std::sqrt(2.0) - 1), 1e-5) << name;
  }
}

TEST_F(Faithfulness, RandomWordsLoseLess) {
  std::string lines;
  for (int i = 0; i < 20; ++i)
    lines += R"({"text": "the tea the the the the the milk the the"})"
             "\n";
  const FaithfulnessReport report = measure(lines);
  EXPECT_GT(mean_of(ranking(report, "coefficient").deleted),
            mean_of(ranking(report, "random").deleted) + 0.1);
}

TEST_F(Faithfulness, LabelsWithWordsOfTheirOwnAreFarApart) {
  // Both labels are predicted: 3/sqrt(2) - 1 and 2/sqrt(2) - 1. Tea leads for a, bread for b.
  const FaithfulnessReport report = measure(R"({"text": "tea bread"})");
  EXPECT_EQ(report.label_pairs, 1U);
  EXPECT_EQ(report.top_words_apart, 1);
  EXPECT_EQ(report.rank_correlation, -1);
}

TEST_F(Faithfulness, StopsAfterSoManyDocuments) {
  const std::string line = R"({"text": "tea"})"
                           "\n";
  EXPECT_EQ(measure(line + line + line, {.documents = 2}).documents, 2U);
  EXPECT_EQ(measure(line + line + line, {.documents = 0}).documents, 3U);
}

TEST_F(Faithfulness, TheTableNamesModelAndRankings) {
  FaithfulnessReport report = measure(R"({"text": "tea bread"})");
  report.model = "my model";
  const std::string table = faithfulness_table({report});
  for (const char* part : {"my model: 2 labels of 1 documents", "coefficient", "leave-one-out",
                           "random", "comprehensiveness", "sufficiency"}) {
    EXPECT_THAT(table, HasSubstr(part));
  }
}

}  // namespace
}  // namespace hmtc
