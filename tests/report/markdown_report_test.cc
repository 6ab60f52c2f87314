#include "report/markdown_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/escape.h"
#include "report/small_report.h"

namespace hmtc {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(MarkdownEscaped, KeepsMarksFromBecomingMarkup) {
  EXPECT_EQ(markdown_escaped("a|b *c* `d`\n[e](f) <g> h_i\\"),
            "a\\|b \\*c\\* \\`d\\` \\[e\\](f) \\<g\\> h\\_i\\\\");
  EXPECT_EQ(markdown_escaped("0.8000 ± 0.0707"), "0.8000 ± 0.0707");
}

TEST(MarkdownCode, IndentsEveryLine) {
  EXPECT_EQ(markdown_code("hmtc train \\\n```"), "    hmtc train \\\n    ```\n");
}

TEST(MarkdownReport, HasTableNotesComparisonsAndCommands) {
  ExperimentReport report = small_report();
  report.results[1].data = "Enron, the paper's split.";
  const std::string text = markdown_report(report);
  EXPECT_THAT(text, testing::StartsWith("# Enron\n"
                                        "Enron, the paper's split.\n"
                                        "3 of 4 runs are done.\n"
                                        "\n"
                                        "| row | seeds | test AU(PRC) | paper | minus paper |\n"
                                        "| --- | ---: | ---: | ---: | ---: |\n"
                                        "| LA-HCN | 2 | 0.8000 ± 0.0707 | 0.8015 | -0.0015 |\n"
                                        "| Flat | 1 of 2 | 0.5000 | – | – |\n"
                                        "\n"));
  EXPECT_THAT(text, HasSubstr("\n- LA-HCN: as published\n"));
  EXPECT_THAT(text, Not(HasSubstr("- Flat:")));
  EXPECT_THAT(text, HasSubstr("\n## LA-HCN beside the other rows\n"));
  EXPECT_THAT(text, HasSubstr("\n| Flat | 1 | – | – | – | – |\n"));
  EXPECT_THAT(text, HasSubstr("\n| row | parameters |\n| --- | ---: |\n| LA-HCN | 0 |\n"));
  EXPECT_THAT(text, testing::EndsWith("\n## Commands\n"
                                      "\nLA-HCN (la-hcn), seed 1:\n"
                                      "\n    hmtc train --seed 1\n"
                                      "\nFlat (flat), seed 1:\n"
                                      "\n    hmtc train --seed 1\n"));
}

TEST(MarkdownReport, TheBestIsBold) {
  EXPECT_THAT(markdown_report(complete_report()), HasSubstr("| **0.8000 ± 0.0707** |"));
}

TEST(MarkdownReport, LeavesOutWhatThereIsNothingFor) {
  ExperimentReport report = small_report();
  report.results.clear();
  report.rows.resize(1);
  const std::string text = markdown_report(report);
  EXPECT_THAT(text, HasSubstr("0 of 2 runs are done."));
  EXPECT_THAT(text, Not(HasSubstr("beside the other rows")));
  EXPECT_THAT(text, Not(HasSubstr("Commands")));
}

TEST(MarkdownReport, ANameWithABarKeepsTheColumns) {
  ExperimentReport report = small_report();
  report.rows[1].name = "Flat | wide";
  EXPECT_THAT(markdown_report(report), HasSubstr("\n| Flat \\| wide | 0 of 2 |"));
}

}  // namespace
}  // namespace hmtc
