#pragma once

#include <vector>

#include "hierarchy/hierarchy.h"
#include "network/matrix.h"
#include "network/weights.h"

namespace hmtc {

/// The label embeddings v_l of each level, (L, d): the tensors `level_h.labels` themselves or, with
/// `sharing`, each with the mean of its parents' embeddings added (docs/models.md).
std::vector<Matrix> label_embeddings(const Hierarchy& hierarchy, std::size_t width, bool sharing,
                                     const Weights& weights);

}  // namespace hmtc
