#include "learn/pieces.h"

#include <algorithm>

namespace hmtc {
namespace {

constexpr std::size_t kNumbers = std::size_t{1} << 16U;

}  // namespace

void cut_into_pieces(std::size_t tensor, std::size_t size, std::size_t row_width,
                     std::vector<Piece>& pieces) {
  const std::size_t step = (kNumbers + row_width - 1) / row_width * row_width;
  for (std::size_t begin = 0; begin < size; begin += step) {
    pieces.push_back({tensor, begin, std::min(step, size - begin)});
  }
}

}  // namespace hmtc
