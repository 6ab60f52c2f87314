#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "explain/explanation_page.h"
#include "explain/explanation_text.h"

namespace hmtc {
namespace {

using testing::HasSubstr;
using testing::Not;

/// "Yoga & tea" with one label that looks at yoga, and at tea by its linear part.
Explanation yoga() {
  Explanation explanation;
  explanation.id = "<1>";
  explanation.text = "Yoga & tea";
  explanation.words = {{0, 4}, {7, 10}};
  LabelExplanation label;
  label.label = "Exercise";
  label.level = 2;
  label.predicted = true;
  label.score = 0.75F;
  label.local = 0.5F;
  label.weights = {0.75F, 0.25F};
  label.evidence = {2.0F, -1.0F};
  label.votes = {{"network", 0.5F}, {"linear", -1.25F}, {"shift", 0.25F}};
  label.linear_share = 0.5F;
  label.linear_weights = {-0.5F, 1.0F};
  explanation.labels.push_back(label);
  return explanation;
}

Hierarchy sport_over_exercise() {
  return Hierarchy(
      std::vector<HierarchyEdge>{{"Sport", "", "", {}}, {"Exercise", "Sport", "", {}}});
}

TEST(ExplanationJson, AnEmptyExplanationIsValid) {
  const auto json = nlohmann::json::parse(explanation_json({}));
  EXPECT_TRUE(json["words"].empty());
  EXPECT_TRUE(json["labels"].empty());
  EXPECT_FALSE(json.contains("scores"));
}

TEST(ExplanationJson, HasEveryPart) {
  Explanation explanation = yoga();
  explanation.scores = {{"Sport", 0.5F}, {"Exercise", 0.75F}};
  explanation.components = {{2, 7, 0.5F, {{1, 0.25F}}, {{"Exercise", 0.5F}}}};
  EXPECT_EQ(
      explanation_json(explanation),
      R"({"id":"<1>","text":"Yoga & tea","method":"attention","words":[[0,4],[7,10]],)"
      R"("labels":[{"label":"Exercise","level":2,"predicted":true,"score":0.75,)"
      R"("parts":{"local":0.5},"votes":{"network":0.5,"linear":-1.25,"shift":0.25},)"
      R"("linear_share":0.5,"weights":[0.75,0.25],)"
      R"("evidence_weights":[2,-1],"linear_weights":[-0.5,1]}],"scores":{"Sport":0.5,"Exercise":0.75},)"
      R"("components":[{"level":2,"component":7,"use":0.5,"words":[[1,0.25]],)"
      R"("labels":[["Exercise",0.5]]}]})");
}

TEST(ExplanationText, ListsTheHeaviestWords) {
  const std::string text = explanation_text(yoga(), {});
  EXPECT_THAT(text, HasSubstr("0.750  Exercise  (local 0.500)"));
  EXPECT_THAT(text, HasSubstr("votes: network +0.50, linear -1.25, shift +0.25\n"));
  EXPECT_THAT(text, HasSubstr("attention: Yoga 0.75, tea 0.25"));
  EXPECT_THAT(text, HasSubstr("evidence: Yoga 2.00\n"));
  EXPECT_THAT(text, HasSubstr("linear, 50 % of the vote: tea 1.00"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(ExplanationText, AWordThatComesTwiceIsListedOnce) {
  Explanation explanation = yoga();
  explanation.text = "tea a tea";
  explanation.words = {{0, 3}, {6, 9}};
  EXPECT_THAT(explanation_text(explanation, {}), HasSubstr("attention: tea 1.00\n"));
}

TEST(ExplanationText, ColoursKeepTheTextAsItIs) {
  std::string text = explanation_text(yoga(), {.colours = true});
  EXPECT_THAT(text, HasSubstr("\x1b[38;5;16;48;5;208mYoga\x1b[0m & "));
}

TEST(ExplanationText, NothingInATextReachesTheTerminalAsAnEscape) {
  Explanation explanation = yoga();
  explanation.id = "\x1b[2J";
  explanation.text = "Yoga \x1b]0;title\x07 tea";
  explanation.words = {{0, 4}, {6, 9}};
  explanation.labels[0].description = "\u009B1m";
  const std::string text = explanation_text(explanation, {});
  for (const char* control : {"\x1b", "\x07", "\u009B"}) EXPECT_THAT(text, Not(HasSubstr(control)));
  EXPECT_THAT(explanation_text(explanation, {.colours = true}), HasSubstr("Yoga\x1b[0m \uFFFD"));
}

TEST(ExplanationJson, BeginsWithTheModelIfItIsNamed) {
  EXPECT_THAT(explanation_json({}, "m\"1"), testing::StartsWith(R"({"model":"m\"1","id":"")"));
}

TEST(ExplanationPage, MarksWordsAndEscapesTheRest) {
  const std::string page = explanation_page({{"m<odel", {yoga()}}}, sport_over_exercise());
  EXPECT_THAT(page, HasSubstr("m&lt;odel"));
  EXPECT_THAT(page, HasSubstr("&lt;1&gt;"));
  EXPECT_THAT(page, HasSubstr(R"(<mark style="--w:1.00" title="0.7500">Yoga</mark> &amp; )"));
  EXPECT_THAT(page, HasSubstr(R"(class="against" style="--w:0.50")"));
  EXPECT_THAT(page, HasSubstr(R"(<a href="#m1d1-1">Exercise</a>)"));
  EXPECT_THAT(page, HasSubstr("<li>Sport"));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
}

TEST(ExplanationPage, ShowsSeveralModelsSideBySide) {
  const std::string page =
      explanation_page({{"one", {yoga()}}, {"two", {yoga()}}}, sport_over_exercise());
  EXPECT_THAT(page, HasSubstr("<h3>one"));
  EXPECT_THAT(page, HasSubstr("<h3>two"));
  EXPECT_THAT(page, HasSubstr("id=\"m2d1-1\""));
  // One grid holds a column for each.
  EXPECT_THAT(page, HasSubstr(".models { display: grid"));
  const std::size_t grid = page.find("<div class=\"models\">");
  const std::size_t one = page.find("<section class=\"model\">\n<h3>one");
  const std::size_t two = page.find("</section>\n<section class=\"model\">\n<h3>two");
  EXPECT_LT(grid, one);
  EXPECT_LT(one, two);
  EXPECT_NE(two, std::string::npos);
  EXPECT_THAT(explanation_page({{"one", {yoga()}}}, sport_over_exercise()),
              Not(HasSubstr("class=\"models\"")));
}

TEST(ExplanationPage, SaysWhatBlueMeansWhereWordsCanSpeakAgainst) {
  EXPECT_THAT(explanation_page({{"m", {yoga()}}}, sport_over_exercise()),
              HasSubstr("Blue words speak against the label."));
  Explanation attention_only = yoga();
  attention_only.labels[0].evidence.clear();
  attention_only.labels[0].linear_weights.clear();
  EXPECT_THAT(explanation_page({{"m", {attention_only}}}, sport_over_exercise()),
              Not(HasSubstr("Blue words")));
  EXPECT_THAT(explanation_page({{"m", {attention_only}}, {"n", {yoga()}}}, sport_over_exercise()),
              HasSubstr("Blue words"));
}

TEST(ExplanationPage, ASubtreeUnderSeveralParentsIsUnfoldedOnce) {
  // 40 levels of two labels, each under both of the level above: 2^40 paths.
  std::vector<HierarchyEdge> edges = {{"0a", "", "", {}}, {"0b", "", "", {}}};
  for (int level = 1; level < 40; ++level) {
    for (const char* own : {"a", "b"}) {
      for (const char* above : {"a", "b"}) {
        edges.push_back({std::to_string(level) + own, std::to_string(level - 1) + above, "", {}});
      }
    }
  }
  Explanation explanation = yoga();
  explanation.labels[0].label = "39b";
  const std::string page = explanation_page({{"m", {explanation}}}, Hierarchy(edges));
  EXPECT_LT(page.size(), 100'000U);
  EXPECT_THAT(page, HasSubstr("see above"));
  EXPECT_THAT(page, HasSubstr(R"(<a href="#m1d1-1">39b</a>)"));
}

}  // namespace
}  // namespace hmtc
