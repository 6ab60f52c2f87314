#include "data/splices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hmtc {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Ids = std::vector<std::int32_t>;

/// Two documents of four and two words; what lies behind the fourth is not read.
Corpus two_documents() {
  Corpus corpus;
  corpus.max_words = 4;
  corpus.append("long", Ids{1, 2, 3, 4, 5, 6}, std::vector<LabelId>{0}, Ids{3, 3});
  corpus.append("short", Ids{7, 8}, std::vector<LabelId>{1}, Ids{1, 1});
  return corpus;
}

Corpus spliced(const Corpus& from, const std::vector<Splice>& splices, std::size_t most_words = 0) {
  Corpus to;
  append_splices(from, splices, most_words, to);
  EXPECT_EQ(to.size(), splices.size());
  return to;
}

TEST(Splices, OfDocumentsWithoutWordsHaveNone) {
  Corpus corpus;
  corpus.append("empty", {}, {});
  EXPECT_THAT(spliced(corpus, {{0, 0, 0.5}}).words_of(0), IsEmpty());
}

TEST(Splices, BeginAsOneDocumentAndEndAsAnother) {
  // Half of four words is two, half of two is one.
  const Corpus corpus = spliced(two_documents(), {{0, 1, 0.5}, {1, 0, 0.5}});
  EXPECT_THAT(corpus.words_of(0), ElementsAre(1, 2, 8));
  EXPECT_THAT(corpus.words_of(1), ElementsAre(7, 3, 4));
}

TEST(Splices, WithACutAtTheEdgeAreOneOfTheTwo) {
  const Corpus corpus = spliced(two_documents(), {{0, 1, 0}, {0, 1, 1}});
  EXPECT_THAT(corpus.words_of(0), ElementsAre(7, 8));
  EXPECT_THAT(corpus.words_of(1), ElementsAre(1, 2, 3, 4));
}

TEST(Splices, HaveNoMoreOfADocumentThanAskedFor) {
  // 1 2 3 and 7 8: the half of three is rounded to two.
  EXPECT_THAT(spliced(two_documents(), {{0, 1, 0.5}}, 3).words_of(0), ElementsAre(1, 2, 8));
  EXPECT_THAT(spliced(two_documents(), {{1, 0, 0.5}}, 3).words_of(0), ElementsAre(7, 3));
}

TEST(Splices, HaveNoLabels) {
  EXPECT_THAT(spliced(two_documents(), {{0, 1, 0.5}}).labels, IsEmpty());
}

TEST(Splices, CutSentencesWhereTheyCutWords) {
  const Corpus corpus = spliced(two_documents(), {{0, 1, 0.5}, {1, 0, 0.5}});
  EXPECT_THAT(corpus.sentences_of(0), ElementsAre(2, 1));     // 1 2 | 8
  EXPECT_THAT(corpus.sentences_of(1), ElementsAre(1, 1, 1));  // 7 | 3 | 4
}

TEST(Splices, AreDecidedByTheSeed) {
  const auto plan = [](std::uint64_t seed) {
    std::vector<double> numbers;
    for (const Splice& splice : plan_splices(10, 20, seed)) {
      EXPECT_LT(splice.first_document, 10U);
      EXPECT_LT(splice.second_document, 10U);
      EXPECT_GE(splice.cut, 0);
      EXPECT_LT(splice.cut, 1);
      numbers.insert(numbers.end(), {static_cast<double>(splice.first_document),
                                     static_cast<double>(splice.second_document), splice.cut});
    }
    EXPECT_EQ(numbers.size(), 60U);
    return numbers;
  };
  EXPECT_EQ(plan(3), plan(3));
  EXPECT_NE(plan(3), plan(4));
}

}  // namespace
}  // namespace hmtc
