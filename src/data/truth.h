#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/corpus.h"
#include "data/score_set.h"
#include "hierarchy/hierarchy.h"
#include "metrics/predictions.h"

namespace hmtc {

/// A hierarchy in the plain arrays that metrics read.
struct HierarchyArrays {
  explicit HierarchyArrays(const Hierarchy& hierarchy);

  LabelSets parents() const { return {parent_offsets, parent_ids}; }

  std::vector<std::int32_t> level_begin;
  std::vector<std::size_t> parent_offsets;
  std::vector<std::int32_t> parent_ids;
};

/// The label sets of a corpus as metrics read them; valid as long as the corpus.
inline LabelSets truth_of(const Corpus& corpus) { return {corpus.label_offsets, corpus.labels}; }

/// One array of a score set as metrics read it.
inline ScoreMatrix matrix_of(std::span<const float> scores, const ScoreSet& set) {
  return {scores, set.num_documents, set.num_labels};
}

/// Applies the max constraint to every document, so that no child scores above its parent.
void make_coherent(const Hierarchy& hierarchy, std::span<float> scores);

}  // namespace hmtc
