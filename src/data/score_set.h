#pragma once

#include <cstddef>
#include <vector>

namespace hmtc {

/// Probabilities of some documents, each array documents x labels, row by row.
struct ScoreSet {
  std::size_t num_documents = 0;
  std::size_t num_labels = 0;
  std::vector<float> combined;
  std::vector<float> local;   ///< empty where the model has no local classifier
  std::vector<float> global;  ///< empty where the model has no global classifier
  std::vector<float> wide;    ///< empty where no linear model stands beside the network
};

}  // namespace hmtc
