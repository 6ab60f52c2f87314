#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hmtc {

enum class ElementType { kFloat32, kFloat64, kInt64 };

std::size_t size_of(ElementType type);

/// A tensor in memory: its raw little-endian elements, row-major.
struct StoredTensor {
  ElementType type = ElementType::kFloat32;
  std::vector<std::int64_t> shape;
  std::vector<std::byte> bytes;

  std::size_t num_elements() const;
};

StoredTensor float_tensor(std::vector<std::int64_t> shape, const float* values);
std::vector<float> float_values(const StoredTensor& tensor);

/// The content of one safetensors file: an 8-byte length, a JSON header, raw data
/// (docs/formats.md).
struct TensorFile {
  std::map<std::string, StoredTensor> tensors;  ///< sorted, so that equal content is equal bytes
  std::map<std::string, std::string> metadata;
};

std::string to_bytes(const TensorFile& file);

/// Throws kModel when anything does not fit: sizes, offsets, types, overlap, values not finite.
/// Nothing is allocated before the header's sizes agree with the length of `bytes`.
TensorFile parse_tensor_file(std::string_view bytes, const std::string& file_name);

/// The tensor of that name and shape. Throws kModel when it is missing or of another shape or type.
const StoredTensor& require_tensor(const TensorFile& file, const std::string& name,
                                   const std::vector<std::int64_t>& shape,
                                   const std::string& file_name);

std::string shape_text(const std::vector<std::int64_t>& shape);

}  // namespace hmtc
