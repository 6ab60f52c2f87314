#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <vector>

#include "model/label_graph.h"

namespace hmtc {

/// Label vectors (L, d), one tensor per level from the top.
using LabelVectors = std::vector<torch::Tensor>;

/// Label sharing: V^h = U^h + the mean of the parents' rows of V, so that what a label learns its
/// descendants have too, and a label's association with the components starts from its parent's.
LabelVectors shared_labels(const LabelVectors& own, const LabelGraph& graph);

/// The U for which shared_labels() gives V.
LabelVectors own_labels(const LabelVectors& shared, const LabelGraph& graph);

/// Start values of V for label sharing out of independent ones: half of the variance is the
/// parents', half the label's own, so that siblings correlate by about a half and every level has
/// the variance that it was drawn with.
LabelVectors related_labels(const LabelVectors& drawn, const LabelGraph& graph);

/// Start values out of others for labels that have a name: half of the variance is that of the mean
/// word vector of the name, without what all names have in common, through a random projection that
/// is always the same. `names`: for each label the ids of its name's words, none for a label
/// without one; `embedding` (V, e).
LabelVectors named_labels(const LabelVectors& drawn, const torch::Tensor& embedding,
                          const std::vector<std::vector<std::int32_t>>& names);

}  // namespace hmtc
