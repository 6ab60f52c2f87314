#include "experiment/search_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hmtc {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Key;
using testing::Not;

TEST(SearchSpace, TheFirstTrialIsTheSettingsAsTheyAre) {
  EXPECT_THAT(draw_trials("la-hcn", {}, 1, 0), testing::ElementsAre(IsEmpty()));
}

TEST(SearchSpace, ALongerSearchBeginsWithTheTrialsOfAShorterOne) {
  const std::vector<Settings> few = draw_trials("la-hcn", {}, 5, 3);
  std::vector<Settings> many = draw_trials("la-hcn", {}, 20, 3);
  ASSERT_EQ(few.size(), 5U);
  ASSERT_EQ(many.size(), 20U);
  many.resize(5);
  EXPECT_EQ(many, few);
  EXPECT_NE(draw_trials("la-hcn", {}, 5, 4), few);
}

TEST(SearchSpace, NoTrialComesTwice) {
  std::vector<Settings> trials = draw_trials("flat", {}, 200, 0);
  std::sort(trials.begin(), trials.end());
  EXPECT_EQ(std::adjacent_find(trials.begin(), trials.end()), trials.end());
}

TEST(SearchSpace, TheDefaultsDoNotComeAgainUnderTheirNames) {
  // Of the encoder, `auto` is the default.
  Settings fixed = draw_trials("flat", {}, 2, 0)[1];
  fixed.erase("encoder.kind");
  EXPECT_THAT(draw_trials("flat", fixed, 100, 0),
              testing::ElementsAre(Settings{}, Settings{{"encoder.kind", "embedding"}}));
}

TEST(SearchSpace, ASmallSpaceHasFewerTrialsThanAskedFor) {
  // The defaults, and two ways to count by four numbers of pairs.
  EXPECT_EQ(draw_trials("linear", {}, 100, 0).size(), 9U);
}

TEST(SearchSpace, WhatTheUserSetsIsLeftAlone) {
  for (const Settings& trial : draw_trials("la-hcn", {{"encoder.dropout", "0.5"}}, 10, 0)) {
    EXPECT_THAT(trial, Not(Contains(Key("encoder.dropout"))));
  }
}

TEST(SearchSpace, AModelGetsItsOwnSettingsOnly) {
  EXPECT_THAT(draw_trials("hmcn-f", {}, 3, 0)[1], Contains(Key("hmcn.width")));
  EXPECT_THAT(draw_trials("hmcn-f", {}, 3, 0)[1], Not(Contains(Key("model.components"))));
  EXPECT_THAT(draw_trials("capsule", {}, 3, 0)[1], Not(Contains(Key("encoder.kind"))));
  EXPECT_THAT(
      draw_trials("linear", {}, 3, 0)[1],
      testing::UnorderedElementsAre(Key("linear.term_frequency"), Key("linear.word_pairs")));
  EXPECT_THAT(draw_trials("la-hcn-nc", {}, 3, 0)[1], Contains(Key("model.document_width")));
}

}  // namespace
}  // namespace hmtc
