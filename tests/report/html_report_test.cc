#include "report/html_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/escape.h"
#include "report/small_report.h"

namespace hmtc {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(HtmlEscaped, ReplacesWhatEndsTextOrAttributes) {
  EXPECT_EQ(html_escaped("<a href=\"x\">'&amp;'"),
            "&lt;a href=&quot;x&quot;&gt;&#39;&amp;amp;&#39;");
  EXPECT_EQ(html_escaped("0.8 ± 0.1"), "0.8 ± 0.1");
}

TEST(HtmlReport, HasTableComparisonsPlotsAndCommands) {
  const std::string html = html_report(small_report());
  EXPECT_THAT(html, testing::StartsWith("<!DOCTYPE html>\n"));
  EXPECT_THAT(html, testing::EndsWith("</html>\n"));
  EXPECT_THAT(html, HasSubstr("<h1>Enron</h1>\n<p>3 of 4 runs are done.</p>"));
  EXPECT_THAT(html, HasSubstr("<tr><td>LA-HCN</td><td>2</td><td>0.8000 ± 0.0707</td>"
                              "<td>0.8015</td><td>-0.0015</td>"));
  EXPECT_THAT(html, HasSubstr("<tr><td>Flat</td><td>1 of 2</td><td>0.5000</td><td>–</td>"));
  EXPECT_THAT(html, HasSubstr("LA-HCN: as published"));
  EXPECT_THAT(html, HasSubstr("<h2>LA-HCN beside the other rows</h2>"));
  EXPECT_THAT(html, HasSubstr("<td>Flat</td><td>1</td><td>–</td><td>–</td><td>–</td><td>–</td>"));
  EXPECT_THAT(html, HasSubstr("<svg class=\"plot\""));
  EXPECT_THAT(html, HasSubstr("<h3>LA-HCN (la-hcn), seed 1</h3>\n<pre>hmtc train --seed 1</pre>"));
}

TEST(HtmlReport, TheBestIsStrong) {
  EXPECT_THAT(html_report(complete_report()),
              HasSubstr("<td><strong>0.8000 ± 0.0707</strong></td>"));
}

TEST(HtmlReport, NeedsNothingFromElsewhere) {
  const std::string html = html_report(small_report());
  for (const std::string word : {"http", "src=", "<link", "<script", "url(", "@import"}) {
    EXPECT_THAT(html, Not(HasSubstr(word)));
  }
  EXPECT_THAT(html, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(html, HasSubstr("name=\"viewport\""));
}

TEST(HtmlReport, WithoutRunsHasNeitherCommandsNorComparisonsOfOneRow) {
  ExperimentReport report = small_report();
  report.results.clear();
  report.rows = {{"Flat", "flat", kUndefined, ""}};
  const std::string html = html_report(report);
  EXPECT_THAT(html, HasSubstr("<td>Flat</td><td>0 of 2</td></tr>"));
  for (const std::string word : {"<svg", "Commands", "beside", "Plots"}) {
    EXPECT_THAT(html, Not(HasSubstr(word)));
  }
}

TEST(HtmlReport, EscapesAllTexts) {
  ExperimentReport report;
  report.title = "<title>";
  report.rows = {{"<row>", "<model>", 0.5, "<note>"}, {"<other>", "", 0.5, ""}};
  report.seeds = {0, 1};
  report.reference = "<row>";
  report.results = {run_of("<row>", 0, 0.5), run_of("<row>", 1, 0.5), run_of("<other>", 0, 0.25)};
  report.results[0].data = "<data>";
  report.results[0].command = "<command> && rm \"x\"";
  report.results[0].test.combined.per_level = {0.5};
  report.results[0].learning_curve = {{1, 1, 0.5}};
  report.results[0].precision_recall = {{0.5, 1}};
  const std::string html = html_report(report);
  for (const std::string name : {"row", "other", "model", "note", "data", "command"}) {
    EXPECT_THAT(html, HasSubstr("&lt;" + name + "&gt;"));
    EXPECT_THAT(html, Not(HasSubstr("<" + name + ">")));
  }
  EXPECT_THAT(html, HasSubstr("<title>&lt;title&gt;</title>"));
  EXPECT_THAT(html, HasSubstr("<h1>&lt;title&gt;</h1>"));
  EXPECT_THAT(html, HasSubstr("&amp;&amp; rm &quot;x&quot;"));
}

}  // namespace
}  // namespace hmtc
