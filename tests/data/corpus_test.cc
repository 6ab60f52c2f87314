#include "data/corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hmtc {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Corpus, SentencesEndWithTheWords) {
  Corpus corpus;
  const std::vector<std::int32_t> words = {7, 8, 9, 7};
  corpus.append("cut", words, {}, std::vector<std::int32_t>{3, 3, 2});
  corpus.append("tokens", words, {});
  corpus.append("whole", words, {}, std::vector<std::int32_t>{4});
  EXPECT_THAT(corpus.sentences_of(0), ElementsAre(3, 1));
  EXPECT_THAT(corpus.sentences_of(1), IsEmpty());
  EXPECT_THAT(corpus.sentences_of(2), ElementsAre(4));
}

}  // namespace
}  // namespace hmtc
