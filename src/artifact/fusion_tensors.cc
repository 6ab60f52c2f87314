#include "artifact/fusion_tensors.h"

namespace hmtc {
namespace {

constexpr const char* kWeight = "fusion.weight";
constexpr const char* kShift = "fusion.shift";

}  // namespace

void store_fusion(const Fusion& fusion, TensorFile& file) {
  const auto levels = static_cast<std::int64_t>(fusion.num_levels());
  const auto classifiers = static_cast<std::int64_t>(fusion.num_classifiers());
  file.tensors[kWeight] = float_tensor({levels, classifiers}, fusion.weights.data());
  file.tensors[kShift] = float_tensor({levels}, fusion.shifts.data());
}

Fusion load_fusion(const TensorFile& file, std::size_t num_levels, std::size_t num_classifiers,
                   const std::string& file_name) {
  const auto levels = static_cast<std::int64_t>(num_levels);
  const auto classifiers = static_cast<std::int64_t>(num_classifiers);
  return {float_values(require_tensor(file, kWeight, {levels, classifiers}, file_name)),
          float_values(require_tensor(file, kShift, {levels}, file_name))};
}

}  // namespace hmtc
