#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hmtc {

/// A label's number: its place in everything that has one entry per label. Numbers go level by
/// level, so that a child's is greater than those of its parents.
using LabelId = std::int32_t;

/// A label of a model.
struct Label {
  std::string name;              ///< as the data have it
  std::string description;       ///< readable; empty where the hierarchy has none
  std::size_t level = 1;         ///< counted from 1: the longest path from the top
  std::vector<LabelId> parents;  ///< none: a top label
  float threshold = 0.5F;        ///< that was tuned for this label alone
};

/// A label that was predicted.
struct LabelScore {
  std::string label;
  double score = 0;  ///< a probability
};

}  // namespace hmtc
