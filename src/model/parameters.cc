#include "model/parameters.h"

#include <cstring>

namespace hmtc {

StoredTensor to_stored(const torch::Tensor& tensor) {
  const torch::Tensor values = tensor.detach().to(torch::kCPU, torch::kFloat32).contiguous();
  return float_tensor(values.sizes().vec(), values.data_ptr<float>());
}

torch::Tensor to_torch(const StoredTensor& tensor) {
  torch::Tensor values = torch::empty(tensor.shape, torch::kFloat32);
  if (!tensor.bytes.empty()) {
    std::memcpy(values.data_ptr<float>(), tensor.bytes.data(), tensor.bytes.size());
  }
  return values;
}

void store_parameters(const torch::nn::Module& model, TensorFile& file, const std::string& prefix) {
  for (const auto& parameter : model.named_parameters()) {
    file.tensors[prefix + parameter.key()] = to_stored(parameter.value());
  }
}

void load_parameters(torch::nn::Module& model, const TensorFile& file, const std::string& file_name,
                     const std::string& prefix) {
  const torch::NoGradGuard no_grad;
  for (auto& parameter : model.named_parameters()) {
    const std::vector<std::int64_t> shape = parameter.value().sizes().vec();
    const StoredTensor& stored = require_tensor(file, prefix + parameter.key(), shape, file_name);
    if (stored.bytes.empty()) continue;
    std::memcpy(parameter.value().data_ptr<float>(), stored.bytes.data(), stored.bytes.size());
  }
}

}  // namespace hmtc
