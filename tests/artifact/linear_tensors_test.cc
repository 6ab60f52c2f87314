#include "artifact/linear_tensors.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace hmtc {
namespace {

constexpr const char* kFile = "m.safetensors";

/// Three words (two of them special), two labels.
TensorFile small_model() {
  TensorFile file;
  store_linear({{0, 0, 0, 0, 1.5F, -2.0F}, {0.25F, -0.5F}, 4.0F}, TfIdf({0, 0, 2.0F}, {}), file);
  return file;
}

TEST(LinearTensors, HaveTheDocumentedNamesAndShapes) {
  const TensorFile file = small_model();
  EXPECT_EQ(file.tensors.at("linear.idf").shape, (std::vector<std::int64_t>{3}));
  EXPECT_EQ(file.tensors.at("linear.weight").shape, (std::vector<std::int64_t>{3, 2}));
  EXPECT_EQ(file.tensors.at("linear.bias").shape, (std::vector<std::int64_t>{2}));
}

TEST(LinearTensors, RoundTrip) {
  LinearOptions options;
  options.term_frequency = TermFrequencyRule::kBinary;
  const TensorFile read = parse_tensor_file(to_bytes(small_model()), kFile);
  const LoadedLinear loaded = load_linear(read, options, 3, 2, kFile);
  EXPECT_EQ(loaded.model.weights, (std::vector<float>{0, 0, 0, 0, 1.5F, -2.0F}));
  EXPECT_EQ(loaded.model.bias, (std::vector<float>{0.25F, -0.5F}));
  EXPECT_EQ(loaded.tf_idf.idf(), (std::vector<float>{0, 0, 2.0F}));
  EXPECT_EQ(loaded.tf_idf.options().term_frequency, TfIdfOptions::TermFrequency::kBinary);
}

TEST(LinearTensors, MissingOrOfAnotherShapeIsDamage) {
  expect_error(ErrorKind::kModel, {kFile, "linear."},
               [] { load_linear(TensorFile{}, {}, 3, 2, kFile); });
  const TensorFile file = small_model();
  expect_error(ErrorKind::kModel, {"(4, 2)", "(3, 2)"},
               [&] { load_linear(file, {}, 4, 2, kFile); });
  expect_error(ErrorKind::kModel, {"(3, 3)", "(3, 2)"},
               [&] { load_linear(file, {}, 3, 3, kFile); });
}

}  // namespace
}  // namespace hmtc
