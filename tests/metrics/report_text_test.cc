#include "metrics/report_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace hmtc {
namespace {

/// Most of it undefined, so that the table stays easy to check by eye.
NamedReport report_of(const std::string& name, double micro_area) {
  NamedReport named{name, {}};
  named.report.num_documents = 12;
  named.report.num_labels = 3;
  named.report.num_labels_with_positives = 2;
  named.report.areas.micro = micro_area;
  named.report.areas.per_level = {0.5, kUndefined};
  named.report.raw_micro = 0.375;
  named.report.at_half.flat.macro = {0.25, 0.5, 1.0 / 3.0};
  named.report.global_threshold = 0.375F;
  named.report.precision_at = {1.0, 0.5, 0.25};
  named.report.violations = {7, 0.125, 3, 0.25};
  named.report.calibration.error = 0.0625;
  named.report.calibration.likely_error = 0.03125;
  named.report.calibration.equal_mass_error = 0.125;
  named.report.calibration.bins = {{4, 0.25, 0.5}, {}};
  named.report.calibration_per_level.resize(1);
  named.report.calibration_per_level[0].brier = 0.5;
  return named;
}

TEST(ReportTable, HasOneRowPerMetricAndOneColumnPerScoreSet) {
  const std::string table = report_table({report_of("local", 0.5), report_of("combined", 0.87654)});
  EXPECT_THAT(table, testing::StartsWith("                             local  combined\n"
                                         "Data\n"
                                         "  documents                     12        12\n"
                                         "  labels                         3         3\n"
                                         "  labels with positives          2         2\n"
                                         "AU(PRC)\n"
                                         "  micro                     0.5000    0.8765\n"
                                         "  macro                          -         -\n"
                                         "  weighted                       -         -\n"
                                         "  CLUS                           -         -\n"
                                         "  level 1                   0.5000    0.5000\n"
                                         "  level 2                        -         -\n"
                                         "At threshold 0.5\n"));
  EXPECT_THAT(table, testing::HasSubstr("  macro F1                  0.3333    0.3333\n"));
  EXPECT_THAT(table, testing::EndsWith("Precision at k\n"
                                       "  P@1                       1.0000    1.0000\n"
                                       "  P@3                       0.5000    0.5000\n"
                                       "  P@5                       0.2500    0.2500\n"
                                       "Before the max constraint\n"
                                       "  micro AU(PRC)             0.3750    0.3750\n"
                                       "  violated edges                 7         7\n"
                                       "  share of edges            0.1250    0.1250\n"
                                       "  documents with one             3         3\n"
                                       "  share of documents        0.2500    0.2500\n"
                                       "Calibration\n"
                                       "  ECE                       0.0625    0.0625\n"
                                       "  ECE, level 1                   -         -\n"
                                       "  ECE, level 2                   -         -\n"
                                       "  ECE, scores above 1/15    0.0312    0.0312\n"
                                       "  ECE, equal mass           0.1250    0.1250\n"
                                       "  Brier score                    -         -\n"));
}

TEST(ReportJson, OfNoReportsIsAnEmptyObject) { EXPECT_EQ(report_json({}).dump(), "{}"); }

TEST(ReportJson, KeepsTheOrderAndWritesUndefinedAsNull) {
  const std::string undefined = R"({"precision":null,"recall":null,"f1":null})";
  const std::string decisions = R"({"micro":)" + undefined + R"(,"macro":)" + undefined +
                                R"(,"samples":)" + undefined + R"(,"hierarchical":)" + undefined +
                                "}";
  EXPECT_EQ(
      report_json({report_of("local", 0.5)})["local"].dump(),
      R"({"documents":12,"labels":3,"labels_with_positives":2,)"
      R"("au_prc":{"micro":0.5,"macro":null,"weighted":null,"clus":null,)"
      R"("per_level":[0.5,null]},"raw_micro":0.375,"global_threshold":0.375,)"
      R"("at_0.5":{"micro":)" +
          undefined +
          R"(,"macro":{"precision":0.25,"recall":0.5,"f1":0.3333333333333333},"samples":)" +
          undefined + R"(,"hierarchical":)" + undefined + R"(},"at_global_threshold":)" +
          decisions + R"(,"at_label_thresholds":)" + decisions +
          R"(,"precision_at":{"1":1.0,"3":0.5,"5":0.25},)"
          R"("violations":{"edges":7,"edge_rate":0.125,"documents":3,"document_rate":0.25},)"
          R"("calibration":{"ece":0.0625,"ece_of_likely":0.03125,"ece_equal_mass":0.125,"brier":null,)"
          R"("bins":[{"count":4,"mean_score":0.25,"positive_share":0.5},)"
          R"({"count":0,"mean_score":null,"positive_share":null}],"equal_mass_bins":[],)"
          R"("per_level":[{"ece":null,"ece_of_likely":null,"ece_equal_mass":null,"brier":0.5,)"
          R"("bins":[],"equal_mass_bins":[]}]}})");
  std::vector<std::string> names;
  const auto json = report_json({report_of("local", 0.5), report_of("combined", 0.5)});
  for (const auto& [name, report] : json.items()) names.push_back(name);
  EXPECT_THAT(names, testing::ElementsAre("local", "combined"));
}

}  // namespace
}  // namespace hmtc
