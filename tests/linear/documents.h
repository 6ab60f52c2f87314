#pragma once

#include <cstdint>
#include <vector>

#include "linear/sparse_matrix.h"

namespace hmtc {

/// Owns what IdRows only views.
struct Documents {
  std::vector<std::size_t> offsets = {0};
  std::vector<std::int32_t> words;

  explicit Documents(const std::vector<std::vector<std::int32_t>>& rows) {
    for (const auto& row : rows) {
      words.insert(words.end(), row.begin(), row.end());
      offsets.push_back(words.size());
    }
  }
  IdRows rows() const { return {offsets, words}; }
};

/// The twelve documents of make_expected.py.
inline Documents twelve_documents() {
  return Documents({{2, 3, 4},
                    {2, 3, 5, 5},
                    {2, 4, 4, 4},
                    {3, 4, 6},
                    {2, 6, 7},
                    {6, 7, 7, 8},
                    {5, 7, 8},
                    {6, 8},
                    {2, 8, 8, 5},
                    {3, 7, 5},
                    {4, 6, 2, 2},
                    {7}});
}

}  // namespace hmtc
