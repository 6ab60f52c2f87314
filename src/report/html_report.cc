#include "report/html_report.h"

#include <fmt/format.h>

#include "report/escape.h"
#include "report/report_plots.h"
#include "report/report_table.h"
#include "report/svg_plot.h"

namespace hmtc {
namespace {

// The colours of the series are those of Okabe and Ito without black and yellow, lighter in the
// dark where they need it.
constexpr const char* kPageCss = R"(:root {
  color-scheme: light dark;
  --page: #ffffff; --text: #1b1f24; --quiet: #59636e; --faint: #e1e5ea; --panel: #f6f8fa;
  --series-0: #0072b2; --series-1: #d55e00; --series-2: #009e73;
  --series-3: #c0579a; --series-4: #45a6e0; --series-5: #d99100;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171c; --text: #e3e6ea; --quiet: #9aa4af; --faint: #2d333b; --panel: #1d2229;
    --series-0: #3d8fd6; --series-1: #f0763a; --series-2: #1fb98d;
    --series-3: #e08cc0; --series-4: #9ad8ff; --series-5: #f2b63c;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1400px; padding: 16px 20px 48px; background: var(--page);
  color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 26px; line-height: 1.25; margin: 12px 0; }
h2 { font-size: 19px; margin: 32px 0 8px; }
h3 { font-size: 15px; margin: 0; }
p { margin: 4px 0; max-width: 90ch; }
.quiet { color: var(--quiet); font-size: 14px; }
.scroll { overflow-x: auto; margin: 10px 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px; }
th, td { padding: 5px 8px; text-align: right; white-space: nowrap;
  border-bottom: 1px solid var(--faint); }
th { color: var(--quiet); font-weight: 600; white-space: normal; vertical-align: bottom; }
th:first-child, td:first-child { text-align: left; position: sticky; left: 0;
  background: var(--page); }
.plots { display: grid; gap: 20px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 560px), 1fr)); }
figure { margin: 0; padding: 12px; border: 1px solid var(--faint); border-radius: 8px;
  min-width: 0; }
@media (max-width: 600px) {
  body { padding: 12px 12px 32px; }
  figure { padding: 8px; }
  td:first-child { white-space: normal; min-width: 110px; max-width: 130px; }
}
pre { background: var(--panel); border-radius: 6px; padding: 10px 12px; white-space: pre-wrap;
  overflow-wrap: anywhere; margin: 6px 0 14px; font-size: 13px; }
pre.table { white-space: pre; overflow-x: auto; }
)";

std::string table_html(const TextTable& table) {
  std::string html = "<div class=\"scroll\"><table>\n<thead><tr>";
  for (const std::string& column : table.columns) {
    html += fmt::format("<th scope=\"col\">{}</th>", html_escaped(column));
  }
  html += "</tr></thead>\n<tbody>\n";
  for (const std::vector<TableCell>& row : table.rows) {
    html += "<tr>";
    for (const TableCell& cell : row) {
      const std::string text = html_escaped(cell.text);
      html += cell.is_best ? fmt::format("<td><strong>{}</strong></td>", text)
                           : fmt::format("<td>{}</td>", text);
    }
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table></div>\n";
}

std::string paragraph(const std::string& text) {
  return fmt::format("<p class=\"quiet\">{}</p>\n", html_escaped(text));
}

std::string notes(const ExperimentReport& report) {
  std::string html;
  for (const ReportRow& row : report.rows) {
    if (!row.note.empty()) html += paragraph(row.name + ": " + row.note);
  }
  return html;
}

std::string comparisons(const ExperimentReport& report) {
  const TextTable table = comparison_table(report);
  if (table.rows.empty()) return "";
  return fmt::format("<h2>{} beside the other rows</h2>\n", html_escaped(report.reference)) +
         paragraph(comparison_sentence(report)) + table_html(table);
}

/// Nothing where the table has no column beside the names.
std::string section(const std::string& title, const std::string& sentence, const TextTable& table) {
  if (table.columns.size() < 2) return "";
  return fmt::format("<h2>{}</h2>\n", title) + paragraph(sentence) + table_html(table);
}

std::string plots(const ExperimentReport& report) {
  std::string figures;
  for (const ReportPlot& plot : report_plots(report)) {
    figures += fmt::format(
        "<figure><figcaption><h3>{}</h3>{}</figcaption>\n<div class=\"scroll\">{}</div></figure>\n",
        html_escaped(plot.title), paragraph(plot.explanation), plot.svg);
  }
  if (figures.empty()) return "";
  return "<h2>Plots</h2>\n<div class=\"plots\">\n" + figures + "</div>\n";
}

std::string commands(const ExperimentReport& report) {
  std::string html;
  for (const ReportRow& row : report.rows) {
    const Runs runs = runs_of(report, row);
    if (runs.empty()) continue;
    html += fmt::format("<h3>{} ({}), seed {}</h3>\n<pre>{}</pre>\n", html_escaped(row.name),
                        html_escaped(row.model), runs.front()->seed,
                        html_escaped(runs.front()->command));
  }
  return html.empty() ? html : "<h2>Commands</h2>\n" + html;
}

std::string page(const std::string& title, const std::string& body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0}</title>\n<style>\n{1}{2}</style>\n</head>\n<body>\n<h1>{0}</h1>\n{3}"
      "</body>\n</html>\n",
      html_escaped(title), kPageCss, plot_css(), body);
}

}  // namespace

std::string html_report(const ExperimentReport& report) {
  std::string body;
  for (const std::string& sentence : data_sentences(report)) {
    body += fmt::format("<p>{}</p>\n", html_escaped(sentence));
  }
  body += fmt::format("<p>{}</p>\n", html_escaped(runs_sentence(report)));
  body += table_html(results_table(report)) + paragraph(kTableSentence) + notes(report);
  body += comparisons(report) + plots(report) +
          section("Scores", kScoresSentence, scores_table(report)) +
          section("Costs", kCostsSentence, costs_table(report)) + commands(report);
  return page(report.title, body);
}

std::string html_evaluation(const ExperimentReport& report, const std::string& table) {
  return page(report.title,
              plots(report) + fmt::format("<h2>Numbers</h2>\n<pre class=\"table\">{}</pre>\n",
                                          html_escaped(table)));
}

}  // namespace hmtc
