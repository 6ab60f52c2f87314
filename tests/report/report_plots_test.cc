#include "report/report_plots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "report/small_report.h"

namespace hmtc {
namespace {

using testing::HasSubstr;
using testing::Not;

RunResult run_with_scores(const std::vector<double>& scores) {
  RunResult run;
  for (const double score : scores) {
    const auto epoch = static_cast<double>(run.learning_curve.size() + 1);
    run.learning_curve.push_back({epoch, 2 * score, score});
  }
  return run;
}

std::vector<double> mean_scores(const std::vector<RunResult>& runs) {
  Runs pointers;
  for (const RunResult& run : runs) pointers.push_back(&run);
  std::vector<double> scores;
  for (const ValidationPoint& point : mean_learning_curve(pointers)) {
    scores.push_back(point.score);
    EXPECT_EQ(point.epoch, static_cast<double>(scores.size()));
  }
  return scores;
}

TEST(MeanLearningCurve, OfNoRunOrNoValidationIsEmpty) {
  EXPECT_TRUE(mean_scores({}).empty());
  EXPECT_TRUE(mean_scores({RunResult(), RunResult()}).empty());
}

TEST(MeanLearningCurve, EndsWhereFewerThanHalfOfTheRunsGoOn) {
  // Four runs: all at epoch 1, two at epoch 2, one at epoch 3.
  EXPECT_THAT(mean_scores({run_with_scores({0.25}), run_with_scores({0.25}),
                           run_with_scores({0.5, 0.75}), run_with_scores({1, 0.25, 1})}),
              testing::ElementsAre(0.5, 0.5));
  // Of three runs one is less than half.
  EXPECT_THAT(
      mean_scores({run_with_scores({0.5, 0.5}), run_with_scores({0.5}), run_with_scores({0.5})}),
      testing::ElementsAre(0.5));
  EXPECT_THAT(mean_scores({run_with_scores({0.5, 0.75})}), testing::ElementsAre(0.5, 0.75));
}

TEST(MeanLearningCurve, LeavesOutScoresThatAreUndefined) {
  EXPECT_THAT(mean_scores({run_with_scores({0.5, kUndefined}), run_with_scores({kUndefined})}),
              testing::ElementsAre(0.5, testing::IsNan()));
}

std::vector<std::string> titles(const ExperimentReport& report) {
  std::vector<std::string> names;
  for (const ReportPlot& plot : report_plots(report)) names.push_back(plot.title);
  return names;
}

TEST(ReportPlots, AreThoseThatThereAreResultsFor) {
  ExperimentReport report = small_report();
  report.results[1].test.combined.per_level = {0.5};
  report.results[1].learning_curve = {{1, 1, 0.5}};
  report.results[1].precision_recall = {{0.5, 1}};
  report.results[1].reliability = {{4, 0.5, 0.25}};
  EXPECT_THAT(titles(report),
              testing::ElementsAre("AU(PRC) by row", "AU(PRC) by level", "Learning curves",
                                   "Precision and recall", "Reliability"));
  EXPECT_THAT(titles(small_report()), testing::ElementsAre("AU(PRC) by row"));
  report.results.clear();
  EXPECT_THAT(titles(report), testing::ElementsAre("AU(PRC) by row"));  // the paper's value
  report.rows[0].paper_value = kUndefined;
  EXPECT_TRUE(titles(report).empty());
}

TEST(ReportPlots, OfNothingDefinedAreNone) {
  ExperimentReport report = small_report();
  report.rows[0].paper_value = kUndefined;
  report.results = {run_of("LA-HCN", 1, kUndefined)};
  report.results[0].test.combined.per_level = {kUndefined};
  report.results[0].learning_curve = {{1, kUndefined, kUndefined}};
  report.results[0].precision_recall = {{kUndefined, kUndefined}};
  report.results[0].reliability = {{}, {2, kUndefined, 0.5}};
  EXPECT_TRUE(titles(report).empty());
}

TEST(PlotOfRows, HasAMarkForEachSeedTheMeanAndThePaper) {
  const std::string svg = report_plots(small_report())[0].svg;
  EXPECT_THAT(svg, HasSubstr("<title>LA-HCN, seed 1: 0.7500</title>"));
  EXPECT_THAT(svg, HasSubstr("<title>LA-HCN, seed 2: 0.8500</title>"));
  EXPECT_THAT(svg, HasSubstr("<title>LA-HCN, mean: 0.8000</title>"));
  EXPECT_THAT(svg, HasSubstr("<title>LA-HCN, paper: 0.8015</title>"));
  EXPECT_THAT(svg, HasSubstr("<title>Flat, seed 1: 0.5000</title>"));
  EXPECT_THAT(svg, Not(HasSubstr("Flat, seed 2")));
  EXPECT_THAT(svg, Not(HasSubstr("Flat, paper")));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(PlotOfLevels, LeavesOutLevelsAndRowsWithoutAValue) {
  ExperimentReport report = small_report();
  report.results[0].test.combined.per_level = {0.5, 0.25};
  report.results[1].test.combined.per_level = {0.75, kUndefined};
  const std::string svg = report_plots(report)[1].svg;
  EXPECT_THAT(svg, HasSubstr("<title>LA-HCN, level 1: 0.6250</title>"));
  EXPECT_THAT(svg, HasSubstr("<title>LA-HCN, level 2: 0.2500</title>"));
  EXPECT_THAT(svg, Not(HasSubstr("Flat")));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(PooledReliability, OfNoRunOrNoBinIsEmpty) {
  EXPECT_TRUE(pooled_reliability({}).empty());
  const RunResult run;
  EXPECT_TRUE(pooled_reliability({&run}).empty());
}

TEST(PooledReliability, WeighsTheBinsOfEachRunByTheirPairs) {
  RunResult first, second, old;
  first.reliability = {{1, 0.125, 0}, {}, {2, 0.75, 1}};
  second.reliability = {{3, 0.25, 1}, {}, {}};
  // (0.125 + 3 · 0.25) / 4 and (0 + 3 · 1) / 4.
  const std::vector<ReliabilityBin> pooled = pooled_reliability({&first, &old, &second});
  ASSERT_EQ(pooled.size(), 3U);
  EXPECT_EQ(pooled[0].count, 4U);
  EXPECT_EQ(pooled[0].mean_score, 0.21875);
  EXPECT_EQ(pooled[0].positive_share, 0.75);
  EXPECT_EQ(pooled[1].count, 0U);
  EXPECT_EQ(pooled[2].mean_score, 0.75);
}

TEST(PlotOfReliability, HasTheDiagonalAndALineForEachRowWithBins) {
  ExperimentReport report = small_report();
  report.results[2].reliability = {{4, 0.25, 0.5}, {}};  // Flat, the second row
  ASSERT_THAT(titles(report), testing::ElementsAre("AU(PRC) by row", "Reliability"));
  const std::string svg = report_plots(report)[1].svg;
  EXPECT_THAT(svg, HasSubstr("class=\"guide\""));
  EXPECT_THAT(svg, HasSubstr("series-1"));
  EXPECT_THAT(svg, Not(HasSubstr("series-0")));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(PlotOfPrecisionAndRecall, IsOfTheFirstSeedAndKeepsTheColourOfTheRow) {
  ExperimentReport report = small_report();
  report.results[0].precision_recall = {{0.5, 0.25}};  // LA-HCN, seed 2
  report.results[2].precision_recall = {{0.5, 0.75}};  // Flat, the second row
  ASSERT_THAT(titles(report), testing::ElementsAre("AU(PRC) by row", "Precision and recall"));
  const std::string svg = report_plots(report)[1].svg;
  EXPECT_THAT(svg, Not(HasSubstr("LA-HCN")));
  EXPECT_THAT(svg, HasSubstr("series-1"));
  EXPECT_THAT(svg, Not(HasSubstr("series-0")));
}

}  // namespace
}  // namespace hmtc
