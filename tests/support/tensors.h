#pragma once

#include <torch/torch.h>

#include <string>

#include "artifact/safetensors.h"

namespace hmtc {

/// How far a number may be from the expected one: absolute + relative * |expected|.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

/// Expects the same shape and every element within the tolerance; names the worst one.
void expect_close(const torch::Tensor& actual, const torch::Tensor& expected,
                  const Tolerance& tolerance, const std::string& name);

/// Expects two instruction sets to agree: every element within 1e-5, or that share of the largest.
void expect_same_on_instruction_sets(const torch::Tensor& actual, const torch::Tensor& expected,
                                     const std::string& name);

/// A copy of a stored tensor in its own element type.
torch::Tensor read_tensor(const TensorFile& file, const std::string& name);

}  // namespace hmtc
