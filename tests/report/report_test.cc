#include "report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "report/small_report.h"

namespace hmtc {
namespace {

std::vector<std::int64_t> seeds_of(const Runs& runs) {
  std::vector<std::int64_t> seeds;
  for (const RunResult* run : runs) seeds.push_back(run->seed);
  return seeds;
}

TEST(RunsOf, AreInTheOrderOfTheSeedsAndOnlyThosePresent) {
  const ExperimentReport report = small_report();
  EXPECT_THAT(seeds_of(runs_of(report, report.rows[0])), testing::ElementsAre(1, 2));
  EXPECT_THAT(seeds_of(runs_of(report, report.rows[1])), testing::ElementsAre(1));
}

TEST(RunsOf, PassOverOtherSeedsOtherRowsAndRepetitions) {
  ExperimentReport report = small_report();
  report.results.push_back(run_of("LA-HCN", 1, 0.125));
  report.results.push_back(run_of("LA-HCN", 7, 0.125));
  report.results.push_back(run_of("Old row", 1, 0.125));
  const Runs runs = runs_of(report, report.rows[0]);
  EXPECT_THAT(seeds_of(runs), testing::ElementsAre(1, 2));
  EXPECT_EQ(runs[0]->test.combined.micro, 0.75);
}

TEST(SpreadOver, NoRunIsUndefinedAndOneHasNoDeviation) {
  const auto micro = [](const RunResult& run) { return run.test.combined.micro; };
  EXPECT_TRUE(std::isnan(spread_over({}, micro).mean));
  const RunResult one = run_of("a", 0, 0.5);
  const RunResult undefined = run_of("a", 1, kUndefined);
  const Spread spread = spread_over({&one, &undefined}, micro);
  EXPECT_EQ(spread.mean, 0.5);
  EXPECT_TRUE(std::isnan(spread.deviation));
}

TEST(NumLevels, IsTheMostOfAnyRun) {
  ExperimentReport report = small_report();
  EXPECT_EQ(num_levels(report), 0U);
  report.results[1].test.combined.per_level = {0.5, 0.25};
  EXPECT_EQ(num_levels(report), 2U);
  EXPECT_EQ(test_area_of_level(report.results[1], 1), 0.25);
  EXPECT_TRUE(std::isnan(test_area_of_level(report.results[1], 2)));
}

TEST(CompareWithReference, PairsTheReferenceWithEveryOtherRow) {
  ExperimentReport report = small_report();
  report.results.push_back(run_of("Flat", 2, 0.5));
  report.rows.push_back({"Absent", "", kUndefined, ""});
  const std::vector<RowComparison> comparisons = compare_with_reference(report);
  ASSERT_EQ(comparisons.size(), 2U);
  EXPECT_EQ(comparisons[0].other, "Flat");
  EXPECT_EQ(comparisons[0].result.num_pairs, 2U);
  EXPECT_NEAR(comparisons[0].result.difference, 0.3, 1e-12);
  EXPECT_EQ(comparisons[1].other, "Absent");
  EXPECT_EQ(comparisons[1].result.num_pairs, 0U);
  report.reference = "Flat";
  EXPECT_NEAR(compare_with_reference(report)[0].result.difference, -0.3, 1e-12);
}

TEST(CompareWithReference, WithoutItsRowThereIsNothing) {
  ExperimentReport report = small_report();
  report.reference = "HARNN";
  EXPECT_TRUE(compare_with_reference(report).empty());
}

TEST(Verdict, NeedsAPBelowFivePercent) {
  EXPECT_EQ(verdict({2, 0.1, 0, 0, 0.0499}), "above");
  EXPECT_EQ(verdict({2, -0.1, 0, 0, 0.0499}), "below");
  EXPECT_EQ(verdict({2, 0.1, 0, 0, 0.05}), "no difference shown");
  EXPECT_EQ(verdict({2, 0, 0, 0, 1}), "no difference shown");
  EXPECT_EQ(verdict({}), "–");
}

}  // namespace
}  // namespace hmtc
