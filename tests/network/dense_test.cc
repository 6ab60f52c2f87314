#include "network/dense.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "support/instruction_sets.h"

namespace hmtc {
namespace {

Matrix random_matrix(std::size_t rows, std::size_t columns, std::uint64_t seed) {
  Random random(seed);
  Matrix matrix(rows, columns);
  matrix.apply([&](float) { return static_cast<float>(random.below(2001)) / 1000 - 1; });
  return matrix;
}

Matrix copy_of(const Matrix& matrix) { return columns_of(matrix, 0, matrix.columns()); }

/// x W^T + b, one number at a time in double.
void expect_layer(const Matrix& out, const Matrix& x, const Matrix& W,
                  const std::vector<float>& b) {
  ASSERT_EQ(out.rows(), x.rows());
  ASSERT_EQ(out.columns(), W.rows());
  for (std::size_t i = 0; i < x.rows(); ++i) {
    for (std::size_t j = 0; j < W.rows(); ++j) {
      double sum = b.empty() ? 0 : b[j];
      for (std::size_t k = 0; k < x.columns(); ++k) {
        sum += static_cast<double>(x.row(i)[k]) * static_cast<double>(W.row(j)[k]);
      }
      ASSERT_NEAR(out.row(i)[j], sum, 1e-5) << x.rows() << " documents";
    }
  }
}

TEST(Dense, IsTheProductForFewAndManyDocumentsWithAndWithoutABias) {
  const Matrix W = random_matrix(21, 37, 1);
  const Matrix b = random_matrix(1, 21, 2);
  for_each_instruction_set([&] {
    for (const std::size_t documents : {0, 1, 4, 5, 8, 9, 16, 17, 40, 100}) {
      const Matrix x = random_matrix(documents, 37, 3);
      const std::vector<float> none, some(b.values().begin(), b.values().end());
      expect_layer(Dense(copy_of(W))(x), x, W, none);
      expect_layer(Dense(copy_of(W), some)(x), x, W, some);
    }
  });
}

TEST(Dense, OfWidthOneAndDepthOneIsThereToo) {
  for_each_instruction_set([&] {
    for (const std::size_t documents : {1, 7}) {
      const Matrix x = random_matrix(documents, 1, 4);
      const Matrix W = random_matrix(1, 1, 5);
      expect_layer(Dense(copy_of(W), {0.5F})(x, 2), x, W, {0.5F});
    }
  });
}

TEST(Dense, GivesTheSameBytesOnAnyNumberOfThreads) {
  const Dense layer(random_matrix(2001, 512, 6));
  for (const std::size_t documents : {1, 20}) {
    const Matrix x = random_matrix(documents, 512, 7);
    const Matrix alone = layer(x, 1);
    for (const int threads : {2, 3, 7}) {
      const Matrix shared = layer(x, threads);
      EXPECT_TRUE(std::equal(shared.values().begin(), shared.values().end(), alone.values().begin(),
                             alone.values().end()))
          << documents << " documents, " << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace hmtc
