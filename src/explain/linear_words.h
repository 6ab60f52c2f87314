#pragma once

#include <span>
#include <vector>

#include "artifact/linear_tensors.h"
#include "hierarchy/hierarchy.h"

namespace hmtc {

/// What each word of a document adds to the label's logit in a linear model. A word that occurs
/// several times shares its part among the places, and a pair its own between the two words.
std::vector<std::vector<float>> linear_words(const LoadedLinear& linear,
                                             std::span<const std::int32_t> words,
                                             std::span<const LabelId> labels);

}  // namespace hmtc
