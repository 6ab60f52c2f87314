#include "model/routed_sum.h"

#include <gtest/gtest.h>

#include <array>

#include "support/instruction_sets.h"

namespace hmtc {
namespace {

struct Routed {
  torch::Tensor X, of_u;
};

template <typename Function>
Routed run(const Function& function, const torch::Tensor& u, const torch::Tensor& Q) {
  const torch::Tensor input = u.clone().requires_grad_();
  const torch::Tensor X = function(input, Q);
  (X * torch::arange(X.numel()).view_as(X).sin()).sum().backward();
  return {X.detach(), input.grad()};
}

TEST(RoutedSum, TheKernelDoesWhatTheTensorOperationsDo) {
  torch::manual_seed(3);
  // Documents, kinds, places, size, labels.
  for (const std::array<std::int64_t, 5>& sizes : {std::array<std::int64_t, 5>{1, 1, 1, 1, 1},
                                                   {2, 3, 5, 8, 7},
                                                   {3, 2, 51, 8, 350},
                                                   {2, 1, 9, 5, 5229},
                                                   {1, 2, 4, 17, 33},
                                                   {1, 2, 5, 50, 20}}) {
    const auto [B, F, T, s, M] = sizes;
    const torch::Tensor u = torch::randn({B, F, T, s});
    const torch::Tensor Q = torch::randn({M, B, F, s});
    const Routed expected = run(composed_routed_sum, u, Q);
    for_each_instruction_set([&] {
      const Routed found = run(routed_sum, u, Q);
      EXPECT_TRUE(torch::allclose(found.X, expected.X, 1e-4, 1e-5)) << M;
      EXPECT_TRUE(torch::allclose(found.of_u, expected.of_u, 1e-4, 1e-5)) << M;
    });
  }
}

TEST(RoutedSum, DoublesGoThroughTheTensorOperations) {
  const torch::Tensor u = torch::randn({1, 2, 3, 2}, torch::kFloat64);
  const torch::Tensor Q = torch::zeros({4, 1, 2, 2}, torch::kFloat64);
  // Every label has a quarter of each capsule.
  const torch::Tensor expected = (u.sum(2) / 4).unsqueeze(0).expand({4, 1, 2, 2});
  EXPECT_TRUE(torch::allclose(routed_sum(u, Q), expected));
}

}  // namespace
}  // namespace hmtc
