#include "serve/api_requests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hmtc {
namespace {

using testing::HasSubstr;

RequestLimits small_limits() {
  RequestLimits limits;
  limits.documents = 3;
  limits.words = 4;
  return limits;
}

PredictRequest predict(const std::string& body) {
  return parse_predict_request(body, small_limits());
}

ExplainRequest explain(const std::string& body) {
  return parse_explain_request(body, small_limits());
}

template <typename Action>
void expect_refused(int status, const std::string& part, const Action& action) {
  try {
    action();
    ADD_FAILURE() << "no error was thrown, expected " << part;
  } catch (const HttpError& error) {
    EXPECT_EQ(error.status(), status) << error.what();
    EXPECT_THAT(error.what(), HasSubstr(part));
  }
}

void expect_bad(const std::string& body, const std::string& part) {
  SCOPED_TRACE(body);
  expect_refused(400, part, [&] { predict(body); });
}

TEST(ParsePredictRequest, NothingIsNoJson) {
  expect_bad("", "expected JSON");
  expect_bad("{", "expected JSON");
  expect_bad("{} {}", "expected JSON");
  expect_bad("[]", "expected a JSON object");
}

TEST(ParsePredictRequest, OneTextIsDocument1) {
  const PredictRequest request = predict(R"({"text": "a b"})");
  ASSERT_EQ(request.documents.size(), 1U);
  EXPECT_EQ(request.documents[0].id, "1");
  EXPECT_EQ(request.documents[0].text, "a b");
  EXPECT_EQ(request.model, "");
  EXPECT_EQ(request.answer.labels.top, std::nullopt);
  EXPECT_EQ(request.answer.labels.threshold, std::nullopt);
  EXPECT_FALSE(request.answer.all_scores);
}

TEST(ParsePredictRequest, AnEmptyTextIsADocumentToo) {
  EXPECT_EQ(predict(R"({"text": ""})").documents.size(), 1U);
  EXPECT_EQ(predict(R"({"texts": [""]})").documents.size(), 1U);
  EXPECT_EQ(predict(R"({"texts": []})").documents.size(), 0U);
}

TEST(ParsePredictRequest, TextsAndDocumentsKeepTheirOrder) {
  const PredictRequest texts = predict(R"({"texts": ["a", "b"]})");
  ASSERT_EQ(texts.documents.size(), 2U);
  EXPECT_EQ(texts.documents[1].id, "2");
  EXPECT_EQ(texts.documents[1].text, "b");

  const PredictRequest documents = predict(
      R"({"documents": [{"id": "x", "text": "a"}, {"tokens": ["b", "c"]}, {"id": 7, "text": ""}]})");
  ASSERT_EQ(documents.documents.size(), 3U);
  EXPECT_EQ(documents.documents[0].id, "x");
  EXPECT_EQ(documents.documents[1].id, "2");
  EXPECT_THAT(*documents.documents[1].tokens, testing::ElementsAre("b", "c"));
  EXPECT_EQ(documents.documents[2].id, "7");
}

TEST(ParsePredictRequest, OptionsAreRead) {
  const PredictRequest request =
      predict(R"({"text": "a", "model": "m", "top": 2, "threshold": 0.25, "all_scores": true})");
  EXPECT_EQ(request.model, "m");
  EXPECT_EQ(request.answer.labels.top, 2U);
  EXPECT_EQ(request.answer.labels.threshold, 0.25);
  EXPECT_TRUE(request.answer.all_scores);
  EXPECT_EQ(predict(R"({"text": "a", "threshold": 1})").answer.labels.threshold, 1.0);
}

TEST(ParsePredictRequest, ExactlyOneFormOfDocuments) {
  expect_bad("{}", "found none");
  expect_bad(R"({"text": "a", "texts": ["b"]})", "found several");
  expect_bad(R"({"documents": [{"id": "1"}]})", "document 1: expected \"text\" or \"tokens\"");
  expect_bad(R"({"documents": [{"text": "a", "tokens": []}]})", "found both");
}

TEST(ParsePredictRequest, UnknownAndRepeatedMembersAreNamed) {
  expect_bad(R"({"txt": "a"})", "found \"txt\"");
  expect_bad(R"({"text": "a", "text": "b"})", "\"text\" stands there twice");
  expect_bad(R"({"documents": [{"text": "a", "labels": []}]})", "found \"labels\"");
}

TEST(ParsePredictRequest, WrongTypesAndRangesAreNamed) {
  expect_bad(R"({"text": 1})", "\"text\": expected a string");
  expect_bad(R"({"texts": "a"})", "\"texts\": expected a list");
  expect_bad(R"({"texts": [null]})", "\"texts\": expected a string");
  expect_bad(R"({"documents": ["a"]})", "document 1: expected a JSON object");
  expect_bad(R"({"documents": [{"id": [], "text": ""}]})", "\"id\"");
  expect_bad(R"({"text": "a", "model": 1})", "\"model\"");
  for (const char* top : {"0", "-1", "1.5", "\"1\"", "18446744073709551615"}) {
    expect_bad(std::string(R"({"text": "a", "top": )") + top + "}", "\"top\"");
  }
  expect_bad(R"({"text": "a", "top": 99999999999999999999})", "parsing a number");
  for (const char* threshold : {"-0.1", "1.1", "true", "null"}) {
    expect_bad(std::string(R"({"text": "a", "threshold": )") + threshold + "}", "\"threshold\"");
  }
  expect_bad(R"({"text": "a", "all_scores": 1})", "\"all_scores\"");
}

TEST(ParsePredictRequest, BytesThatAreNotUtf8AreSaidToBeSo) {
  expect_bad("{\"text\": \"\xFF\"}", "expected UTF-8");
  // Half of a pair of surrogates is no character.
  expect_bad(R"({"text": "\ud800"})", "expected JSON");
}

TEST(ParsePredictRequest, DeepNestingIsRefused) {
  expect_bad(R"({"text": )" + std::string(100'000, '['), "expected JSON");
}

TEST(ParsePredictRequest, BoundsDocumentsAndWords) {
  EXPECT_EQ(predict(R"({"texts": ["a", "b", "c"]})").documents.size(), 3U);
  expect_refused(413, "at most 3 documents", [] { predict(R"({"texts": ["a", "b", "c", "d"]})"); });
  EXPECT_EQ(predict(R"({"text": " a b\tc\n d "})").documents.size(), 1U);
  expect_refused(413, "at most 4 words in a document, found 5",
                 [] { predict(R"({"text": "a b c d e"})"); });
  expect_refused(413, "at most 4 words",
                 [] { predict(R"({"documents": [{"tokens": ["a", "b", "c", "d", "e"]}]})"); });
}

TEST(ParseExplainRequest, ReadsTextOrTokensAndOptions) {
  const ExplainRequest text = explain(R"({"text": "a b"})");
  EXPECT_EQ(text.document.text, "a b");
  EXPECT_TRUE(text.answer.labels.empty());
  EXPECT_FALSE(text.answer.all_scores);
  EXPECT_FALSE(text.answer.components);

  const ExplainRequest tokens = explain(
      R"({"tokens": ["a"], "model": "m", "labels": ["x", "y"], "top": 1, "threshold": 0.5,
          "all_scores": true, "components": true})");
  EXPECT_THAT(*tokens.document.tokens, testing::ElementsAre("a"));
  EXPECT_EQ(tokens.model, "m");
  EXPECT_THAT(tokens.answer.labels, testing::ElementsAre("x", "y"));
  EXPECT_EQ(tokens.answer.predicted.top, 1U);
  EXPECT_EQ(tokens.answer.predicted.threshold, 0.5);
  EXPECT_TRUE(tokens.answer.all_scores);
  EXPECT_TRUE(tokens.answer.components);
}

TEST(ParseExplainRequest, RefusesTheRest) {
  expect_refused(400, "found neither", [] { explain("{}"); });
  expect_refused(400, "found both", [] { explain(R"({"text": "a", "tokens": ["a"]})"); });
  expect_refused(400, "found \"texts\"", [] { explain(R"({"texts": ["a"]})"); });
  expect_refused(400, "\"labels\": expected a list",
                 [] { explain(R"({"text": "", "labels": 1})"); });
  expect_refused(413, "words", [] { explain(R"({"text": "a b c d e"})"); });
  expect_refused(413, "found 6", [] { explain(R"({"text": "a;b;c;"})"); });
  expect_refused(413, "found 5", [] { explain(R"({"text": "望遠鏡宇宙"})"); });
}

}  // namespace
}  // namespace hmtc
