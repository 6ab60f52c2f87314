#include "artifact/linear_tensors.h"

namespace hmtc {
namespace {

constexpr const char* kIdf = "linear.idf";
constexpr const char* kWeight = "linear.weight";
constexpr const char* kBias = "linear.bias";

}  // namespace

TfIdfOptions tf_idf_options(const LinearOptions& options) {
  return {options.term_frequency == TermFrequencyRule::kBinary
              ? TfIdfOptions::TermFrequency::kBinary
              : TfIdfOptions::TermFrequency::kSublinear};
}

void store_linear(const LinearModel& model, const TfIdf& tf_idf, TensorFile& file) {
  const auto words = static_cast<std::int64_t>(tf_idf.idf().size());
  const auto labels = static_cast<std::int64_t>(model.num_labels());
  file.tensors[kIdf] = float_tensor({words}, tf_idf.idf().data());
  file.tensors[kWeight] = float_tensor({words, labels}, model.weights.data());
  file.tensors[kBias] = float_tensor({labels}, model.bias.data());
  file.metadata["strength"] = std::to_string(model.strength);
}

LoadedLinear load_linear(const TensorFile& file, const LinearOptions& options,
                         std::size_t vocabulary_size, std::size_t num_labels,
                         const std::string& file_name) {
  const auto words = static_cast<std::int64_t>(vocabulary_size);
  const auto labels = static_cast<std::int64_t>(num_labels);
  return {
      {float_values(require_tensor(file, kWeight, {words, labels}, file_name)),
       float_values(require_tensor(file, kBias, {labels}, file_name))},
      TfIdf(float_values(require_tensor(file, kIdf, {words}, file_name)), tf_idf_options(options))};
}

}  // namespace hmtc
