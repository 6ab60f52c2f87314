#pragma once

#include <string>

#include "artifact/safetensors.h"
#include "config/options.h"
#include "linear/one_vs_rest.h"
#include "linear/tf_idf.h"

namespace hmtc {

TfIdfOptions tf_idf_options(const LinearOptions& options);

/// A linear model as tensors: linear.idf (V + P), linear.weight (V + P, M), linear.bias (M), and
/// with linear.word_pairs above 0 linear.pairs (P, 2).
void store_linear(const LinearModel& model, const TfIdf& tf_idf, TensorFile& file);

struct LoadedLinear {
  LinearModel model;
  TfIdf tf_idf;
};

/// Throws kModel when a tensor is missing or has another shape, or when the pairs are not different
/// pairs of words of the vocabulary.
LoadedLinear load_linear(const TensorFile& file, const LinearOptions& options,
                         std::size_t vocabulary_size, std::size_t num_labels,
                         const std::string& file_name);

}  // namespace hmtc
