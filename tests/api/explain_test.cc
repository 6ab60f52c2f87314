#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "api/tiny_documents.h"
#include "support/expect_error.h"

namespace hmtc {
namespace {

TEST(ClassifierExplain, TheWordsOfALabelSpeakForIt) {
  const Explanation explanation =
      tiny_classifier().explain(Document::of_text("the leaf"), {.labels = {"tea"}});
  ASSERT_EQ(explanation.words.size(), 2U);
  EXPECT_EQ(explanation.word(1), "leaf");
  ASSERT_EQ(explanation.labels.size(), 1U);
  EXPECT_EQ(explanation.labels[0].label, "tea");
  EXPECT_EQ(explanation.method, WordMethod::kCoefficient);
  EXPECT_GT(explanation.labels[0].weights[1], explanation.labels[0].weights[0]);
}

TEST(ClassifierExplain, WithoutLabelsThoseThatArePredictedAreExplained) {
  const Explanation explanation = tiny_classifier().explain(Document::of_text("rye loaf"));
  ASSERT_EQ(explanation.labels.size(), 2U);
  EXPECT_EQ(explanation.labels[0].label, "bakery");
  EXPECT_TRUE(explanation.labels[0].predicted);
}

TEST(ClassifierExplain, IsTheSameAsJson) {
  const Explanation explanation = tiny_classifier().explain(Document::of_words({"rye", "loaf"}));
  const auto json = nlohmann::json::parse(to_json(explanation));
  EXPECT_EQ(json.at("text"), "rye loaf");
  EXPECT_EQ(json.at("method"), "coefficient");
  EXPECT_EQ(json.at("labels").size(), explanation.labels.size());
}

TEST(ClassifierExplain, WhatIsUnknownOrTooLargeIsAnError) {
  const Document text = Document::of_text("leaf pot cup");
  expect_error(ErrorKind::kUsage, {"cocoa"},
               [&] { tiny_classifier().explain(text, {.labels = {"cocoa"}}); });
  expect_error(ErrorKind::kUsage, {"from 1 to 2"},
               [&] { tiny_classifier().explain(text, {.level = 3}); });
  expect_error(ErrorKind::kInput, {"at most 2"},
               [&] { tiny_classifier().explain(text, {.labels = {"tea"}, .most_weights = 2}); });
}

}  // namespace
}  // namespace hmtc
