#include "kernels/routing.h"

#include <algorithm>
#include <cstring>

#include "kernels/label_rows.h"
#include "kernels/packed_matrix.h"

namespace hmtc {
namespace {

/// So many weights stay in the cache.
constexpr std::size_t kWeightsAtOnce = std::size_t{1} << 15U;

/// The weights of some places of a group.
struct Weights {
  std::size_t first_place;
  std::size_t num_places;
  const float* c;  ///< (num_places, M), rows `stride` apart
  std::size_t stride;
};

/// Calls use(weights) for the places of a group, some at a time; u (T, s) are its capsules.
template <typename Use>
void for_each_weights(const RoutingShape& shape, const float* u, const float* Q, Buffer& c,
                      const Use& use) {
  const std::size_t stride = whole_vectors(shape.labels);
  const PackedMatrix keys =
      PackedMatrix::of_transpose(Q, shape.groups * shape.size, shape.size, shape.labels);
  const std::size_t at_once = std::max<std::size_t>(kWeightsAtOnce / stride, 1);
  for (std::size_t first = 0; first < shape.places; first += at_once) {
    const std::size_t count = std::min(at_once, shape.places - first);
    multiply({count, shape.labels, shape.size}, {u + first * shape.size, shape.size}, keys.factor(),
             c.data(), stride, Into::kSet);
    softmax_rows(c.data(), stride, count, shape.labels);
    use(Weights{first, count, c.data(), stride});
  }
}

Buffer room_for_weights(const RoutingShape& shape) {
  return Buffer(std::max(kWeightsAtOnce, whole_vectors(shape.labels)));
}

}  // namespace

void route(const RoutingShape& shape, const float* u, const float* Q, float* X) {
  const std::size_t size = shape.size;
  Buffer c = room_for_weights(shape);
  Buffer sums(shape.labels * size);  // rows of X are far apart, these are not
  for (std::size_t group = 0; group < shape.groups; ++group) {
    const float* capsules = u + group * shape.places * size;
    for_each_weights(shape, capsules, Q + group * size, c, [&](const Weights& weights) {
      const PackedMatrix right =
          PackedMatrix::of(capsules + weights.first_place * size, size, weights.num_places, size);
      multiply({shape.labels, size, weights.num_places}, {weights.c, 1, weights.stride},
               right.factor(), sums.data(), size,
               weights.first_place == 0 ? Into::kSet : Into::kAdd);
    });
    for (std::size_t label = 0; label < shape.labels; ++label) {
      std::memcpy(X + (label * shape.groups + group) * size, sums.data() + label * size,
                  size * sizeof(float));
    }
  }
}

void route_backward(const RoutingShape& shape, const float* u, const float* Q,
                    const float* X_gradient, float* u_gradient) {
  const std::size_t size = shape.size;
  Buffer c = room_for_weights(shape);
  for (std::size_t group = 0; group < shape.groups; ++group) {
    const PackedMatrix right =
        PackedMatrix::of(X_gradient + group * size, shape.groups * size, shape.labels, size);
    const std::size_t begin = group * shape.places * size;
    for_each_weights(shape, u + begin, Q + group * size, c, [&](const Weights& weights) {
      multiply({weights.num_places, size, shape.labels}, {weights.c, weights.stride},
               right.factor(), u_gradient + begin + weights.first_place * size, size, Into::kSet);
    });
  }
}

}  // namespace hmtc
