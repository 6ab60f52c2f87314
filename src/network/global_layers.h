#pragma once

#include <optional>

#include "config/options.h"
#include "network/dense.h"

namespace hmtc {

/// A hidden layer and an output over all labels: f_g of Eq. 15, and HARNN's global classifier.
class GlobalLayers {
 public:
  enum class Highway { kNone, kOne };

  GlobalLayers(const ModelOptions& options, Highway highway, std::size_t input_width,
               std::size_t num_labels, const Weights& weights);

  /// (B, input_width) to logits (B, M).
  Matrix operator()(const Matrix& v_g, int threads) const;

 private:
  Dense hidden_, output_;
  std::optional<Dense> transform_, gate_;  // of the highway
};

}  // namespace hmtc
