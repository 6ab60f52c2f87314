#include "artifact/thresholds.h"

namespace hmtc {
namespace {

constexpr const char* kCommon = "thresholds.common";
constexpr const char* kPerLabel = "thresholds.per_label";

}  // namespace

void store_thresholds(const TunedThresholds& thresholds, TensorFile& file) {
  const auto num_labels = static_cast<std::int64_t>(thresholds.per_label.size());
  file.tensors[kCommon] = float_tensor({1}, &thresholds.common);
  file.tensors[kPerLabel] = float_tensor({num_labels}, thresholds.per_label.data());
}

TunedThresholds load_thresholds(const TensorFile& file, std::size_t num_labels,
                                const std::string& file_name) {
  const auto count = static_cast<std::int64_t>(num_labels);
  return {float_values(require_tensor(file, kCommon, {1}, file_name))[0],
          float_values(require_tensor(file, kPerLabel, {count}, file_name))};
}

}  // namespace hmtc
