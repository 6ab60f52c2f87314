#include "text/subword_vectors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/temporary_directory.h"

namespace hmtc {
namespace {

using testing::ElementsAre;

TEST(PiecesOf, AWordShorterThanAPieceHasNone) {
  EXPECT_TRUE(pieces_of("<>").empty());
  EXPECT_THAT(pieces_of("<a>"), ElementsAre("<a>"));
}

TEST(PiecesOf, AreAllStretchesOfThreeToSixCodePoints) {
  EXPECT_THAT(pieces_of("<abc>"), ElementsAre("<ab", "abc", "bc>", "<abc", "abc>", "<abc>"));
  EXPECT_EQ(pieces_of("<abcdef>").size(), 6U + 5U + 4U + 3U);
}

TEST(PiecesOf, CountCodePointsNotBytes) {
  EXPECT_THAT(pieces_of("<ÄÖ>"), ElementsAre("<ÄÖ", "ÄÖ>", "<ÄÖ>"));
}

TEST(PieceWeight, LongAndRarePiecesCountMore) {
  // Length 4, in three of seven words: 4⁴ · ln(8 / 4)² · 3 / 6 = 256 · 0.480453 · 0.5.
  EXPECT_NEAR(piece_weight(4, 3, 7), 61.497986, 1e-5);
  EXPECT_GT(piece_weight(5, 3, 7), piece_weight(4, 3, 7));
  EXPECT_GT(piece_weight(4, 100, 1000000), piece_weight(4, 1000, 1000000));
  EXPECT_LT(piece_weight(4, 1, 1000000), piece_weight(4, 10, 1000000));  // one word says little
  EXPECT_EQ(piece_weight(3, 7, 7), 0);  // a piece of every word says nothing
}

/// Ids: cats 2 (6 times), dogs 3 (4 times), xy 4 (twice).
Vocabulary animals() {
  VocabularyBuilder builder;
  builder.add("cats", 6);
  builder.add("dogs", 4);
  builder.add("xy", 2);
  return builder.build(1, 0);
}

WordVectors load(const std::string& content, const Vocabulary& vocabulary, bool subwords = true) {
  const TemporaryDirectory directory;
  return load_word_vectors(directory.write("vectors", content), vocabulary, subwords);
}

std::vector<float> row(const WordVectors& vectors, std::size_t id) {
  const auto begin = vectors.values.begin() + static_cast<std::ptrdiff_t>(id * vectors.width);
  return {begin, begin + static_cast<std::ptrdiff_t>(vectors.width)};
}

TEST(SubwordVectors, WithoutThemMissingWordsHaveNoVector) {
  const WordVectors vectors = load("cat 1 0\ndogs 3 4\n", animals(), false);
  EXPECT_EQ(vectors.words_composed, 0U);
  EXPECT_EQ(vectors.composed_share, 0);
  EXPECT_THAT(vectors.found, ElementsAre(0, 0, 0, 1, 0));
}

TEST(SubwordVectors, AWordTakesThePlaceBetweenThoseThatShareItsPieces) {
  // Of "<cats>", "<cat>" shares <ca, cat, <cat (each in one row) and "bats" shares ats, ts>, ats>:
  // three pieces of 3, 3 and 4 code points on either side, equally rare. So "cats" lies halfway
  // between (1, 0) and (0, 1), and is as long as the one vector that was found, (3, 4): 5.
  const WordVectors vectors = load("cat 1 0\ndogs 3 4\nbats 0 1\n", animals());
  EXPECT_EQ(vectors.words_found, 1U);
  EXPECT_EQ(vectors.words_composed, 1U);
  EXPECT_THAT(row(vectors, 2), testing::Pointwise(testing::FloatNear(1e-5F),
                                                  std::vector<float>(2, 5 / std::sqrt(2.0F))));
  EXPECT_THAT(row(vectors, 3), ElementsAre(3, 4));
  EXPECT_DOUBLE_EQ(vectors.occurrence_share, 4.0 / 12);
  EXPECT_DOUBLE_EQ(vectors.composed_share, 6.0 / 12);
}

TEST(SubwordVectors, AWordWithoutAKnownPieceStaysWithoutAVector) {
  const WordVectors vectors = load("cat 1 0\ndogs 3 4\n", animals());
  EXPECT_THAT(vectors.found, ElementsAre(0, 0, 1, 1, 0));
  EXPECT_THAT(row(vectors, 4), ElementsAre(0, 0));
}

TEST(SubwordVectors, APieceHasTheMeanOfItsRowsAndCountsByLengthAndRarity) {
  // Of "<cats>": "cat" has <ca, cat, <cat; "cab" has <ca. Four rows in all.
  //   <ca   in two rows, mean (0.5, 0.5), weight 81 · ln(5/3)² · 2/5 = 8.454547
  //   cat   in one row, (1, 0), weight 81 · ln(5/2)² · 1/4 = 17.001671
  //   <cat  in one row, (1, 0), weight 256 · ln(5/2)² · 1/4 = 53.733677
  // Sum (4.227274 + 70.735348, 4.227274), of length 75.081719; scaled to 5: (4.992069, 0.281512).
  const WordVectors vectors = load("cat 1 0\ndogs 3 4\ncab 0 1\nzz 9 9\n", animals());
  EXPECT_NEAR(row(vectors, 2)[0], 4.992069, 1e-5);
  EXPECT_NEAR(row(vectors, 2)[1], 0.281512, 1e-5);
}

TEST(SubwordVectors, APieceThatAWordHasTwiceCountsOnce) {
  VocabularyBuilder builder;
  builder.add("dogs", 1);
  builder.add("nanana", 1);
  const Vocabulary vocabulary = builder.build(1, 0);
  const auto direction = [&](const std::string& other) {
    const WordVectors vectors = load("dogs 3 4\n" + other + "xnan 0 1\n", vocabulary);
    return row(vectors, 3)[0] / row(vectors, 3)[1];
  };
  // "ana" twice in one row of the file, once in the other; both are one row that contains it.
  EXPECT_NEAR(direction("anaxanab 1 0\n"), direction("anaxbbb 1 0\n"), 1e-6);
}

TEST(SubwordVectors, WhereTheFileHasNoWordOfTheVocabularyNothingIsComposed) {
  const WordVectors vectors = load("cat 1 0\nbats 0 1\n", animals());
  EXPECT_EQ(vectors.words_composed, 0U);
  EXPECT_EQ(vectors.values, std::vector<float>(10, 0.0F));
}

TEST(SubwordVectors, VectorsThatCancelGiveNone) {
  const WordVectors vectors = load("dogs 3 4\nxcatsy 1 1\nycatsx -1 -1\n", animals());
  EXPECT_THAT(vectors.found, ElementsAre(0, 0, 0, 1, 0));
}

TEST(SubwordVectors, ComeFromJsonAsFromText) {
  const WordVectors text = load("cat 1 0\ndogs 3 4\ncab 0 1\nzz 9 9\n", animals());
  const WordVectors json =
      load(R"({"vectors":{"cat":[1,0,1,0],"dogs":[3,4,5,1],"cab":[0,1,1,2],"zz":[9,9,12.7,3]}})",
           animals());
  EXPECT_EQ(json.values, text.values);
  EXPECT_EQ(json.words_composed, 1U);
}

}  // namespace
}  // namespace hmtc
