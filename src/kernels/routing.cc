#include "kernels/routing.h"

#include <algorithm>

#include "kernels/label_rows.h"
#include "kernels/packed_matrix.h"

namespace hmtc {
namespace {

/// So many weights stay in the cache.
constexpr std::size_t kWeightsAtOnce = std::size_t{1} << 15U;

/// The weights of some places of a group.
struct Weights {
  std::size_t group;
  std::size_t first_place;
  std::size_t num_places;
  const float* c;  ///< (num_places, M), rows `stride` apart
  std::size_t stride;
};

template <typename Use>
void for_each_weights(const RoutingShape& shape, const float* u, const float* Q, const Use& use) {
  const auto [groups, places, labels, size] = shape;
  const std::size_t stride = whole_vectors(labels);
  const std::size_t at_once = std::clamp<std::size_t>(kWeightsAtOnce / stride, 1, places);
  Buffer c(at_once * stride);
  for (std::size_t group = 0; group < groups; ++group) {
    const PackedMatrix keys =
        PackedMatrix::of_transpose(Q + group * size, groups * size, size, labels);
    for (std::size_t first = 0; first < places; first += at_once) {
      const std::size_t count = std::min(at_once, places - first);
      multiply({count, labels, size}, {u + (group * places + first) * size, size}, keys.factor(),
               c.data(), stride, Into::kSet);
      softmax_rows(c.data(), stride, count, labels);
      use(Weights{group, first, count, c.data(), stride});
    }
  }
}

}  // namespace

void route(const RoutingShape& shape, const float* u, const float* Q, float* X) {
  for_each_weights(shape, u, Q, [&](const Weights& weights) {
    const float* capsules = u + (weights.group * shape.places + weights.first_place) * shape.size;
    const PackedMatrix right =
        PackedMatrix::of(capsules, shape.size, weights.num_places, shape.size);
    multiply({shape.labels, shape.size, weights.num_places}, {weights.c, 1, weights.stride},
             right.factor(), X + weights.group * shape.size, shape.groups * shape.size,
             weights.first_place == 0 ? Into::kSet : Into::kAdd);
  });
}

void route_backward(const RoutingShape& shape, const float* u, const float* Q,
                    const float* X_gradient, float* u_gradient) {
  PackedMatrix right;
  for_each_weights(shape, u, Q, [&](const Weights& weights) {
    if (weights.first_place == 0) {
      right = PackedMatrix::of(X_gradient + weights.group * shape.size, shape.groups * shape.size,
                               shape.labels, shape.size);
    }
    multiply({weights.num_places, shape.size, shape.labels}, {weights.c, weights.stride},
             right.factor(),
             u_gradient + (weights.group * shape.places + weights.first_place) * shape.size,
             shape.size, Into::kSet);
  });
}

}  // namespace hmtc
