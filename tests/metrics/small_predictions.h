#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "metrics/predictions.h"

namespace hmtc {

/// Owns label sets that a test writes row by row.
class OwnedLabelSets {
 public:
  explicit OwnedLabelSets(const std::vector<std::vector<std::int32_t>>& rows) {
    for (const auto& row : rows) {
      labels_.insert(labels_.end(), row.begin(), row.end());
      offsets_.push_back(labels_.size());
    }
  }
  LabelSets view() const { return {offsets_, labels_}; }

 private:
  std::vector<std::size_t> offsets_ = {0};
  std::vector<std::int32_t> labels_;
};

/// Owns scores and truth that a test writes document by document.
class SmallPredictions {
 public:
  SmallPredictions(const std::vector<std::vector<float>>& scores,
                   const std::vector<std::vector<std::int32_t>>& truth)
      : num_documents_(scores.size()),
        num_labels_(scores.empty() ? 0 : scores.front().size()),
        truth_(truth) {
    for (const auto& row : scores) scores_.insert(scores_.end(), row.begin(), row.end());
  }
  ScoreMatrix scores() const { return {scores_, num_documents_, num_labels_}; }
  LabelSets truth() const { return truth_.view(); }

 private:
  std::vector<float> scores_;
  std::size_t num_documents_;
  std::size_t num_labels_;
  OwnedLabelSets truth_;
};

}  // namespace hmtc
