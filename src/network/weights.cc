#include "network/weights.h"

#include <cstring>

namespace hmtc {

const StoredTensor& Weights::stored(const std::string& name,
                                    const std::vector<std::size_t>& shape) const {
  return require_tensor(*file_, prefix_ + name, {shape.begin(), shape.end()}, file_name_);
}

Matrix Weights::matrix(const std::string& name, std::size_t rows, std::size_t columns) const {
  const StoredTensor& found = stored(name, {rows, columns});
  Matrix matrix(rows, columns);
  if (!matrix.empty()) std::memcpy(matrix.data(), found.bytes.data(), found.bytes.size());
  return matrix;
}

std::vector<float> Weights::vector(const std::string& name, std::size_t size) const {
  return tensor(name, {size});
}

std::vector<float> Weights::tensor(const std::string& name,
                                   const std::vector<std::size_t>& shape) const {
  return float_values(stored(name, shape));
}

}  // namespace hmtc
