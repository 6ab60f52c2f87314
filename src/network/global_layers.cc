#include "network/global_layers.h"

#include <algorithm>

#include "base/logistic.h"

namespace hmtc {
namespace {

float relu(float x) { return std::max(x, 0.0F); }

}  // namespace

GlobalLayers::GlobalLayers(const ModelOptions& options, Highway highway, std::size_t input_width,
                           std::size_t num_labels, const Weights& weights) {
  const auto g = static_cast<std::size_t>(options.global_width);
  hidden_ = Dense(weights.of("hidden"), input_width, g);
  output_ = Dense(weights.of("output"), g, num_labels);
  if (highway == Highway::kNone) return;
  transform_.emplace(weights.of("highway.transform"), g, g);
  gate_.emplace(weights.of("highway.gate"), g, g);
}

Matrix GlobalLayers::operator()(const Matrix& v_g, int threads) const {
  Matrix x = hidden_(v_g, threads);  // (B, g)  D10
  x.apply(relu);
  if (gate_) {  // D7
    const Matrix gate = (*gate_)(x, threads);
    const Matrix transformed = (*transform_)(x, threads);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const float t = sigmoid(gate.data()[i]);
      x.data()[i] = t * relu(transformed.data()[i]) + (1 - t) * x.data()[i];
    }
  }
  return output_(x, threads);  // (B, M)
}

}  // namespace hmtc
