#pragma once

#include <cstddef>
#include <vector>

namespace hmtc {

/// A part of a tensor, one thread's work at a time.
struct Piece {
  std::size_t tensor;
  std::size_t begin;
  std::size_t count;
};

/// Cuts a tensor of `size` numbers, in the same way on any number of threads. All pieces but the
/// last are whole rows of `row_width` numbers.
void cut_into_pieces(std::size_t tensor, std::size_t size, std::size_t row_width,
                     std::vector<Piece>& pieces);

}  // namespace hmtc
