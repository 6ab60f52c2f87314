#include "support/tensors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace hmtc {

void expect_close(const torch::Tensor& actual, const torch::Tensor& expected,
                  const Tolerance& tolerance, const std::string& name) {
  ASSERT_TRUE(actual.defined()) << name;
  ASSERT_EQ(actual.sizes(), expected.sizes()) << name;
  if (actual.numel() == 0) return;
  const torch::Tensor found = actual.detach().to(torch::kFloat64).flatten();
  const torch::Tensor wanted = expected.detach().to(torch::kFloat64).flatten();
  const torch::Tensor excess =
      (found - wanted).abs() - tolerance.relative * wanted.abs() - tolerance.absolute;
  // A NaN compares false with everything, so it must count as wrong by itself.
  const torch::Tensor wrong = torch::logical_not(excess <= 0);
  const auto worst = excess.nan_to_num(std::numeric_limits<double>::max()).argmax();
  EXPECT_FALSE(wrong.any().item<bool>())
      << name << ": " << wrong.sum().item<std::int64_t>() << " elements differ; number "
      << worst.item<std::int64_t>() << " is " << found[worst].item<double>() << ", expected "
      << wanted[worst].item<double>();
}

void expect_same_on_instruction_sets(const torch::Tensor& actual, const torch::Tensor& expected,
                                     const std::string& name) {
  const double largest = expected.numel() == 0 ? 0 : expected.abs().max().item<double>();
  expect_close(actual, expected, {0, 1e-5 * std::max(largest, 1.0)},
               name + " beside another instruction set");
}

torch::Tensor read_tensor(const TensorFile& file, const std::string& name) {
  const StoredTensor& stored = file.tensors.at(name);
  const auto type = stored.type == ElementType::kFloat32   ? torch::kFloat32
                    : stored.type == ElementType::kFloat64 ? torch::kFloat64
                                                           : torch::kInt64;
  torch::Tensor tensor = torch::empty(stored.shape, type);
  if (!stored.bytes.empty()) {
    std::memcpy(tensor.data_ptr(), stored.bytes.data(), stored.bytes.size());
  }
  return tensor;
}

}  // namespace hmtc
