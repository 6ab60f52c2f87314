// From a published format to predictions, verb by verb.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "apps/tiny_project.h"

namespace hmtc {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;

class Pipeline : public testing::Test {
 protected:
  static void SetUpTestSuite() { project_ = new TinyProject; }
  static void TearDownTestSuite() { delete project_; }
  static inline TinyProject* project_ = nullptr;
};

std::set<std::string> with_ancestors(const json& labels) {
  std::set<std::string> closed;
  for (std::string label : labels) {
    closed.insert(label);
    for (auto slash = label.rfind('/'); slash != std::string::npos; slash = label.rfind('/')) {
      closed.insert(label = label.substr(0, slash));
    }
  }
  return closed;
}

/// The sum over distinct scores of (recall gained) * precision, as scikit-learn has it.
double average_precision(std::vector<std::pair<float, bool>> pairs) {
  std::sort(pairs.begin(), pairs.end(), std::greater<>());
  const auto positives = static_cast<double>(
      std::count_if(pairs.begin(), pairs.end(), [](const auto& pair) { return pair.second; }));
  double area = 0;
  double found = 0;
  for (std::size_t i = 0; i < pairs.size();) {
    const double found_before = found;
    const float score = pairs[i].first;
    for (; i < pairs.size() && pairs[i].first == score; ++i) found += pairs[i].second ? 1 : 0;
    area += (found - found_before) / positives * found / static_cast<double>(i);
  }
  return area;
}

TEST_F(Pipeline, ImportWritesADataDirectoryThatInspectDescribes) {
  std::string lines;
  for (int i = 0; i < 20; ++i) lines += "__label__a/b tea leaf\n__label__c milk\n";
  const std::string input = project_->directory().write("in.txt", lines);
  const std::string out = project_->path("imported");
  const ProcessResult import =
      hmtc_program({"import", "fasttext", input, "--out", out, "--split", "60/20/20"});
  ASSERT_EQ(import.exit_code, 0) << import.err;
  EXPECT_THAT(import.out, IsEmpty());
  std::size_t documents = 0;
  for (const char* split : {"train.jsonl", "val.jsonl", "test.jsonl"}) {
    documents += lines_of(content_of(out + "/" + split)).size();
  }
  EXPECT_EQ(documents, 40U);

  const ProcessResult inspect = hmtc_program({"inspect", out, "--json"});
  ASSERT_EQ(inspect.exit_code, 0) << inspect.err;
  const json facts = json::parse(inspect.out);
  ASSERT_EQ(facts["tree"].size(), 3U);
  EXPECT_EQ(facts["tree"][2]["label"], "a/b");
  EXPECT_EQ(facts["tree"][2]["level"], 2);
  EXPECT_EQ(facts["tree"][2]["parents"], json({"a"}));
}

TEST_F(Pipeline, InspectFindsDocumentsThatTrainingHasSeen) {
  const auto document = [](const std::string& text) {
    return R"({"text": ")" + text + R"(", "labels": ["a"]})" + "\n";
  };
  const TemporaryDirectory& directory = project_->directory();
  directory.write("seen/hierarchy.tsv", "a\t\n");
  directory.write("seen/train.jsonl", document("green tea leaf") + document("milk"));
  directory.write("seen/test.jsonl", document("leaf tea green") + document("green tea") +
                                         document("unheard of words") + document(""));
  const ProcessResult inspect = hmtc_program({"inspect", project_->path("seen"), "--json"});
  ASSERT_EQ(inspect.exit_code, 0) << inspect.err;
  EXPECT_THAT(inspect.out, HasSubstr("test: 1 documents have exactly the words of a training"));
}

TEST_F(Pipeline, InspectShowsTheTreeOfDataAndOfAModel) {
  for (const std::string& path : {project_->data(), project_->model()}) {
    const ProcessResult result = hmtc_program({"inspect", path, "--tree"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, IsEmpty());
    for (const std::string& label : tiny_labels()) EXPECT_THAT(result.out, HasSubstr(label));
  }
  EXPECT_TRUE(json::accept(hmtc_program({"inspect", project_->model(), "--json"}).out));
}

TEST_F(Pipeline, TrainPrintsProgressOnStandardErrorOnly) {
  const ProcessResult result = hmtc_program(project_->train_arguments(project_->path("silent")));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, IsEmpty());
  for (const char* part : {"loss", "AU(PRC)", "docs/s", "left", "model written to"}) {
    EXPECT_THAT(result.err, HasSubstr(part));
  }
  // Not a terminal: no line is ever rewritten.
  EXPECT_EQ(result.err.find('\r'), std::string::npos);
  const auto metrics = lines_of(content_of(project_->path("silent/run/metrics.jsonl")));
  ASSERT_EQ(metrics.size(), 2U);  // two epochs, a validation after each
  EXPECT_TRUE(json::parse(metrics[1]).contains("validation_auprc"));
}

TEST_F(Pipeline, TheSameTrainingTwiceGivesTheSameBytes) {
  const auto trained = [](const std::string& out, const Arguments& more) {
    const ProcessResult result = hmtc_program(project_->train_arguments(project_->path(out), more));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return content_of(project_->path(out + "/model.safetensors"));
  };
  EXPECT_EQ(trained("again", {}), content_of(project_->model() + "/model.safetensors"));
  EXPECT_EQ(trained("linear", {"--model", "linear"}), trained("more", {"--model", "linear"}));
}

TEST_F(Pipeline, AnotherSeedGivesOtherBytes) {
  const ProcessResult result =
      hmtc_program(project_->train_arguments(project_->path("seeded"), {"--seed", "1"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(content_of(project_->path("seeded/model.safetensors")),
            content_of(project_->model() + "/model.safetensors"));
}

TEST_F(Pipeline, EvaluateAgreesWithAnAreaRecomputedFromThePredictions) {
  const std::string test = project_->data() + "/test.jsonl";
  const ProcessResult evaluation =
      hmtc_program({"evaluate", project_->model(), "--data", test, "--json"});
  ASSERT_EQ(evaluation.exit_code, 0) << evaluation.err;
  EXPECT_THAT(evaluation.err, IsEmpty());
  const ProcessResult prediction =
      hmtc_program({"predict", project_->model(), test, "--all-scores"});
  ASSERT_EQ(prediction.exit_code, 0) << prediction.err;

  const std::vector<std::string> truths = lines_of(content_of(test));
  const std::vector<std::string> predictions = lines_of(prediction.out);
  ASSERT_EQ(predictions.size(), truths.size());
  std::vector<std::pair<float, bool>> pairs;
  for (std::size_t i = 0; i < truths.size(); ++i) {
    const json truth = json::parse(truths[i]);
    const json predicted = json::parse(predictions[i]);
    ASSERT_EQ(predicted["id"], truth["id"]);
    const std::set<std::string> positive = with_ancestors(truth["labels"]);
    for (const auto& [label, score] : predicted["scores"].items()) {
      pairs.emplace_back(score.get<float>(), positive.contains(label));
    }
  }
  EXPECT_EQ(pairs.size(), truths.size() * tiny_labels().size());
  const json report = json::parse(evaluation.out);
  for (const char* part : {"combined", "local", "global"}) ASSERT_TRUE(report.contains(part));
  EXPECT_NEAR(report["combined"]["au_prc"]["micro"].get<double>(), average_precision(pairs), 1e-6);
}

TEST_F(Pipeline, EvaluatePrintsATable) {
  const ProcessResult result = hmtc_program({"evaluate", project_->model(), "--data", "-"},
                                            content_of(project_->data() + "/test.jsonl"));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* part : {"AU(PRC)", "combined", "local", "global", "level 3"}) {
    EXPECT_THAT(result.out, HasSubstr(part));
  }
}

TEST_F(Pipeline, EvaluateMakesAPageWithPlots) {
  const std::string test = project_->data() + "/test.jsonl";
  const std::string page = project_->path("evaluation.html");
  const ProcessResult with_file =
      hmtc_program({"evaluate", project_->model(), "--data", test, "--html", page});
  ASSERT_EQ(with_file.exit_code, 0) << with_file.err;
  EXPECT_THAT(with_file.out, HasSubstr("AU(PRC)"));
  for (const char* part :
       {"Reliability", "Precision and recall", "AU(PRC) by level", "<svg", "level 3"}) {
    EXPECT_THAT(content_of(page), HasSubstr(part));
  }
  const ProcessResult alone =
      hmtc_program({"evaluate", project_->model(), "--data", test, "--html", "-"});
  EXPECT_EQ(alone.out, content_of(page));
}

TEST_F(Pipeline, TokensTrainAndPredictToo) {
  const auto line = [](int i) {
    const std::string topic = i % 2 == 0 ? "a" : "b";
    return R"({"tokens": ["w)" + topic + R"(", "x"], "labels": [")" + topic + "\"]}\n";
  };
  std::string lines;
  for (int i = 0; i < 40; ++i) lines += line(i);
  project_->directory().write("tokens/train.jsonl", lines);
  Arguments arguments = project_->train_arguments(project_->path("tokens_model"));
  arguments[2] = project_->path("tokens");
  const ProcessResult train = hmtc_program(arguments);
  ASSERT_EQ(train.exit_code, 0) << train.err;
  EXPECT_THAT(train.err, HasSubstr("held out"));  // there is no val.jsonl
  const ProcessResult result = hmtc_program(
      {"predict", project_->path("tokens_model"), "--top", "1"}, R"({"id": 9, "tokens": ["wa"]})");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json::parse(result.out)["id"], "9");
}

}  // namespace
}  // namespace hmtc
