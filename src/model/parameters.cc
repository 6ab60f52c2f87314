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

torch::OrderedDict<std::string, torch::Tensor> tensors_of(const torch::nn::Module& model) {
  auto tensors = model.named_parameters();
  tensors.update(model.named_buffers());
  return tensors;
}

void store_parameters(const torch::nn::Module& model, TensorFile& file, const std::string& prefix) {
  for (const auto& tensor : tensors_of(model)) {
    file.tensors[prefix + tensor.key()] = to_stored(tensor.value());
  }
}

void load_parameters(torch::nn::Module& model, const TensorFile& file, const std::string& file_name,
                     const std::string& prefix) {
  const torch::NoGradGuard no_grad;
  for (auto& tensor : tensors_of(model)) {
    const std::vector<std::int64_t> shape = tensor.value().sizes().vec();
    const StoredTensor& stored = require_tensor(file, prefix + tensor.key(), shape, file_name);
    if (stored.bytes.empty()) continue;
    std::memcpy(tensor.value().data_ptr<float>(), stored.bytes.data(), stored.bytes.size());
  }
}

}  // namespace hmtc
