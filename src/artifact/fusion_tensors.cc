#include "artifact/fusion_tensors.h"

namespace hmtc {
namespace {

constexpr const char* kWeight = "fusion.weight";
constexpr const char* kShift = "fusion.shift";

}  // namespace

void store_fusion(const Fusion& fusion, TensorFile& file) {
  const auto labels = static_cast<std::int64_t>(fusion.num_labels());
  const auto classifiers = static_cast<std::int64_t>(fusion.num_classifiers());
  file.tensors[kWeight] = float_tensor({labels, classifiers}, fusion.weights.data());
  file.tensors[kShift] = float_tensor({labels}, fusion.shifts.data());
}

Fusion load_fusion(const TensorFile& file, std::size_t num_labels, std::size_t num_classifiers,
                   const std::string& file_name) {
  const auto labels = static_cast<std::int64_t>(num_labels);
  const auto classifiers = static_cast<std::int64_t>(num_classifiers);
  return {float_values(require_tensor(file, kWeight, {labels, classifiers}, file_name)),
          float_values(require_tensor(file, kShift, {labels}, file_name))};
}

}  // namespace hmtc
