#include <gtest/gtest.h>

#include "base/random.h"
#include "kernels/packed_matrix.h"
#include "support/instruction_sets.h"

namespace hmtc {
namespace {

std::vector<float> random_matrix(std::size_t size, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(size);
  for (float& value : values) value = static_cast<float>(random.below(2001)) / 1000 - 1;
  return values;
}

struct Matrices {
  explicit Matrices(const ProductSize& product)
      : size(product),
        left(random_matrix(size.rows * size.depth, 1)),
        right(random_matrix(size.depth * size.columns, 2)) {}

  /// The product plus `start` everywhere, one number at a time in double.
  std::vector<float> expected(double start) const {
    std::vector<float> out;
    for (std::size_t i = 0; i < size.rows; ++i) {
      for (std::size_t j = 0; j < size.columns; ++j) {
        double sum = start;
        for (std::size_t k = 0; k < size.depth; ++k) {
          sum += static_cast<double>(left[i * size.depth + k]) *
                 static_cast<double>(right[k * size.columns + j]);
        }
        out.push_back(static_cast<float>(sum));
      }
    }
    return out;
  }

  ProductSize size;
  std::vector<float> left;   // (rows, depth)
  std::vector<float> right;  // (depth, columns)
};

std::vector<float> transpose(const std::vector<float>& values, std::size_t rows) {
  const std::size_t columns = values.size() / rows;
  std::vector<float> out(values.size());
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) out[j * rows + i] = values[i * columns + j];
  }
  return out;
}

/// The right factor in rows of `stride` numbers; those beyond its columns must not be used.
std::vector<float> with_stride(const Matrices& m, std::size_t stride) {
  std::vector<float> right(m.size.depth * stride, 1e9F);
  for (std::size_t k = 0; k < m.size.depth; ++k) {
    std::copy_n(m.right.begin() + static_cast<std::ptrdiff_t>(k * m.size.columns), m.size.columns,
                right.begin() + static_cast<std::ptrdiff_t>(k * stride));
  }
  return right;
}

void expect_near(const std::vector<float>& actual, const std::vector<float>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) ASSERT_NEAR(actual[i], expected[i], 2e-4) << i;
}

/// Around the sizes of vectors (4, 8, 16), tiles (4, 8 rows), panels (48) and blocks (144 rows,
/// depth 384); the last two with several blocks, and right factors too large to stay in the cache.
const ProductSize kSizes[] = {{1, 1, 1},      {3, 5, 7},       {8, 48, 4},     {9, 49, 3},
                              {7, 47, 5},     {16, 16, 16},    {17, 33, 65},   {5, 100, 2},
                              {130, 20, 11},  {2, 3, 600},     {15, 64, 1},    {4, 31, 257},
                              {129, 52, 390}, {300, 100, 400}, {512, 228, 144}};

TEST(Product, APackedMatrixAndItsTransposeGiveTheProductOfAPlainLoop) {
  for_each_instruction_set([] {
    for (const ProductSize& size : kSizes) {
      const Matrices m(size);
      std::vector<float> out(size.rows * size.columns, 9);
      const auto packed = PackedMatrix::of(m.right.data(), size.columns, size.depth, size.columns);
      multiply(size, {m.left.data(), size.depth}, packed.factor(), out.data(), size.columns,
               Into::kSet);
      expect_near(out, m.expected(0));

      const std::vector<float> right = transpose(m.right, size.depth);
      const auto turned =
          PackedMatrix::of_transpose(right.data(), size.depth, size.depth, size.columns);
      multiply(size, {m.left.data(), size.depth}, turned.factor(), out.data(), size.columns,
               Into::kSet);
      expect_near(out, m.expected(0));

      const auto twice = turned.transposed(size.columns).transposed(size.depth);
      multiply(size, {m.left.data(), size.depth}, twice.factor(), out.data(), size.columns,
               Into::kSet);
      expect_near(out, m.expected(0));
    }
  });
}

TEST(Product, ATransposedLeftFactorIsReadInPlace) {
  for_each_instruction_set([] {
    for (const ProductSize& size : kSizes) {
      const Matrices m(size);
      std::vector<float> out(size.rows * size.columns);
      const std::vector<float> left = transpose(m.left, size.rows);
      const auto packed = PackedMatrix::of(m.right.data(), size.columns, size.depth, size.columns);
      multiply(size, {left.data(), 1, size.rows}, packed.factor(), out.data(), size.columns,
               Into::kSet);
      expect_near(out, m.expected(0));

      const std::size_t stride = (size.columns + 15) / 16 * 16;
      const std::vector<float> right = with_stride(m, stride);
      multiply(size, {left.data(), 1, size.rows}, {right.data(), stride}, out.data(), size.columns,
               Into::kSet);
      expect_near(out, m.expected(0));
    }
  });
}

TEST(Product, RowsOfAPlainRightFactorMayBeWiderThanTheProduct) {
  for_each_instruction_set([] {
    for (const ProductSize& size : kSizes) {
      const Matrices m(size);
      const std::size_t stride = (size.columns + 15) / 16 * 16;
      const std::vector<float> right = with_stride(m, stride);
      std::vector<float> out(size.rows * size.columns);
      multiply(size, {m.left.data(), size.depth}, {right.data(), stride}, out.data(), size.columns,
               Into::kSet);
      expect_near(out, m.expected(0));
    }
  });
}

TEST(Product, AddsToWhatIsThereAndTouchesNothingBesideIt) {
  for_each_instruction_set([] {
    for (const ProductSize& size : kSizes) {
      const Matrices m(size);
      const std::size_t stride = size.columns + 3;
      std::vector<float> out(size.rows * stride, 0.5F);
      const auto packed = PackedMatrix::of(m.right.data(), size.columns, size.depth, size.columns);
      multiply(size, {m.left.data(), size.depth}, packed.factor(), out.data(), stride, Into::kAdd);
      std::vector<float> inside;
      for (std::size_t i = 0; i < out.size(); ++i) {
        if (i % stride < size.columns) {
          inside.push_back(out[i]);
        } else {
          ASSERT_EQ(out[i], 0.5F);
        }
      }
      expect_near(inside, m.expected(0.5));
    }
  });
}

TEST(Product, WithoutDepthItIsZeroOrWhatWasThere) {
  std::vector<float> out(6, 4);
  const auto packed = PackedMatrix::of(nullptr, 3, 0, 3);
  multiply({2, 3, 0}, {nullptr, 1}, packed.factor(), out.data(), 3, Into::kAdd);
  EXPECT_EQ(out, std::vector<float>(6, 4));
  multiply({2, 3, 0}, {nullptr, 1}, packed.factor(), out.data(), 3, Into::kSet);
  EXPECT_EQ(out, std::vector<float>(6, 0));
}

}  // namespace
}  // namespace hmtc
