// What a damaged or hostile file does: an error that says so, never a crash or a huge allocation.
#include <gtest/gtest.h>

#include <cstring>

#include "artifact/safetensors.h"
#include "support/expect_error.h"

namespace hmtc {
namespace {

constexpr const char* kFile = "m.safetensors";

std::string with_header(const std::string& header, const std::string& data = {}) {
  const std::uint64_t length = header.size();
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes + header + data;
}

std::string small_bytes() {
  const float values[] = {1.0F, -2.5F};
  TensorFile file;
  file.tensors["a"] = float_tensor({1}, values);
  file.tensors["b"] = float_tensor({2}, values);
  file.metadata["kind"] = "test";
  return to_bytes(file);
}

void expect_damaged(const std::string& bytes, const std::string& part) {
  SCOPED_TRACE(bytes.substr(std::min<std::size_t>(8, bytes.size()), 200));
  expect_error(ErrorKind::kModel, {kFile, part}, [&] { parse_tensor_file(bytes, kFile); });
}

std::string one_tensor(const std::string& type, const std::string& shape,
                       const std::string& offsets) {
  return R"({"t":{"dtype":")" + type + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets +
         "}}";
}

TEST(DamagedTensorFile, CutOffAtAnyLengthIsRefused) {
  const std::string bytes = small_bytes();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    SCOPED_TRACE(length);
    expect_error(ErrorKind::kModel, {kFile},
                 [&] { parse_tensor_file(bytes.substr(0, length), kFile); });
  }
}

TEST(DamagedTensorFile, BytesAfterTheEndAreRefused) { expect_damaged(small_bytes() + "x", "13"); }

// A flipped bit may turn a name or a metadata value into another one, which only the manifest's
// checksum can see. All else must be refused.
TEST(DamagedTensorFile, AnyFlippedBitOfTheHeaderIsRefusedOrHarmless) {
  const std::string bytes = small_bytes();
  const std::size_t header_end = bytes.size() - 3 * sizeof(float);
  const TensorFile whole = parse_tensor_file(bytes, kFile);
  std::size_t refused = 0;
  for (std::size_t bit = 0; bit < 8 * header_end; ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    try {
      const TensorFile read = parse_tensor_file(flipped, kFile);
      ASSERT_LE(read.tensors.size(), whole.tensors.size()) << bit;
      std::size_t size = 0;
      for (const auto& [name, tensor] : read.tensors) size += tensor.bytes.size();
      EXPECT_EQ(size, 3 * sizeof(float)) << bit;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kModel) << bit << ": " << error.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, 8 * header_end / 2);
}

TEST(DamagedTensorFile, HeaderLengthBeyondTheFileIsRefused) {
  std::string bytes = small_bytes();
  bytes[0] = '\xFF';
  expect_damaged(bytes, "a header within the file");
  std::memset(bytes.data(), 0xFF, 8);  // 2^64 - 1: must not wrap round when 8 is added
  expect_damaged(bytes, "a header within the file");
  const std::uint64_t length = bytes.size() - 8 + 1;  // one byte more than there is
  std::memcpy(bytes.data(), &length, sizeof length);
  expect_damaged(bytes, "a header within the file");
}

TEST(DamagedTensorFile, HeaderThatIsNoJsonObjectIsRefused) {
  expect_damaged(with_header(""), "JSON");
  expect_damaged(with_header("[]"), "JSON object");
  expect_damaged(with_header("{"), "JSON");
  expect_damaged(with_header("{\"\xFF\":1}"), "JSON");
}

TEST(DamagedTensorFile, DeeplyNestedJsonIsRefused) {
  expect_damaged(with_header(std::string(1'000'000, '[')), "nested");
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += R"({"a":)";
  expect_damaged(with_header(objects), "nested");
}

TEST(DamagedTensorFile, MetadataMustBeAnObjectOfStrings) {
  expect_damaged(with_header(R"({"__metadata__":{"a":1}})"), "metadata");
  expect_damaged(with_header(R"({"__metadata__":5})"), "metadata");
  expect_damaged(with_header(R"({"__metadata__":"a"})"), "metadata");
  expect_damaged(with_header(R"({"__metadata__":["a"]})"), "metadata");
}

