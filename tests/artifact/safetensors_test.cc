#include "artifact/safetensors.h"

#include <gtest/gtest.h>

#include <cstring>
#include <span>

#include "support/expect_error.h"

namespace hmtc {
namespace {

constexpr const char* kFile = "m.safetensors";

std::uint64_t header_length(const std::string& bytes) {
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  return length;
}

TensorFile small_file() {
  const float values[] = {1.0F, -2.5F, 0.0F, 3.0F, 4.0F, 5.0F};
  TensorFile file;
  file.tensors["b"] = float_tensor({2, 3}, values);
  file.tensors["a"] = float_tensor({1}, values + 1);
  file.metadata["kind"] = "test";
  return file;
}

TEST(TensorFile, WithoutTensorsRoundTrips) {
  const std::string bytes = to_bytes({});
  EXPECT_EQ(bytes, std::string("\x08\0\0\0\0\0\0\0{}      ", 16));  // padded to 8
  const TensorFile read = parse_tensor_file(bytes, kFile);
  EXPECT_TRUE(read.tensors.empty());
  EXPECT_TRUE(read.metadata.empty());
}

TEST(TensorFile, RoundTripKeepsTypesShapesValuesAndMetadata) {
  TensorFile file = small_file();
  const std::int64_t numbers[] = {7, -1};
  const auto bytes = std::as_bytes(std::span(numbers));
  file.tensors["i"] =
      StoredTensor{ElementType::kInt64, {2}, std::vector<std::byte>(bytes.begin(), bytes.end())};
  file.tensors["none"] = float_tensor({0, 4}, nullptr);
  file.tensors["scalar"] = StoredTensor{ElementType::kFloat64, {}, std::vector<std::byte>(8)};

  const TensorFile read = parse_tensor_file(to_bytes(file), kFile);
  ASSERT_EQ(read.tensors.size(), 5U);
  for (const auto& [name, tensor] : file.tensors) {
    EXPECT_EQ(read.tensors.at(name).type, tensor.type) << name;
    EXPECT_EQ(read.tensors.at(name).shape, tensor.shape) << name;
    EXPECT_EQ(read.tensors.at(name).bytes, tensor.bytes) << name;
  }
  EXPECT_EQ(read.metadata.at("kind"), "test");
  EXPECT_EQ(float_values(read.tensors.at("b")),
            (std::vector<float>{1.0F, -2.5F, 0.0F, 3.0F, 4.0F, 5.0F}));
}

TEST(TensorFile, ATensorOutlivesTheFileItWasReadFrom) {
  StoredTensor kept;
  {
    const TensorFile read = parse_tensor_file(to_bytes(small_file()), kFile);
    kept = read.tensors.at("a");
  }
  EXPECT_EQ(float_values(kept), std::vector<float>{-2.5F});
}

TEST(TensorFile, HeaderIsSortedAndThePaddedDataAligned) {
  const std::string bytes = to_bytes(small_file());
  const std::uint64_t length = header_length(bytes);
  EXPECT_EQ(length % 8, 0U);
  EXPECT_EQ(bytes.size(), 8 + length + 7 * sizeof(float));
  std::string header = bytes.substr(8, length);
  header.erase(header.find_last_not_of(' ') + 1);
  // "a" (one float) lies before "b" (six), although "b" was put in first.
  EXPECT_EQ(header, R"({"__metadata__":{"kind":"test"},)"
                    R"("a":{"data_offsets":[0,4],"dtype":"F32","shape":[1]},)"
                    R"("b":{"data_offsets":[4,28],"dtype":"F32","shape":[2,3]}})");
}

TEST(TensorFile, EqualContentIsEqualBytes) {
  const float value = 1;
  TensorFile one;
  one.tensors["x"] = float_tensor({1}, &value);
  one.tensors["y"] = float_tensor({1}, &value);
  TensorFile other;
  other.tensors["y"] = float_tensor({1}, &value);
  other.tensors["x"] = float_tensor({1}, &value);
  EXPECT_EQ(to_bytes(one), to_bytes(other));
}

TEST(RequireTensor, NamesWhatIsMissingOrDiffers) {
  const TensorFile file = small_file();
  EXPECT_EQ(&require_tensor(file, "b", {2, 3}, kFile), &file.tensors.at("b"));
  expect_error(ErrorKind::kModel, {kFile, "\"c\""}, [&] { require_tensor(file, "c", {1}, kFile); });
  expect_error(ErrorKind::kModel, {"\"b\"", "(3, 2)", "(2, 3)"}, [&] {
    require_tensor(file, "b", {3, 2}, kFile);
  });
}

TEST(RequireTensor, OfAnotherElementTypeIsDamage) {
  TensorFile file;
  file.tensors["d"] = StoredTensor{ElementType::kFloat64, {1}, std::vector<std::byte>(8)};
  expect_error(ErrorKind::kModel, {"F32", "F64"}, [&] { require_tensor(file, "d", {1}, kFile); });
}

}  // namespace
}  // namespace hmtc
