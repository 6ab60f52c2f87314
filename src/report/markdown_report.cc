#include "report/markdown_report.h"

#include <fmt/format.h>

#include "report/escape.h"
#include "report/report_table.h"

namespace hmtc {
namespace {

std::string table_text(const TextTable& table) {
  std::string lines = "|";
  std::string rule = "|";
  for (const std::string& column : table.columns) {
    lines += fmt::format(" {} |", markdown_escaped(column));
    rule += rule == "|" ? " --- |" : " ---: |";
  }
  lines += "\n" + rule + "\n";
  for (const std::vector<TableCell>& row : table.rows) {
    lines += "|";
    for (const TableCell& cell : row) {
      const std::string text = markdown_escaped(cell.text);
      lines += cell.is_best ? fmt::format(" **{}** |", text) : fmt::format(" {} |", text);
    }
    lines += "\n";
  }
  return lines;
}

std::string notes(const ExperimentReport& report) {
  std::string lines;
  for (const ReportRow& row : report.rows) {
    if (row.note.empty()) continue;
    lines += fmt::format("- {}: {}\n", markdown_escaped(row.name), markdown_escaped(row.note));
  }
  return lines.empty() ? lines : "\n" + lines;
}

/// Nothing where the table has no column beside the names.
std::string section(const std::string& title, const std::string& sentence, const TextTable& table) {
  if (table.columns.size() < 2) return "";
  return fmt::format("\n## {}\n{}\n\n{}", title, markdown_escaped(sentence), table_text(table));
}

std::string comparisons(const ExperimentReport& report) {
  const TextTable table = comparison_table(report);
  if (table.rows.empty()) return "";
  return fmt::format("\n## {} beside the other rows\n{}\n\n{}", markdown_escaped(report.reference),
                     markdown_escaped(comparison_sentence(report)), table_text(table));
}

std::string commands(const ExperimentReport& report) {
  std::string blocks;
  for (const ReportRow& row : report.rows) {
    const Runs runs = runs_of(report, row);
    if (runs.empty()) continue;
    blocks += fmt::format("\n{} ({}), seed {}:\n\n{}", markdown_escaped(row.name),
                          markdown_escaped(row.model), runs.front()->seed,
                          markdown_code(runs.front()->command));
  }
  return blocks.empty() ? blocks : "\n## Commands\n" + blocks;
}

}  // namespace

std::string markdown_report(const ExperimentReport& report) {
  std::string text = fmt::format("# {}\n", markdown_escaped(report.title));
  for (const std::string& sentence : data_sentences(report)) {
    text += markdown_escaped(sentence) + "\n";
  }
  text += fmt::format("{}\n\n{}\n{}\n", runs_sentence(report), table_text(results_table(report)),
                      markdown_escaped(kTableSentence));
  return text + notes(report) + comparisons(report) +
         section("Scores", kScoresSentence, scores_table(report)) +
         section("Costs", kCostsSentence, costs_table(report)) + commands(report);
}

}  // namespace hmtc
