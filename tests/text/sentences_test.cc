#include "text/sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hmtc {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SentenceFinder, SentencesTogetherAreTheText) {
  SentenceFinder finder;
  EXPECT_THAT(finder.find("Shoes for hills. Are they dry? Yes! "),
              ElementsAre("Shoes for hills. ", "Are they dry? ", "Yes! "));
  EXPECT_THAT(finder.find("one without an end"), ElementsAre("one without an end"));
  EXPECT_THAT(finder.find(""), IsEmpty());
}

TEST(SentenceFinder, ANumberEndsNoSentenceAndOffsetsAreBytes) {
  SentenceFinder finder;
  EXPECT_THAT(finder.find("Größe 3.5 passt. Übergröße nicht。終わり。"),
              ElementsAre("Größe 3.5 passt. ", "Übergröße nicht。", "終わり。"));
}

}  // namespace
}  // namespace hmtc
