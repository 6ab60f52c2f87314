#pragma once

#include <cstddef>
#include <vector>

namespace hmtc {

/// Probabilities of some documents, each array documents x labels, row by row.
struct ScoreSet {
  std::size_t num_documents = 0;
  std::size_t num_labels = 0;
  std::vector<float> combined;
  /// Of the parts of a model that has both a local and a global classifier, else empty.
  std::vector<float> local;
  std::vector<float> global;
  std::vector<float> wide;  ///< empty where no linear model stands beside the network
};

}  // namespace hmtc
