#include "model/dense.h"

#include <gtest/gtest.h>

#include "support/tensors.h"

namespace hmtc {
namespace {

constexpr Tolerance kRounding{1e-5, 1e-5};

TEST(Dense, AgreesWithTorchForFewAndManyDocumentsWithAndWithoutABias) {
  torch::manual_seed(1);
  const torch::NoGradGuard no_grad;
  for (const std::int64_t documents : {0, 1, 4, 5, 8, 9, 16, 17, 40, 100}) {
    const torch::Tensor x = torch::randn({documents, 37});
    const torch::Tensor W = torch::randn({21, 37});
    for (const torch::Tensor& b : {torch::Tensor(), torch::randn({21})}) {
      expect_close(dense(x, W, b, 1), torch::linear(x, W, b), kRounding,
                   std::to_string(documents) + " documents");
    }
  }
}

TEST(Dense, ReadsColumnsOfAWiderMatrixWhereTheyLie) {
  torch::manual_seed(2);
  const torch::NoGradGuard no_grad;
  const torch::Tensor W = torch::randn({5, 40}).slice(1, 8, 24);
  for (const std::int64_t documents : {2, 7}) {
    const torch::Tensor x = torch::randn({documents, 16});
    expect_close(dense(x, W, {}, 1), torch::matmul(x, W.t()), kRounding, "slice");
  }
}

TEST(Dense, GivesTheSameBytesOnAnyNumberOfThreads) {
  torch::manual_seed(3);
  const torch::NoGradGuard no_grad;
  for (const std::int64_t documents : {1, 20}) {
    const torch::Tensor x = torch::randn({documents, 512});
    const torch::Tensor W = torch::randn({2001, 512});
    const torch::Tensor alone = dense(x, W, {}, 1);
    for (const int threads : {2, 3, 7}) {
      EXPECT_TRUE(torch::equal(dense(x, W, {}, threads), alone)) << documents;
    }
  }
}

TEST(Dense, HasGradientsWhereTheyAreRecorded) {
  const torch::Tensor x = torch::ones({1, 2}).requires_grad_();
  const torch::Tensor W = torch::tensor({{3.0F, 4.0F}});
  dense(x, W, {}, 2).sum().backward();
  EXPECT_TRUE(torch::equal(x.grad(), W));
}

}  // namespace
}  // namespace hmtc
