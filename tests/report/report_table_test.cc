#include "report/report_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "report/small_report.h"

namespace hmtc {
namespace {

/// The texts of a column, the best with a star.
std::vector<std::string> column(const TextTable& table, const std::string& title) {
  const auto found = std::find(table.columns.begin(), table.columns.end(), title);
  EXPECT_NE(found, table.columns.end()) << title;
  std::vector<std::string> texts;
  for (const std::vector<TableCell>& row : table.rows) {
    EXPECT_EQ(row.size(), table.columns.size());
    const TableCell& cell = row[static_cast<std::size_t>(found - table.columns.begin())];
    texts.push_back(cell.text + (cell.is_best ? "*" : ""));
  }
  return texts;
}

using testing::ElementsAre;

TEST(ResultsTable, WithoutRunsHasItsRowsAndNoNumbers) {
  ExperimentReport report = small_report();
  report.results.clear();
  const TextTable table = results_table(report);
  EXPECT_THAT(table.columns, ElementsAre("row", "seeds", "paper"));
  EXPECT_THAT(column(table, "seeds"), ElementsAre("0 of 2", "0 of 2"));
  EXPECT_THAT(column(table, "paper"), ElementsAre("0.8015", "–"));
}

TEST(ResultsTable, HasNoColumnThatIsEmptyInEveryRow) {
  ExperimentReport report = small_report();
  EXPECT_THAT(results_table(report).columns,
              ElementsAre("row", "seeds", "test AU(PRC)", "paper", "minus paper"));
  EXPECT_THAT(scores_table(report).columns, ElementsAre("row"));
  EXPECT_THAT(costs_table(report).columns, ElementsAre("row", "parameters"));
  report.results[2].validation.combined.micro = 0.5;
  report.rows[0].paper_value = kUndefined;
  EXPECT_THAT(results_table(report).columns,
              ElementsAre("row", "seeds", "test AU(PRC)", "validation"));
}

TEST(ResultsTable, ShowsMeanAndDeviationAndOneSeedWithoutADeviation) {
  const TextTable table = results_table(small_report());
  EXPECT_THAT(column(table, "row"), ElementsAre("LA-HCN", "Flat"));
  EXPECT_THAT(column(table, "seeds"), ElementsAre("2", "1 of 2"));
  EXPECT_THAT(column(table, "test AU(PRC)"), ElementsAre("0.8000 ± 0.0707", "0.5000"));
  EXPECT_THAT(column(table, "minus paper"), ElementsAre("-0.0015", "–"));
}

TEST(ResultsTable, TheBestIsSoughtAmongRowsWithEverySeedAlone) {
  ExperimentReport report = complete_report();
  EXPECT_THAT(column(results_table(report), "test AU(PRC)"),
              ElementsAre("0.8000 ± 0.0707*", "0.5500 ± 0.0707"));
  report.rows.push_back({"Half", "linear", kUndefined, ""});
  report.results.push_back(run_of("Half", 1, 0.9));
  EXPECT_THAT(column(results_table(report), "test AU(PRC)"),
              ElementsAre("0.8000 ± 0.0707*", "0.5500 ± 0.0707", "0.9000"));
}

TEST(ResultsTable, HasAColumnForEachLevel) {
  ExperimentReport report = complete_report();
  report.results[0].test.combined.per_level = {0.5, 0.25};
  report.results[1].test.combined.per_level = {1, kUndefined};
  report.results[2].test.combined.per_level = {0.875};
  const TextTable table = results_table(report);
  EXPECT_THAT(column(table, "level 1"), ElementsAre("0.7500", "0.8750*"));
  EXPECT_THAT(column(table, "level 2"), ElementsAre("0.2500", "–"));  // alone it is not the best
}

TEST(ScoresTable, ShowsTheMeanCalibrationErrorOfRunsThatHaveOne) {
  ExperimentReport report = small_report();
  report.results[0].test.calibration_error = 0.01;
  report.results[1].test.calibration_error = 0.04;
  EXPECT_THAT(column(scores_table(report), "ECE"), ElementsAre("0.0250", "–"));
}

TEST(ScoresTable, ShowsTheCalibrationErrorOfLikelyPairsFromTheBins) {
  ExperimentReport report = small_report();
  report.results[0].reliability = {{9, 0.5, 0}, {1, 0.5, 0.25}};
  EXPECT_THAT(column(scores_table(report), "ECE above 1/15"), ElementsAre("0.2500", "–"));
}

TEST(ScoresTable, ShowsTheClassifiersOfANetworkByThemselves) {
  ExperimentReport report = complete_report();
  for (std::size_t i = 0; i < 2; ++i) report.results[i].test.local_micro = 0.5;
  const TextTable table = scores_table(report);
  EXPECT_THAT(column(table, "local AU(PRC)"), ElementsAre("0.5000", "–"));
  EXPECT_EQ(std::count(table.columns.begin(), table.columns.end(), "global AU(PRC)"), 0);
}

TEST(ScoresTable, ShowsDecisionsAndTheScoresBeforeTheMaxConstraint) {
  ExperimentReport report = complete_report();
  const double scores[] = {0.5, 0.75, 0.25};
  for (std::size_t i = 0; i < 3; ++i) {
    report.results[i].test.tuned_macro_f1 = scores[i];
    report.results[i].test.raw_micro = 1 - scores[i];
  }
  for (std::size_t i = 0; i < 2; ++i) {
    report.results[i].test.violations = 4 * static_cast<double>(i);
    report.results[i].test.raw_violations = 3 + 2 * static_cast<double>(i);
  }
  const TextTable table = scores_table(report);
  EXPECT_THAT(column(table, "tuned macro-F1"), ElementsAre("0.6250*", "0.2500"));
  EXPECT_THAT(column(table, "raw AU(PRC)"), ElementsAre("0.3750", "0.7500*"));
  EXPECT_THAT(column(table, "violations left"), ElementsAre("2", "–"));
  EXPECT_THAT(column(table, "raw violations"), ElementsAre("4", "–"));
}

TEST(ResultsTable, MarksEqualMeansAsTheyAreShown) {
  ExperimentReport report = small_report();
  report.seeds = {1};
  report.results = {run_of("LA-HCN", 1, 0.50001), run_of("Flat", 1, 0.50002)};
  EXPECT_THAT(column(results_table(report), "test AU(PRC)"), ElementsAre("0.5000*", "0.5000*"));
}

TEST(ResultsTable, ADifferenceThatRoundsToZeroHasNoMinus) {
  ExperimentReport report = small_report();
  report.results = {run_of("LA-HCN", 1, 0.80149)};
  EXPECT_THAT(column(results_table(report), "minus paper"), ElementsAre("+0.0000", "–"));
}

TEST(CostsTable, HasFittingUnits) {
  ExperimentReport report = small_report();
  RunResult& flat = report.results[2];
  const auto costs = [&](double seconds, std::size_t parameters) {
    flat.train_seconds = seconds;
    flat.parameters = parameters;
    const TextTable table = costs_table(report);
    return column(table, "training")[1] + ", " + column(table, "parameters")[1];
  };
  EXPECT_EQ(costs(9.96, 0), "10.0 s, 0");
  EXPECT_EQ(costs(150, 9999), "2.5 min, 9999");
  EXPECT_EQ(costs(9000, 345678), "2.5 h, 346 k");
  EXPECT_EQ(costs(1, 999600), "1.0 s, 1.0 M");
  EXPECT_EQ(costs(1, 12345678), "1.0 s, 12.3 M");
  flat.documents_per_second = 123.4;
  flat.peak_mb = 511.6;
  EXPECT_THAT(column(costs_table(report), "documents/s"), ElementsAre("–", "123"));
  EXPECT_THAT(column(costs_table(report), "peak MB"), ElementsAre("–", "512"));
}

TEST(ComparisonTable, OfFewerThanTwoCommonSeedsIsUndefined) {
  const TextTable table = comparison_table(small_report());
  EXPECT_THAT(column(table, "LA-HCN beside"), ElementsAre("Flat"));
  EXPECT_THAT(column(table, "common seeds"), ElementsAre("1"));
  EXPECT_THAT(column(table, "difference"), ElementsAre("–"));
  EXPECT_THAT(column(table, "95 % interval"), ElementsAre("–"));
  EXPECT_THAT(column(table, "p"), ElementsAre("–"));
  EXPECT_THAT(column(table, "LA-HCN is"), ElementsAre("–"));
}

TEST(ComparisonTable, OfAnExperimentWithOneSeedHasNoRows) {
  ExperimentReport report = small_report();
  report.seeds = {1};
  EXPECT_THAT(comparison_table(report).rows, testing::IsEmpty());
}

TEST(ComparisonTable, ShowsDifferenceIntervalAndWhatItMeans) {
  ExperimentReport report = small_report();
  report.results = {run_of("LA-HCN", 1, 0.75), run_of("LA-HCN", 2, 0.75), run_of("Flat", 1, 0.5),
                    run_of("Flat", 2, 0.5)};
  TextTable table = comparison_table(report);
  EXPECT_THAT(column(table, "difference"), ElementsAre("+0.2500"));
  EXPECT_THAT(column(table, "95 % interval"), ElementsAre("+0.2500 to +0.2500"));
  EXPECT_THAT(column(table, "p"), ElementsAre("< 0.0001"));
  EXPECT_THAT(column(table, "LA-HCN is"), ElementsAre("above"));
  // Differences 0.25 and 0.125: mean 0.1875, error 0.0625, t 3 with one degree of freedom:
  // p = 1 - 2/π · atan(3) = 0.2048; 0.1875 ± 12.7062 · 0.0625.
  report.results[1].test.combined.micro = 0.625;
  table = comparison_table(report);
  EXPECT_THAT(column(table, "difference"), ElementsAre("+0.1875"));
  EXPECT_THAT(column(table, "95 % interval"), ElementsAre("-0.6066 to +0.9816"));
  EXPECT_THAT(column(table, "p"), ElementsAre("0.2048"));
  EXPECT_THAT(column(table, "LA-HCN is"), ElementsAre("no difference shown"));
}

TEST(RunsSentence, SaysHowManyAreThere) {
  ExperimentReport report = small_report();
  EXPECT_EQ(runs_sentence(report), "3 of 4 runs are done.");
  report.results.push_back(run_of("Flat", 2, 0.5));
  EXPECT_EQ(runs_sentence(report), "All 4 runs are done.");
}

TEST(DataSentences, AreSaidOnceEach) {
  ExperimentReport report = small_report();
  report.results[0].data = "Enron.";
  report.results[1].data = "Enron.";
  EXPECT_THAT(data_sentences(report), ElementsAre("Enron."));
  report.results[2].data = "Reuters.";
  EXPECT_THAT(data_sentences(report), ElementsAre("Enron.", "Reuters."));
}

}  // namespace
}  // namespace hmtc
