#include "train/adam.h"

#include <cmath>

#include "model/parameters.h"

namespace hmtc {
namespace {

constexpr const char* kFirstMoment = "adam.first_moment/";
constexpr const char* kSecondMoment = "adam.second_moment/";

std::span<float> elements(const torch::Tensor& tensor) {
  return {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

/// A gradient without repeated rows: as it is when dense.
torch::Tensor merged(const torch::Tensor& gradient) {
  return gradient.is_sparse() ? gradient.coalesce() : gradient.contiguous();
}

double norm_of(const std::vector<torch::Tensor>& gradients) {
  double sum = 0;
  for (const torch::Tensor& gradient : gradients) {
    if (!gradient.defined()) continue;
    const torch::Tensor values = gradient.is_sparse() ? gradient.values() : gradient;
    sum += values.square().sum(torch::kFloat64).item<double>();
  }
  return std::sqrt(sum);
}

}  // namespace

Adam::Adam(const torch::nn::Module& model) {
  for (const auto& parameter : model.named_parameters()) {
    if (!parameter.value().requires_grad()) continue;
    const torch::Tensor zeros = torch::zeros_like(parameter.value().detach());
    slots_.push_back({parameter.key(), parameter.value(), zeros, zeros.clone()});
  }
}

double Adam::step(double learning_rate, double clip_norm) {
  std::vector<torch::Tensor> gradients;
  for (Slot& slot : slots_) {
    gradients.push_back(slot.parameter.grad().defined() ? merged(slot.parameter.grad())
                                                        : torch::Tensor());
    slot.parameter.mutable_grad().reset();
  }
  const double norm = norm_of(gradients);
  if (!std::isfinite(norm)) return norm;

  const AdamStep step{.learning_rate = learning_rate, .number = ++num_steps_};
  const auto scale = static_cast<float>(std::min(1.0, clip_norm / (norm + 1e-6)));
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (!gradients[i].defined()) continue;
    const auto values = elements(slots_[i].parameter);
    const auto first = elements(slots_[i].first_moment);
    const auto second = elements(slots_[i].second_moment);
    if (!gradients[i].is_sparse()) {
      adam_update(step, scale, elements(gradients[i]), values, first, second);
      continue;
    }
    const torch::Tensor rows = gradients[i].indices()[0].contiguous();
    const torch::Tensor row_gradients = gradients[i].values().contiguous();
    const auto width = static_cast<std::size_t>(row_gradients.size(1));
    for (std::int64_t row = 0; row < rows.numel(); ++row) {
      const auto place = static_cast<std::size_t>(rows.data_ptr<std::int64_t>()[row]) * width;
      adam_update(step, scale,
                  elements(row_gradients).subspan(static_cast<std::size_t>(row) * width, width),
                  values.subspan(place, width), first.subspan(place, width),
                  second.subspan(place, width));
    }
  }
  return norm;
}

void Adam::store(TensorFile& file) const {
  for (const Slot& slot : slots_) {
    file.tensors[kFirstMoment + slot.name] = to_stored(slot.first_moment);
    file.tensors[kSecondMoment + slot.name] = to_stored(slot.second_moment);
  }
}

void Adam::load(const TensorFile& file, const std::string& file_name, std::int64_t num_steps) {
  for (Slot& slot : slots_) {
    const auto shape = slot.parameter.sizes().vec();
    slot.first_moment = to_torch(require_tensor(file, kFirstMoment + slot.name, shape, file_name));
    slot.second_moment =
        to_torch(require_tensor(file, kSecondMoment + slot.name, shape, file_name));
  }
  num_steps_ = num_steps;
}

}  // namespace hmtc