TEST(DamagedTensorFile, EntriesWithoutAMemberAreRefused) {
  expect_damaged(with_header(R"({"t":1})"), "\"t\"");
  expect_damaged(with_header(R"({"t":{"dtype":"F32","shape":[1]}})"), "data_offsets");
  expect_damaged(with_header(R"({"t":{"dtype":"F32","data_offsets":[0,4]}})", "1234"), "shape");
  expect_damaged(with_header(R"({"t":{"shape":[1],"data_offsets":[0,4]}})", "1234"), "dtype");
}

TEST(DamagedTensorFile, OtherElementTypesAreRefused) {
  expect_damaged(with_header(one_tensor("F16", "[2]", "[0,4]"), "1234"), "element type");
  expect_damaged(with_header(R"({"t":{"dtype":5,"shape":[1],"data_offsets":[0,4]}})", "1234"),
                 "element type");
}

TEST(DamagedTensorFile, ShapesThatAreNoSizesAreRefused) {
  const std::string data(4, '\0');
  for (const char* shape : {"[-1]", "[1.0]", "[\"1\"]", "1", "null", "[[1]]"}) {
    expect_damaged(with_header(one_tensor("F32", shape, "[0,4]"), data), "whole numbers");
  }
  for (const char* offsets : {"[0]", "[0,4,8]", "[0,-4]", "{}", "[0,4.0]"}) {
    expect_damaged(with_header(one_tensor("F32", "[1]", offsets), data), "whole numbers");
  }
}

TEST(DamagedTensorFile, HugeShapesAreRefusedBeforeAnythingIsAllocated) {
  const std::string data(4, '\0');
  for (const char* shape : {"[18446744073709551615]", "[9223372036854775807,2]",
                            // 2^32 * 2^32 wraps round to 0, 2^62 * 4 bytes as well
                            "[4294967296,4294967296]", "[4611686018427387904]", "[2,2,2,2,2]"}) {
    expect_damaged(with_header(one_tensor("F32", shape, "[0,4]"), data), "larger than the file");
  }
}

TEST(DamagedTensorFile, OffsetsOutsideTheDataAreRefused) {
  const std::string data(4, '\0');
  expect_damaged(with_header(one_tensor("F32", "[2]", "[0,8]"), data), "beyond the end");
  expect_damaged(with_header(one_tensor("F32", "[1]", "[4,0]"), data), "beyond the end");
  expect_damaged(with_header(one_tensor("F32", "[1]", "[0,3]"), data), "do not match");
  expect_damaged(with_header(one_tensor("F64", "[1]", "[0,4]"), data), "do not match");
}

TEST(DamagedTensorFile, OverlapsAndGapsAreRefused) {
  const auto two = [](const std::string& first, const std::string& second) {
    return with_header(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":)" + first +
                           R"(},"b":{"dtype":"F32","shape":[1],"data_offsets":)" + second + "}}",
                       std::string(8, '\0'));
  };
  EXPECT_EQ(parse_tensor_file(two("[0,4]", "[4,8]"), kFile).tensors.size(), 2U);
  expect_damaged(two("[0,4]", "[0,4]"), "overlap");
  expect_damaged(two("[0,4]", "[2,6]"), "overlap");
  expect_damaged(two("[4,8]", "[4,8]"), "overlap");
  // A gap in front, and data that no tensor owns.
  expect_damaged(with_header(one_tensor("F32", "[1]", "[4,8]"), std::string(8, '\0')), "gap");
  expect_damaged(with_header(one_tensor("F32", "[1]", "[0,4]"), std::string(8, '\0')), "4 bytes");
}

TEST(DamagedTensorFile, ValuesThatAreNotFiniteAreRefused) {
  // Little-endian: 0x7FC00000 is a NaN, 0xFF800000 minus infinity; 0x7FF0... infinity as F64.
  const std::string header = one_tensor("F32", "[1]", "[0,4]");
  expect_damaged(with_header(header, {"\x00\x00\xC0\x7F", 4}), "finite");
  expect_damaged(with_header(header, {"\x00\x00\x80\xFF", 4}), "finite");
  const std::string wide = one_tensor("F64", "[1]", "[0,8]");
  expect_damaged(with_header(wide, {"\0\0\0\0\0\0\xF0\x7F", 8}), "finite");
}

}  // namespace
}  // namespace hmtc
