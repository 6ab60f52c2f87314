#pragma once

#include <string>

#include "artifact/safetensors.h"
#include "model/model.h"

namespace hmtc {

/// A torch tensor of floats as it is stored, and back.
StoredTensor to_stored(const torch::Tensor& tensor);
torch::Tensor to_torch(const StoredTensor& tensor);

/// All that is stored of a model: what is trained, and statistics that training leaves behind.
torch::OrderedDict<std::string, torch::Tensor> tensors_of(const torch::nn::Module& model);

/// Adds all parameters and buffers of a model to a file, under their names behind `prefix`.
void store_parameters(const torch::nn::Module& model, TensorFile& file,
                      const std::string& prefix = "");

/// Copies all parameters and buffers from a file. Throws kModel when one is missing or has another
/// shape.
void load_parameters(torch::nn::Module& model, const TensorFile& file, const std::string& file_name,
                     const std::string& prefix = "");

}  // namespace hmtc
