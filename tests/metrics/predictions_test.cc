#include "metrics/predictions.h"

#include <gtest/gtest.h>

#include <limits>

#include "metrics/small_predictions.h"
#include "support/expect_error.h"

namespace hmtc {
namespace {

void expect_refused(const SmallPredictions& predictions, const std::string& part) {
  expect_error(ErrorKind::kInternal, {part},
               [&] { check_predictions(predictions.scores(), predictions.truth()); });
}

TEST(Predictions, NothingAtAllIsValid) {
  EXPECT_NO_THROW(check_predictions({}, {}));
  EXPECT_NO_THROW(check_parents({}, 0));
}

TEST(Predictions, ANanOrInfiniteScoreIsNamed) {
  expect_refused({{{0.5F, 0.5F}, {0.5F, std::numeric_limits<float>::quiet_NaN()}}, {{}, {}}},
                 "document 1, label 1 is nan");
  expect_refused({{{std::numeric_limits<float>::infinity()}}, {{}}}, "document 0, label 0 is inf");
}

TEST(Predictions, ArraysOfTheWrongSizeAreRefused) {
  const std::vector<float> scores = {0.5F, 0.5F, 0.5F};
  expect_error(ErrorKind::kInternal, {"3 scores for 2 documents and 2 labels"}, [&] {
    check_predictions({scores, 2, 2}, OwnedLabelSets({{}, {}}).view());
  });
  expect_refused({{{0.5F}}, {{}, {}}}, "2 label sets for 1 documents");
}

TEST(Predictions, LabelSetsThatAreUnsortedRepeatedOrUnknownAreRefused) {
  expect_refused({{{0.5F, 0.5F}}, {{1, 0}}}, "label set of document 0");
  expect_refused({{{0.5F, 0.5F}}, {{1, 1}}}, "label set of document 0");
  expect_refused({{{0.5F, 0.5F}}, {{2}}}, "label set of document 0");
  expect_refused({{{0.5F, 0.5F}}, {{-1}}}, "label set of document 0");
}

TEST(Predictions, OffsetsThatDoNotFitTheLabelsAreRefused) {
  const std::vector<float> scores = {0.5F, 0.5F};
  const std::vector<std::int32_t> labels = {0};
  const std::vector<std::vector<std::size_t>> bad = {{0, 0, 9}, {0, 2, 1}, {1, 1, 1}};
  for (const std::vector<std::size_t>& offsets : bad) {
    expect_error(ErrorKind::kInternal, {"offsets"}, [&] {
      check_predictions({scores, 2, 1}, {offsets, labels});
    });
  }
}

TEST(Predictions, AParentMustHaveASmallerId) {
  EXPECT_NO_THROW(check_parents(OwnedLabelSets({{}, {0}, {0, 1}}).view(), 3));
  for (const std::int32_t parent : {1, 2}) {
    expect_error(ErrorKind::kInternal, {"parents of label 1"}, [&] {
      check_parents(OwnedLabelSets({{}, {parent}, {}}).view(), 3);
    });
  }
  expect_error(ErrorKind::kInternal, {"2 parent sets for 3 labels"}, [] {
    check_parents(OwnedLabelSets({{}, {}}).view(), 3);
  });
}

TEST(Predictions, LevelsMustCoverAllLabels) {
  EXPECT_NO_THROW(check_levels(std::vector<std::int32_t>{0, 1, 3}, 3));
  const std::vector<std::vector<std::int32_t>> bad = {{}, {0}, {1, 3}, {0, 2}, {0, 4, 3}, {0, -1}};
  for (const std::vector<std::int32_t>& levels : bad) {
    expect_error(ErrorKind::kInternal, {"levels"}, [&] { check_levels(levels, 3); });
  }
}

}  // namespace
}  // namespace hmtc
