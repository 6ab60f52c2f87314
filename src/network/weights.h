#pragma once

#include <string>
#include <vector>

#include "artifact/safetensors.h"
#include "network/matrix.h"

namespace hmtc {

/// The tensors of a network by their names (docs/formats.md). Each is copied, so that the file need
/// not stay. Throws kModel when one is missing or has another shape.
class Weights {
 public:
  Weights(const TensorFile& file, std::string file_name, std::string prefix = "")
      : file_(&file), file_name_(std::move(file_name)), prefix_(std::move(prefix)) {}

  /// Those of a part: their names without `name` and the dot behind it.
  Weights of(const std::string& name) const { return {*file_, file_name_, prefix_ + name + "."}; }

  Matrix matrix(const std::string& name, std::size_t rows, std::size_t columns) const;
  std::vector<float> vector(const std::string& name, std::size_t size) const;
  /// A tensor of any shape, row-major.
  std::vector<float> tensor(const std::string& name, const std::vector<std::size_t>& shape) const;

 private:
  const StoredTensor& stored(const std::string& name, const std::vector<std::size_t>& shape) const;

  const TensorFile* file_;
  std::string file_name_;
  std::string prefix_;
};

}  // namespace hmtc
