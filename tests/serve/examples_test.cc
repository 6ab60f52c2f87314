#include "serve/examples.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/expect_error.h"
#include "support/temporary_directory.h"

namespace hmtc {
namespace {

using nlohmann::json;

TEST(Examples, WithoutAFileThereAreNone) {
  EXPECT_EQ(json::parse(examples_json("")), json::parse(R"({"examples": []})"));
}

TEST(Examples, AreTextsWithTheirLabels) {
  const TemporaryDirectory directory;
  const std::string path =
      directory.write("e.jsonl",
                      "{\"text\": \"a \\\"b\\\"\", \"labels\": [\"x\", \"y\"]}\n"
                      "{\"tokens\": [\"c\"], \"labels\": []}\n"
                      "{\"id\": \"9\", \"text\": \"ü\"}\n");
  EXPECT_EQ(json::parse(examples_json(path)), json::parse(R"({"examples": [
      {"id": "1", "text": "a \"b\"", "labels": ["x", "y"]},
      {"id": "9", "text": "ü", "labels": []}]})"));
}

TEST(Examples, AreTwentyAtMost) {
  const TemporaryDirectory directory;
  std::string lines;
  for (int i = 0; i < 30; ++i) lines += "{\"text\": \"a\"}\n";
  const json examples = json::parse(examples_json(directory.write("e.jsonl", lines)));
  EXPECT_EQ(examples["examples"].size(), 20U);
}

TEST(Examples, AFileThatIsMissingOrBadIsAnError) {
  const TemporaryDirectory directory;
  expect_error(ErrorKind::kIo, {"none.jsonl"},
               [&] { examples_json((directory.path() / "none.jsonl").string()); });
  expect_error(ErrorKind::kInput, {"e.jsonl:1"},
               [&] { examples_json(directory.write("e.jsonl", "{\n")); });
}

}  // namespace
}  // namespace hmtc
