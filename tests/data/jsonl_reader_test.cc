#include "data/jsonl_reader.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"
#include "support/temporary_directory.h"

namespace hmtc {
namespace {

using Words = std::vector<std::string>;

Document parse(std::string_view line,
               DocumentParser::Labels labels = DocumentParser::Labels::kRequired) {
  return DocumentParser(labels).parse(line, {"f.jsonl", 3});
}

void expect_refused(std::string_view line, const std::string& found) {
  SCOPED_TRACE(line);
  expect_error(ErrorKind::kInput, {"f.jsonl:3: expected", found}, [&] { parse(line); });
}

TEST(DocumentParser, NeitherTextNorTokensIsRefused) {
  expect_refused("{}", "neither");
  expect_refused(R"({"id": "1", "labels": ["a"]})", "neither");
}

TEST(DocumentParser, ReadsTextOrTokens) {
  const Document text = parse(R"({"id": "7", "text": "tea é", "labels": ["a", "a/b"]})");
  EXPECT_EQ(text.id, "7");
  EXPECT_EQ(text.text, "tea é");
  EXPECT_FALSE(text.tokens.has_value());
  EXPECT_EQ(text.labels, (Words{"a", "a/b"}));

  const Document tokens = parse(R"({"id": "8", "tokens": ["x", "y"], "labels": []})");
  EXPECT_EQ(tokens.tokens, (Words{"x", "y"}));
  EXPECT_FALSE(tokens.text.has_value());
  EXPECT_TRUE(tokens.labels.empty());
}

TEST(DocumentParser, EmptyTextAndEmptyTokensAreDocuments) {
  EXPECT_EQ(parse(R"({"text": "", "labels": []})").text, "");
  EXPECT_EQ(parse(R"({"tokens": [], "labels": []})").tokens, Words{});
}

TEST(DocumentParser, BothTextAndTokensAreRefused) {
  expect_refused(R"({"text": "a", "tokens": ["a"], "labels": []})", "both");
}

TEST(DocumentParser, NumericIdsAreKeptAsWritten) {
  EXPECT_EQ(parse(R"({"id": 42, "text": "a", "labels": []})").id, "42");
  EXPECT_EQ(parse(R"({"id": -7, "text": "a", "labels": []})").id, "-7");
}

TEST(DocumentParser, OtherMembersArePassedOver) {
  const Document document =
      parse(R"({"title": {"a": [1]}, "text": "tea", "labels": ["a"], "year": 2024})");
  EXPECT_EQ(document.text, "tea");
}

TEST(DocumentParser, EscapesAreResolved) {
  EXPECT_EQ(parse(R"({"text": "a\n\u00e9", "labels": []})").text, "a\n\u00e9");
}

TEST(DocumentParser, LabelsMayBeMissingOnlyWhereTheyAreOptional) {
  expect_refused(R"({"text": "a"})", "no \"labels\"");
  EXPECT_TRUE(parse(R"({"text": "a"})", DocumentParser::Labels::kOptional).labels.empty());
}

TEST(DocumentParser, MembersOfAnotherTypeAreRefused) {
  expect_refused(R"({"text": 5, "labels": []})", "\"text\" that is not a string");
  expect_refused(R"({"text": null, "labels": []})", "\"text\" that is not a string");
  expect_refused(R"({"tokens": "a b", "labels": []})", "\"tokens\" that is not a list");
  expect_refused(R"({"tokens": [1], "labels": []})", "\"tokens\" that is not a string");
  expect_refused(R"({"text": "a", "labels": "a"})", "\"labels\" that is not a list");
  expect_refused(R"({"text": "a", "labels": [["a"]]})", "\"labels\" that is not a string");
  expect_refused(R"({"id": ["1"], "text": "a", "labels": []})", "\"id\"");
}

TEST(DocumentParser, BadJsonIsRefused) {
  expect_refused(R"({"text": "a", "labels": [)", "bad JSON");
  expect_refused(R"({"text": "a", "labels": []} {})", "bad JSON");
  expect_refused("tea", "bad JSON");
  expect_refused("[]", "no object");
  expect_refused(std::string(5000, '['), "bad JSON");
}

TEST(DocumentParser, BadUtf8IsRefused) {
  expect_refused("{\"text\": \"\xFF tea\", \"labels\": []}", "bytes that are not");
  expect_refused("{\"text\": \"\xED\xA0\x80\", \"labels\": []}", "bytes that are not");
}

TEST(JsonlReader, AnEmptyFileHasNoDocument) {
  const TemporaryDirectory directory;
  JsonlReader reader(directory.write("f", ""), DocumentParser::Labels::kRequired);
  Document document;
  EXPECT_FALSE(reader.next(document));
}

TEST(JsonlReader, PassesOverEmptyLinesAndNumbersDocumentsByTheirLine) {
  const TemporaryDirectory directory;
  JsonlReader reader(directory.write("f",
                                     "\n"
                                     "{\"text\": \"a\", \"labels\": []}\r\n"
                                     " \t\n"
                                     "{\"id\": \"x\", \"text\": \"b\", \"labels\": []}\n"
                                     "{\"id\": \"\", \"text\": \"c\", \"labels\": []}"),
                     DocumentParser::Labels::kRequired);
  Document document;
  ASSERT_TRUE(reader.next(document));
  EXPECT_EQ(document.id, "2");
  ASSERT_TRUE(reader.next(document));
  EXPECT_EQ(document.id, "x");
  EXPECT_EQ(reader.place().line, 4U);
  ASSERT_TRUE(reader.next(document));
  EXPECT_EQ(document.id, "5");
  EXPECT_FALSE(reader.next(document));
}

TEST(JsonlReader, NamesFileAndLineOfABadDocument) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("f", "{\"text\": \"a\", \"labels\": []}\n\n{\n");
  JsonlReader reader(path, DocumentParser::Labels::kRequired);
  Document document;
  ASSERT_TRUE(reader.next(document));
  expect_error(ErrorKind::kInput, {path + ":3"}, [&] { reader.next(document); });
}

}  // namespace
}  // namespace hmtc
