#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/tiny_project.h"

namespace hmtc {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class Explain : public testing::Test {
 protected:
  static void SetUpTestSuite() { project_ = new TinyProject; }
  static void TearDownTestSuite() { delete project_; }

  static ProcessResult explain(const Arguments& more, const std::string& input = {}) {
    Arguments arguments = {"explain", project_->model()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return hmtc_program(arguments, input);
  }
  static std::string test_file() { return project_->data() + "/test.jsonl"; }

  static inline TinyProject* project_ = nullptr;
};

TEST_F(Explain, NoInputIsNoOutput) {
  const ProcessResult result = explain({"-"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "");
}

TEST_F(Explain, NoMoreDocumentsAreReadThanAskedFor) {
  const std::string lines = "{\"text\": \"tea\"}\nno JSON\n";
  EXPECT_EQ(explain({"-", "--documents", "1"}, lines).exit_code, 0);
  EXPECT_EQ(explain({"-", "--documents", "2"}, lines).exit_code, 3);
}

TEST_F(Explain, LabelsAreNamedByCommasOrOneByOne) {
  const ProcessResult by_commas = explain({"--text", "tea", "--labels", "food,travel", "--json"});
  ASSERT_EQ(by_commas.exit_code, 0) << by_commas.err;
  EXPECT_EQ(json::parse(by_commas.out)["labels"].size(), 2U);
  EXPECT_EQ(explain({"--text", "tea", "--labels", "food", "--labels", "travel", "--json"}).out,
            by_commas.out);
}

TEST_F(Explain, WordsArePlacesInTheBytesOfTheText) {
  const std::string text = "Ä — „Green“ leaf";
  const ProcessResult result = explain({"--text", text, "--top", "2", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json line = json::parse(result.out);
  EXPECT_EQ(line["text"], text);
  std::vector<std::string> words;
  for (const json& place : line["words"]) {
    const std::size_t begin = place[0], end = place[1];
    words.push_back(text.substr(begin, end - begin));
  }
  EXPECT_EQ(words, (std::vector<std::string>{"Ä", "Green", "leaf"}));
  ASSERT_EQ(line["labels"].size(), 2U);
  EXPECT_EQ(line["labels"][0]["weights"].size(), 3U);
  EXPECT_FALSE(line["components"].empty());
}

TEST_F(Explain, ScoresAreThoseOfPredict) {
  const std::string input = R"({"id": "1", "text": "green leaf in a pot"})";
  const json explained = json::parse(explain({"--json", "--top", "3"}, input).out);
  const json predicted =
      json::parse(hmtc_program({"predict", project_->model(), "--top", "3"}, input).out);
  for (const json& label : predicted["labels"]) {
    bool found = false;
    for (const json& other : explained["labels"]) {
      if (other["label"] != label["label"]) continue;
      found = true;
      EXPECT_NEAR(other["score"].get<double>(), label["score"].get<double>(), 1e-5);
    }
    EXPECT_TRUE(found) << label;
  }
}

TEST_F(Explain, WritesAPage) {
  const std::string page = project_->path("page.html");
  const ProcessResult result = explain({test_file(), "--documents", "2", "--html", page});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(content_of(page), HasSubstr("<mark"));

  const std::string link = project_->path("link.html");
  std::filesystem::create_symlink("page.html", link);
  EXPECT_EQ(explain({"--text", "rye flour", "--html", link}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_THAT(content_of(page), HasSubstr(">flour</mark>"));
}

TEST_F(Explain, ADashIsStandardOutput) {
  const ProcessResult result = explain({"--text", "green leaf", "--html", "-"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, testing::StartsWith("<!DOCTYPE html>"));
  EXPECT_FALSE(std::filesystem::exists("-"));
}

TEST_F(Explain, LinesNameTheirModel) {
  const ProcessResult result =
      explain({"--text", "green leaf", "--json", "--beside", project_->model() + "/."});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::vector<std::string> lines = lines_of(result.out);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_THAT(lines[0], testing::StartsWith("{\"model\":"));
  EXPECT_EQ(json::parse(lines[0])["model"], project_->model());
  EXPECT_EQ(json::parse(lines[1])["model"], project_->model() + "/.");
}

TEST_F(Explain, EvaluatesTheWordsAgainstRandomOnes) {
  const ProcessResult result =
      explain({"--evaluate", "--data", test_file(), "--documents", "5", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json report = json::parse(result.out).at(0);
  EXPECT_EQ(report["documents"], 5);
  EXPECT_EQ(report["rankings"][0]["ranking"], "attention");
}

TEST_F(Explain, DescribesComponents) {
  const ProcessResult result = explain({"--components", "--data", test_file()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("component"));
  EXPECT_THAT(result.out, HasSubstr("level 3"));
}

TEST_F(Explain, AnEmptyTextIsADocumentLikeAnyOther) {
  const ProcessResult result = explain({"--text", "", "--json"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(nlohmann::json::parse(result.out)["text"], "");
}

TEST_F(Explain, RefusesWhatDoesNotFit) {
  EXPECT_EQ(explain({"--text", "tea", "--labels", "no such"}).exit_code, 2);
  EXPECT_EQ(explain({"--text", "tea", "--threshold", "nan"}).exit_code, 2);
  EXPECT_EQ(explain({"--text", "tea", "--level", "9"}).exit_code, 2);
  EXPECT_EQ(explain({"--text", "\xff"}).exit_code, 2);
  EXPECT_EQ(explain({"--evaluate"}).exit_code, 2);
  EXPECT_EQ(explain({"--data", test_file()}).exit_code, 2);
  for (const char* measured : {"--evaluate", "--components"}) {
    const Arguments over_data = {measured, "--data", test_file()};
    for (const Arguments& ignored : std::vector<Arguments>{{"--labels", "food"},
                                                           {"--level", "1"},
                                                           {"--top", "1"},
                                                           {"--threshold", "0.5"},
                                                           {"--text", "tea"},
                                                           {test_file()}}) {
      Arguments arguments = over_data;
      arguments.insert(arguments.end(), ignored.begin(), ignored.end());
      const ProcessResult result = explain(arguments);
      EXPECT_EQ(result.exit_code, 2) << measured << " " << ignored.front();
      EXPECT_THAT(result.err, HasSubstr(measured));
    }
  }
  EXPECT_EQ(explain({"--text", "tea", "--labels", "food", "--level", "2"}).exit_code, 2);
  const ProcessResult read_once =
      explain({"--evaluate", "--data", "-", "--beside", project_->model()}, "");
  EXPECT_EQ(read_once.exit_code, 2);
  EXPECT_THAT(read_once.err, HasSubstr("standard input, which can be read only once"));
  for (const char* measured : {"--evaluate", "--components"}) {
    const ProcessResult nothing = explain({measured, "--data", "-"}, "\n");
    EXPECT_EQ(nothing.exit_code, 3) << measured;
    EXPECT_THAT(nothing.err, HasSubstr("expected a document with a word"));
  }
  EXPECT_EQ(explain({"no such file"}).exit_code, 4);
  EXPECT_EQ(explain({"-"}, "{").exit_code, 3);
  EXPECT_EQ(explain({"--text", "tea", "--html", "/no/such/folder/page.html"}).exit_code, 4);
}

}  // namespace
}  // namespace hmtc
