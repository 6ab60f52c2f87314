#include "artifact/safetensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"

namespace hmtc {
namespace {

static_assert(std::endian::native == std::endian::little, "the file is little-endian");

using Json = nlohmann::json;

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kLargestHeader = 100 << 20;  // the limit of the format's own library

const char* type_name(ElementType type) {
  switch (type) {
    case ElementType::kFloat32:
      return "F32";
    case ElementType::kFloat64:
      return "F64";
    case ElementType::kInt64:
      return "I64";
  }
  return "";
}

Error damaged(const std::string& file, const std::string& expected, const std::string& found) {
  return model_error({file}, {expected, found, "restore the file or train again"});
}

/// Whether no element has all bits of its exponent set. Without an end in the middle of a block,
/// so that the compiler can take many elements at a time.
template <typename Bits>
bool all_finite(std::string_view bytes, Bits exponent) {
  constexpr std::size_t kBlock = 4096;
  for (std::size_t begin = 0; begin < bytes.size(); begin += kBlock) {
    const std::string_view block = bytes.substr(begin, kBlock);
    bool finite = true;
    for (std::size_t i = 0; i < block.size(); i += sizeof(Bits)) {
      Bits bits;
      std::memcpy(&bits, block.data() + i, sizeof(Bits));
      finite &= (bits & exponent) != exponent;
    }
    if (!finite) return false;
  }
  return true;
}

bool all_finite(ElementType type, std::string_view bytes) {
  switch (type) {
    case ElementType::kFloat32:
      return all_finite(bytes, std::uint32_t{0x7F800000});
    case ElementType::kFloat64:
      return all_finite(bytes, std::uint64_t{0x7FF0000000000000});
    case ElementType::kInt64:
      return true;
  }
  return true;
}

/// What the header says of one tensor, checked against the size of the data.
struct Entry {
  ElementType type;
  std::vector<std::int64_t> shape;
  std::size_t begin;
  std::size_t end;
};

Entry parse_entry(const std::string& name, const Json& json, std::size_t data_size,
                  const std::string& file) {
  const auto wrong = [&](const std::string& found) {
    return damaged(file, fmt::format("a valid entry for tensor {}", in_quotes(name)), found);
  };
  const auto is_size_list = [](const Json& list) {
    return list.is_array() && std::all_of(list.begin(), list.end(), [](const Json& item) {
             return item.is_number_unsigned();
           });
  };
  if (!json.is_object() || !json.contains("dtype") || !json.contains("shape") ||
      !json.contains("data_offsets")) {
    throw wrong("one without dtype, shape or data_offsets");
  }
  Entry entry{};
  if (json["dtype"] == "F32") {
    entry.type = ElementType::kFloat32;
  } else if (json["dtype"] == "F64") {
    entry.type = ElementType::kFloat64;
  } else if (json["dtype"] == "I64") {
    entry.type = ElementType::kInt64;
  } else {
    throw wrong("an element type other than F32, F64 and I64");
  }
  if (!is_size_list(json["shape"]) || !is_size_list(json["data_offsets"]) ||
      json["data_offsets"].size() != 2) {
    throw wrong("a shape or offsets that are not whole numbers");
  }
  entry.begin = json["data_offsets"][0].get<std::size_t>();
  entry.end = json["data_offsets"][1].get<std::size_t>();
  if (entry.begin > entry.end || entry.end > data_size) throw wrong("offsets beyond the end");
  std::size_t elements = 1;
  for (const Json& size : json["shape"]) {
    const auto extent = size.get<std::uint64_t>();
    if (extent > data_size || (extent != 0 && elements > data_size / extent)) {
      throw wrong("a shape larger than the file");
    }
    elements *= extent;
    entry.shape.push_back(static_cast<std::int64_t>(extent));
  }
  if (elements * size_of(entry.type) != entry.end - entry.begin) {
    throw wrong("offsets that do not match the shape");
  }
  return entry;
}

Json parse_header(std::string_view bytes, const std::string& file) {
  std::uint64_t length = 0;
  if (bytes.size() < kLengthBytes) {
    throw damaged(file, "at least 8 bytes", fmt::format("{}", bytes.size()));
  }
  std::memcpy(&length, bytes.data(), kLengthBytes);
  if (length > kLargestHeader || length > bytes.size() - kLengthBytes) {
    throw damaged(file, "a header within the file", fmt::format("a length of {}", length));
  }
  const std::string_view text = bytes.substr(kLengthBytes, length);
  // The parser takes a zero byte for the end and would not look at what follows.
  if (text.find('\0') != std::string_view::npos) {
    throw damaged(file, "a JSON header", "a zero byte in it");
  }
  Json header;
  try {
    header = parse_json<Json>(text);
  } catch (const std::exception& error) {
    throw damaged(file, "a JSON header", error.what());
  }
  if (!header.is_object()) throw damaged(file, "a JSON object as header", "something else");
  return header;
}

/// Copied, because a tensor may begin anywhere in its file.
template <typename Element>
std::vector<Element> values_of(const StoredTensor& tensor) {
  std::vector<Element> values(tensor.num_elements());
  if (!values.empty()) std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
  return values;
}

}  // namespace

SharedBytes::SharedBytes(std::vector<std::byte> bytes) {
  const auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  bytes_ = *owner;
  owner_ = owner;
}

SharedBytes::SharedBytes(std::shared_ptr<const std::string> whole, std::string_view part)
    : owner_(std::move(whole)), bytes_(std::as_bytes(std::span(part))) {}

bool SharedBytes::operator==(const SharedBytes& other) const {
  return std::equal(bytes_.begin(), bytes_.end(), other.bytes_.begin(), other.bytes_.end());
}

std::size_t size_of(ElementType type) { return type == ElementType::kFloat32 ? 4 : 8; }

std::size_t StoredTensor::num_elements() const { return bytes.size() / size_of(type); }

StoredTensor float_tensor(std::vector<std::int64_t> shape, const float* values) {
  std::size_t count = 1;
  for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
  const std::span<const std::byte> bytes = std::as_bytes(std::span(values, count));
  return {ElementType::kFloat32, std::move(shape),
          std::vector<std::byte>(bytes.begin(), bytes.end())};
}

std::vector<float> float_values(const StoredTensor& tensor) { return values_of<float>(tensor); }

StoredTensor int_tensor(std::vector<std::int64_t> shape, std::span<const std::int64_t> values) {
  const std::span<const std::byte> bytes = std::as_bytes(values);
  return {ElementType::kInt64, std::move(shape),
          std::vector<std::byte>(bytes.begin(), bytes.end())};
}

std::vector<std::int64_t> int_values(const StoredTensor& tensor) {
  return values_of<std::int64_t>(tensor);
}

std::string to_bytes(const TensorFile& file) {
  Json header = Json::object();
  if (!file.metadata.empty()) header["__metadata__"] = file.metadata;
  std::size_t offset = 0;
  for (const auto& [name, tensor] : file.tensors) {
    header[name] = {{"dtype", type_name(tensor.type)},
                    {"shape", tensor.shape},
                    {"data_offsets", {offset, offset + tensor.bytes.size()}}};
    offset += tensor.bytes.size();
  }
  std::string text = header.dump();
  text.resize((text.size() + kLengthBytes - 1) / kLengthBytes * kLengthBytes, ' ');
  const std::uint64_t length = text.size();
  std::string bytes(reinterpret_cast<const char*>(&length), kLengthBytes);
  bytes.reserve(kLengthBytes + text.size() + offset);
  bytes += text;
  for (const auto& [name, tensor] : file.tensors) {
    bytes.append(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
  }
  return bytes;
}

TensorFile parse_tensor_file(std::string content, const std::string& file_name) {
  const auto whole = std::make_shared<const std::string>(std::move(content));
  const std::string_view bytes = *whole;
  const Json header = parse_header(bytes, file_name);
  std::uint64_t header_length = 0;
  std::memcpy(&header_length, bytes.data(), kLengthBytes);
  const std::string_view data = bytes.substr(kLengthBytes + header_length);

  std::map<std::string, Entry> entries;
  std::map<std::size_t, std::size_t> ranges;
  TensorFile file;
  for (const auto& [name, json] : header.items()) {
    if (name == "__metadata__") {
      if (!json.is_object()) throw damaged(file_name, "metadata of strings", "no object");
      for (const auto& [key, value] : json.items()) {
        if (!value.is_string()) throw damaged(file_name, "metadata of strings", "another type");
        file.metadata[key] = value.get<std::string>();
      }
      continue;
    }
    const Entry entry = parse_entry(name, json, data.size(), file_name);
    if (entry.begin != entry.end && !ranges.emplace(entry.begin, entry.end).second) {
      throw damaged(file_name, "tensors that do not overlap", "two at one place");
    }
    entries.emplace(name, entry);
  }
  std::size_t covered = 0;
  for (const auto& [begin, end] : ranges) {
    if (begin != covered)
      throw damaged(file_name, "tensors without gap or overlap", "another layout");
    covered = end;
  }
  if (covered != data.size()) {
    throw damaged(file_name, fmt::format("{} bytes of data", covered),
                  fmt::format("{}", data.size()));
  }
  for (const auto& [name, entry] : entries) {
    const std::string_view part = data.substr(entry.begin, entry.end - entry.begin);
    if (!all_finite(entry.type, part)) {
      throw damaged(file_name, fmt::format("finite values in tensor {}", in_quotes(name)),
                    "others");
    }
    file.tensors.emplace(name, StoredTensor{entry.type, entry.shape, {whole, part}});
  }
  return file;
}

const StoredTensor& require_tensor(const TensorFile& file, const std::string& name,
                                   const std::vector<std::int64_t>& shape,
                                   const std::string& file_name, ElementType type) {
  const auto found = file.tensors.find(name);
  if (found == file.tensors.end()) {
    throw damaged(file_name, fmt::format("a tensor {}", in_quotes(name)), "none");
  }
  if (found->second.shape != shape || found->second.type != type) {
    throw damaged(
        file_name,
        fmt::format("tensor {} as {} {}", in_quotes(name), type_name(type), shape_text(shape)),
        fmt::format("{} {}", type_name(found->second.type), shape_text(found->second.shape)));
  }
  return found->second;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return fmt::format("({})", fmt::join(shape, ", "));
}

}  // namespace hmtc
