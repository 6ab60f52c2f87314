#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hmtc {

enum class ElementType { kFloat32, kFloat64, kInt64 };

std::size_t size_of(ElementType type);

/// Bytes that do not change any more; copies share them. They may be a part of a file's content,
/// so that the tensors of a large file need no memory besides it.
class SharedBytes {
 public:
  SharedBytes() = default;
  SharedBytes(std::vector<std::byte> bytes);
  SharedBytes(std::shared_ptr<const std::string> whole, std::string_view part);

  const std::byte* data() const { return bytes_.data(); }
  std::size_t size() const { return bytes_.size(); }
  bool empty() const { return bytes_.empty(); }
  bool operator==(const SharedBytes& other) const;

 private:
  std::shared_ptr<const void> owner_;
  std::span<const std::byte> bytes_;
};

/// A tensor in memory: its raw little-endian elements, row-major.
struct StoredTensor {
  ElementType type = ElementType::kFloat32;
  std::vector<std::int64_t> shape;
  SharedBytes bytes;

  std::size_t num_elements() const;
};

StoredTensor float_tensor(std::vector<std::int64_t> shape, const float* values);
std::vector<float> float_values(const StoredTensor& tensor);
StoredTensor int_tensor(std::vector<std::int64_t> shape, std::span<const std::int64_t> values);
std::vector<std::int64_t> int_values(const StoredTensor& tensor);

/// The content of one safetensors file: an 8-byte length, a JSON header, raw data
/// (docs/formats.md).
struct TensorFile {
  std::map<std::string, StoredTensor> tensors;  ///< sorted, so that equal content is equal bytes
  std::map<std::string, std::string> metadata;
};

std::string to_bytes(const TensorFile& file);

/// Throws kModel when anything does not fit: sizes, offsets, types, overlap, values not finite.
/// The tensors share `content`, which is not copied.
TensorFile parse_tensor_file(std::string content, const std::string& file_name);

/// The tensor of that name and shape. Throws kModel when it is missing or of another shape or type.
const StoredTensor& require_tensor(const TensorFile& file, const std::string& name,
                                   const std::vector<std::int64_t>& shape,
                                   const std::string& file_name,
                                   ElementType type = ElementType::kFloat32);

std::string shape_text(const std::vector<std::int64_t>& shape);

}  // namespace hmtc
