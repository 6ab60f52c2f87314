#include "linear/tf_idf.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/expect_error.h"

namespace hmtc {
namespace {

constexpr TfIdfOptions kBinary{TfIdfOptions::TermFrequency::kBinary};
constexpr TfIdfOptions kSublinear{TfIdfOptions::TermFrequency::kSublinear};

/// Owns what IdRows only views.
struct Documents {
  std::vector<std::size_t> offsets = {0};
  std::vector<std::int32_t> words;

  explicit Documents(const std::vector<std::vector<std::int32_t>>& rows) {
    for (const auto& row : rows) {
      words.insert(words.end(), row.begin(), row.end());
      offsets.push_back(words.size());
    }
  }
  IdRows rows() const { return {offsets, words}; }
};

void expect_row(const SparseRow& row, const std::vector<std::int32_t>& columns,
                const std::vector<float>& values) {
  ASSERT_EQ(std::vector<std::int32_t>(row.columns.begin(), row.columns.end()), columns);
  for (std::size_t k = 0; k < values.size(); ++k) EXPECT_NEAR(row.values[k], values[k], 1e-6);
}

TEST(TfIdf, NoDocumentsGiveNoRows) {
  const TfIdf tf_idf = TfIdf::fit({}, 3, kBinary);
  EXPECT_EQ(tf_idf.idf(), (std::vector<float>{1, 1, 1}));  // ln(1 / 1) + 1
  EXPECT_EQ(tf_idf.transform({}).num_rows(), 0U);
}

TEST(TfIdf, ADocumentWithoutKnownWordsGivesAnEmptyRow) {
  const Documents documents({{}, {0, 1, 1}, {2}});
  const SparseMatrix matrix = TfIdf::fit(documents.rows(), 3, kBinary).transform(documents.rows());
  ASSERT_EQ(matrix.num_rows(), 3U);
  EXPECT_EQ(matrix.num_columns, 3U);
  EXPECT_EQ(matrix.row(0).size(), 0U);
  EXPECT_EQ(matrix.row(1).size(), 0U);
  expect_row(matrix.row(2), {2}, {1});
}

TEST(TfIdf, IdfCountsDocumentsNotOccurrences) {
  const Documents documents({{2, 2, 2}, {2, 3}, {4}});
  const TfIdf tf_idf = TfIdf::fit(documents.rows(), 6, kBinary);
  EXPECT_FLOAT_EQ(tf_idf.idf()[2], 1.2876821F);  // ln(4 / 3) + 1
  EXPECT_FLOAT_EQ(tf_idf.idf()[3], 1.6931472F);  // ln(4 / 2) + 1
  EXPECT_FLOAT_EQ(tf_idf.idf()[5], 2.3862944F);  // ln(4 / 1) + 1: in no document
}

TEST(TfIdf, TermFrequencyIsOneOrOnePlusItsLogarithm) {
  // idf 3 and 4, word 2 three times. Binary: (3, 4) / 5.
  // Sublinear: 3 · (1 + ln 3) = 6.2958369 and 4; norm sqrt(39.637562 + 16) = 7.4590591.
  const Documents documents({{3, 2, 2, 2}});
  const std::vector<float> idf = {0, 0, 3, 4};
  expect_row(TfIdf(idf, kBinary).transform(documents.rows()).row(0), {2, 3}, {0.6F, 0.8F});
  expect_row(TfIdf(idf, kSublinear).transform(documents.rows()).row(0), {2, 3},
             {0.8440524F, 0.5362607F});
}

TEST(TfIdf, AgreesWithScikitLearn) {
  // Literals of make_expected.py.
  const Documents documents({{2, 3, 4},
                             {2, 3, 5, 5},
                             {2, 4, 4, 4},
                             {3, 4, 6},
                             {2, 6, 7},
                             {6, 7, 7, 8},
                             {5, 7, 8},
                             {6, 8},
                             {2, 8, 8, 5},
                             {3, 7, 5},
                             {4, 6, 2, 2},
                             {7}});
  const TfIdf binary = TfIdf::fit(documents.rows(), 9, kBinary);
  const std::vector<float> idf = {1.619039F, 1.955511F, 1.955511F, 1.955511F,
                                  1.773190F, 1.773190F, 1.955511F};
  for (std::size_t i = 0; i < idf.size(); ++i) EXPECT_NEAR(binary.idf()[i + 2], idf[i], 1e-6);
  const SparseMatrix ones = binary.transform(documents.rows());
  expect_row(ones.row(1), {2, 3, 5}, {0.505227F, 0.610224F, 0.610224F});
  expect_row(ones.row(10), {2, 4, 6}, {0.522828F, 0.631484F, 0.572607F});
  const SparseMatrix logs = TfIdf(binary.idf(), kSublinear).transform(documents.rows());
  expect_row(logs.row(1), {2, 3, 5}, {0.388048F, 0.468693F, 0.793566F});
  expect_row(logs.row(5), {6, 7, 8}, {0.443549F, 0.750994F, 0.489155F});
}

TEST(TfIdf, AWordOutsideTheVocabularyIsRefused) {
  for (const std::int32_t word : {-1, 3}) {
    const Documents documents({{2, word}});
    expect_error(ErrorKind::kInternal, {"below 3", std::to_string(word)},
                 [&] { TfIdf::fit(documents.rows(), 3, kBinary); });
    expect_error(ErrorKind::kInternal, {"below 3", std::to_string(word)}, [&] {
      TfIdf({1, 1, 1}, kBinary).transform(documents.rows());
    });
  }
}

}  // namespace
}  // namespace hmtc
