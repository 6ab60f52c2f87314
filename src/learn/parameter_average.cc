#include "learn/parameter_average.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"
#include "kernels/sums.h"
#include "model/parameters.h"

namespace hmtc {
namespace {

constexpr const char* kAverage = "average/";
constexpr const char* kWords = "average.words/";

constexpr double kLeastProduct = 1e-6;

/// The rows that a sparse gradient has, each once.
torch::Tensor rows_of(const torch::Tensor& gradient) {
  std::vector<std::int64_t> rows;
  if (gradient.defined()) {
    const torch::Tensor indices = gradient._indices()[0].contiguous();
    const auto* const begin = indices.data_ptr<std::int64_t>();
    rows.assign(begin, begin + indices.numel());
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  }
  return torch::tensor(rows, torch::kInt64);
}

}  // namespace

ParameterAverage::ParameterAverage(Model& model, double decay, int threads)
    : decay_(decay), threads_(threads) {
  if (!is_on()) return;
  for (const auto& tensor : tensors_of(model)) {
    const torch::Tensor values = tensor.value().detach();
    if (tensor.value().is_same(model.encoder()->embedding())) {
      words_ = {tensor.key(), tensor.value(), values, torch::zeros_like(values)};
      continue;
    }
    cut_into_pieces(slots_.size(), static_cast<std::size_t>(values.numel()), 1, pieces_);
    slots_.push_back({tensor.key(), tensor.value(), values, values.clone()});
  }
}

void ParameterAverage::begin() {
  for (Slot& slot : slots_) slot.average.copy_(slot.values);
}

void ParameterAverage::before_step() {
  if (!is_on()) return;
  moving_ = rows_of(words_.owner.grad());
  before_ = words_.values.index_select(0, moving_);
}

void ParameterAverage::after_step() {
  if (!is_on()) return;
  // With value' for the value after the step: E' = (d average + (1 - d) value' - value') / (d D)
  //                                              = E - (value' - value) / D.
  words_.average.index_add_(0, moving_, before_ - words_.values.index_select(0, moving_),
                            1 / product_);
  const double d = next_decay();
  const double factor = advance_product(d);
  if (factor < 1) words_.average.mul_(factor);
  parallel_for(pieces_.size(), threads_, [&](std::size_t i) {
    const auto& [slot, begin, count] = pieces_[i];
    move_towards({slots_[slot].values.data_ptr<float>() + begin, count}, static_cast<float>(1 - d),
                 slots_[slot].average.data_ptr<float>() + begin);
  });
}

double ParameterAverage::next_decay() {
  const auto n = static_cast<double>(++num_steps_);
  return std::min(decay_, (1 + n) / (10 + n));
}

double ParameterAverage::advance_product(double d) {
  product_ *= d;
  return product_ < kLeastProduct ? std::exchange(product_, 1.0) : 1;
}

ParameterAverage::InModel::InModel(ParameterAverage& average) : average_(average) {
  if (!average_.is_on()) return;
  for (Slot& slot : average_.slots_) slot.owner.set_data(slot.average);
  Slot& words = average_.words_;
  words.owner.set_data(torch::add(words.values, words.average, average_.product_));
}

ParameterAverage::InModel::~InModel() {
  if (!average_.is_on()) return;
  for (Slot& slot : average_.slots_) slot.owner.set_data(slot.values);
  average_.words_.owner.set_data(average_.words_.values);
}

void ParameterAverage::store(TensorFile& file) const {
  if (!is_on()) return;
  for (const Slot& slot : slots_) file.tensors[kAverage + slot.name] = to_stored(slot.average);
  file.tensors[kWords + words_.name] = to_stored(words_.average);
}

void ParameterAverage::load(const TensorFile& file, const std::string& file_name,
                            std::int64_t num_steps) {
  if (!is_on()) return;
  const auto stored = [&](const Slot& slot, const char* prefix) {
    return to_torch(require_tensor(file, prefix + slot.name, slot.values.sizes().vec(), file_name));
  };
  for (Slot& slot : slots_) slot.average = stored(slot, kAverage);
  words_.average = stored(words_, kWords);
  num_steps_ = 0;
  product_ = 1;
  while (num_steps_ < num_steps) advance_product(next_decay());
}

}  // namespace hmtc
