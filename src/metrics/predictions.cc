#include "metrics/predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.h"

namespace hmtc {
namespace {

void require(bool holds, const std::string& problem) {
  if (!holds) throw Error(ErrorKind::kInternal, "metrics: " + problem);
}

void check_sets(const LabelSets& sets, const char* what) {
  if (sets.offsets.empty()) {
    require(sets.labels.empty(), fmt::format("{} have labels but no offsets", what));
    return;
  }
  require(sets.offsets.front() == 0 && sets.offsets.back() == sets.labels.size() &&
              std::is_sorted(sets.offsets.begin(), sets.offsets.end()),
          fmt::format("the offsets of the {} do not rise from 0 to {}", what, sets.labels.size()));
}

/// Ids strictly rising in [0, bound).
bool is_set_below(std::span<const std::int32_t> labels, std::size_t bound) {
  std::int64_t previous = -1;
  for (const std::int32_t label : labels) {
    if (label <= previous) return false;
    previous = label;
  }
  return previous < static_cast<std::int64_t>(bound);
}

}  // namespace

void check_predictions(const ScoreMatrix& scores, const LabelSets& truth) {
  require(scores.scores.size() == scores.num_documents * scores.num_labels,
          fmt::format("{} scores for {} documents and {} labels", scores.scores.size(),
                      scores.num_documents, scores.num_labels));
  require(truth.size() == scores.num_documents,
          fmt::format("{} label sets for {} documents", truth.size(), scores.num_documents));
  check_sets(truth, "label sets");
  for (std::size_t document = 0; document < truth.size(); ++document) {
    require(is_set_below(truth.of(document), scores.num_labels),
            fmt::format("the label set of document {} is not sorted below {}", document,
                        scores.num_labels));
  }
  const auto bad = std::find_if(scores.scores.begin(), scores.scores.end(),
                                [](float score) { return !std::isfinite(score); });
  if (bad == scores.scores.end()) return;
  const auto place = static_cast<std::size_t>(bad - scores.scores.begin());
  require(false, fmt::format("the score of document {}, label {} is {}", place / scores.num_labels,
                             place % scores.num_labels, *bad));
}

void check_parents(const LabelSets& parents, std::size_t num_labels) {
  require(parents.size() == num_labels,
          fmt::format("{} parent sets for {} labels", parents.size(), num_labels));
  check_sets(parents, "parent sets");
  for (std::size_t label = 0; label < num_labels; ++label) {
    require(is_set_below(parents.of(label), label),
            fmt::format("the parents of label {} are not sorted below it", label));
  }
}

void check_levels(std::span<const std::int32_t> level_begin, std::size_t num_labels) {
  require(!level_begin.empty() && level_begin.front() == 0 &&
              static_cast<std::size_t>(level_begin.back()) == num_labels &&
              std::is_sorted(level_begin.begin(), level_begin.end()),
          fmt::format("the levels do not cut 0 to {} labels", num_labels));
}

}  // namespace hmtc
