#include "linear/tf_idf.h"

#include <gtest/gtest.h>

#include <cmath>

#include "linear/documents.h"
#include "support/expect_error.h"

namespace hmtc {
namespace {

constexpr TfIdfOptions kBinary{TfIdfOptions::TermFrequency::kBinary};
constexpr TfIdfOptions kSublinear{TfIdfOptions::TermFrequency::kSublinear};

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
  const Documents documents = twelve_documents();
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

TEST(TfIdf, WithoutPairsToFindItHasWordsAlone) {
  const Documents documents({{2, 3}, {3, 2}, {4}});
  const TfIdf tf_idf = TfIdf::fit(documents.rows(), 5, {kBinary.term_frequency, 10});
  EXPECT_TRUE(tf_idf.pairs().empty());
  EXPECT_EQ(tf_idf.vocabulary_size(), 5U);
  EXPECT_EQ(tf_idf.transform(documents.rows()).num_columns, 5U);
}

TEST(TfIdf, PairsHaveTheColumnsBehindTheVocabularyAndShareTheNorm) {
  // Words 2 and 3 with idf 3 and 4, the pair 2 3 with idf 12: (3, 4, 12) / 13.
  const TfIdf tf_idf({0, 0, 3, 4, 12}, kBinary, {{2, 3}});
  EXPECT_EQ(tf_idf.vocabulary_size(), 4U);
  const Documents documents({{2, 3}, {3, 2}, {2, 1, 3}});
  const SparseMatrix matrix = tf_idf.transform(documents.rows());
  EXPECT_EQ(matrix.num_columns, 5U);
  expect_row(matrix.row(0), {2, 3, 4}, {3.0F / 13, 4.0F / 13, 12.0F / 13});
  expect_row(matrix.row(1), {2, 3}, {0.6F, 0.8F});  // the other order is another pair
  expect_row(matrix.row(2), {2, 3}, {0.6F, 0.8F});  // not side by side
}

TEST(TfIdf, PairsOfHalfTheWeightAgreeWithScikitLearn) {
  // Literals of make_expected.py.
  const Documents documents = twelve_documents();
  const TfIdf tf_idf = TfIdf::fit(documents.rows(), 9, {kSublinear.term_frequency, 100});
  EXPECT_EQ(tf_idf.pairs(), (std::vector<WordPair>{{2, 3}, {3, 4}, {4, 6}, {6, 7}, {7, 8}}));
  ASSERT_EQ(tf_idf.idf().size(), 14U);
  for (std::size_t i = 9; i < 14; ++i) EXPECT_NEAR(tf_idf.idf()[i], 1.233169, 1e-6);
  const SparseMatrix rows = tf_idf.transform(documents.rows());
  expect_row(rows.row(0), {2, 3, 4, 9, 10},
             {0.443768F, 0.535993F, 0.535993F, 0.338004F, 0.338004F});
  expect_row(rows.row(1), {2, 3, 5, 9}, {0.372134F, 0.449471F, 0.761021F, 0.283442F});
  expect_row(rows.row(5), {6, 7, 8, 12, 13},
             {0.406549F, 0.688347F, 0.448351F, 0.282735F, 0.282735F});
  expect_row(rows.row(10), {2, 4, 6, 11}, {0.685243F, 0.488824F, 0.443249F, 0.308258F});
}

TEST(TfIdf, APairThatComesAgainCountsByItsLogarithm) {
  // 2 3 2 3: each word twice, 2 3 twice; idf 1 each, so that all three are equal.
  const TfIdf tf_idf({0, 0, 1, 1, 1}, kSublinear, {{2, 3}});
  const float third = std::sqrt(1.0F / 3);
  expect_row(tf_idf.transform(Documents({{2, 3, 2, 3}}).rows()).row(0), {2, 3, 4},
             {third, third, third});
}

TEST(TfIdf, TheNumberOfThreadsChangesNothing) {
  std::vector<std::vector<std::int32_t>> rows;
  for (std::int32_t i = 0; i < 1000; ++i) rows.push_back({2 + i % 7, 2 + i % 5, 2 + i % 3});
  const Documents documents(rows);
  const TfIdf tf_idf = TfIdf::fit(documents.rows(), 9, {kSublinear.term_frequency, 20});
  const SparseMatrix one = tf_idf.transform(documents.rows(), 1);
  ASSERT_EQ(one.num_rows(), 1000U);
  const SparseMatrix four = tf_idf.transform(documents.rows(), 4);
  EXPECT_EQ(four.offsets, one.offsets);
  EXPECT_EQ(four.columns, one.columns);
  EXPECT_EQ(four.values, one.values);
}

TEST(TfIdf, PairsThatAreNoneOrTwiceAreRefused) {
  const std::vector<float> idf(6, 1.0F);  // four words, two pairs
  const std::vector<std::vector<WordPair>> wrong = {
      {{2, 3}, {2, 3}}, {{2, 3}, {1, 3}}, {{2, 3}, {3, 4}}};
  for (const std::vector<WordPair>& pairs : wrong) {
    expect_error(ErrorKind::kInternal, {"pairs"}, [&] { TfIdf(idf, kBinary, pairs); });
  }
  expect_error(ErrorKind::kInternal, {"pairs"}, [&] { TfIdf({}, kBinary, {{2, 3}}); });
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
