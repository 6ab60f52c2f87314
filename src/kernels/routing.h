#pragma once

#include <cstddef>

namespace hmtc {

/// Routing by agreement of a capsule network. The capsules of a group, u (T, s), are shared out
/// among M labels:
///   c = softmax over the labels of u Q^T  (T, M)      X = c^T u  (M, s)
/// The weights c of some places at a time are made, and made again in the backward pass.
struct RoutingShape {
  std::size_t groups;  ///< documents times kinds of capsules; each is routed by itself
  std::size_t places;  ///< T, at least one
  std::size_t labels;  ///< M, at least one
  std::size_t size;    ///< s
};

/// Sets X (M, groups, s) from u (groups, T, s) and Q (M, groups, s).
void route(const RoutingShape& shape, const float* u, const float* Q, float* X);

/// Sets the gradient of u, to which c is a constant: c times the gradient of X.
void route_backward(const RoutingShape& shape, const float* u, const float* Q,
                    const float* X_gradient, float* u_gradient);

}  // namespace hmtc
