#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace hmtc {

/// A cell's text is plain: whoever writes it into a format escapes it.
struct TableCell {
  std::string text;
  bool is_best = false;  ///< the best mean of its column, or one that looks the same
};

struct TextTable {
  std::vector<std::string> columns;
  std::vector<std::vector<TableCell>> rows;  ///< each with a cell for every column
};

/// How good it is: one row per row of the report, whether or not it has runs. What is undefined
/// is "–".
TextTable results_table(const ExperimentReport& report);

/// What the max constraint does to the scores, and what they are worth as decisions and as
/// probabilities; without columns beside the names when no run says so.
TextTable scores_table(const ExperimentReport& report);

/// What it took; without columns beside the names when no run says so.
TextTable costs_table(const ExperimentReport& report);

/// The reference beside every other row; without rows when there is nothing to compare.
TextTable comparison_table(const ExperimentReport& report);

/// What stands above and below the tables, in plain text.
std::string runs_sentence(const ExperimentReport& report);
std::string comparison_sentence(const ExperimentReport& report);
std::vector<std::string> data_sentences(const ExperimentReport& report);  ///< each once
inline constexpr const char* kTableSentence =
    "AU(PRC) is the average precision of all document-label pairs: mean ± sample standard "
    "deviation over the seeds; other columns are means over the seeds. The best mean of a column "
    "of AU(PRC), of rows with every seed, is in bold. What is undefined is –.";
inline constexpr const char* kScoresSentence =
    "On test, means over the seeds. Local and global are a network's classifiers each by itself. "
    "Raw is before the max constraint, which keeps children from scoring above their parents; "
    "violations are edges of the hierarchy. ECE is the expected calibration error over 15 bins; "
    "above 1/15 that of the pairs with such a score, since nearly all others are labels that "
    "nobody would think of.";
inline constexpr const char* kCostsSentence =
    "Means over the seeds of whole runs, validation included; documents/s are those of training. "
    "Runs share the machine with each other; peak memory is that of the whole process, which reads "
    "word vectors before it trains.";

}  // namespace hmtc
