#pragma once

#include <string>

#include "artifact/safetensors.h"
#include "fusion/fusion.h"

namespace hmtc {

/// A fusion as tensors: fusion.weight (H, K) and fusion.shift (H), for H levels and K classifiers.
void store_fusion(const Fusion& fusion, TensorFile& file);

/// Throws kModel when a tensor is missing or has another shape.
Fusion load_fusion(const TensorFile& file, std::size_t num_levels, std::size_t num_classifiers,
                   const std::string& file_name);

}  // namespace hmtc
