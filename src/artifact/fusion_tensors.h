#pragma once

#include <string>

#include "artifact/safetensors.h"
#include "fusion/fusion.h"

namespace hmtc {

/// A fusion as tensors: fusion.weight (M, K) and fusion.shift (M), for M labels and K classifiers.
void store_fusion(const Fusion& fusion, TensorFile& file);

/// Throws kModel when a tensor is missing or has another shape.
Fusion load_fusion(const TensorFile& file, std::size_t num_labels, std::size_t num_classifiers,
                   const std::string& file_name);

}  // namespace hmtc
