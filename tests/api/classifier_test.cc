#include "hmtc/classifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "api/tiny_documents.h"
#include "hmtc/version.h"
#include "support/expect_error.h"

namespace hmtc {

const Classifier& tiny_classifier() {
  static const Classifier classifier = [] {
    const ModelFolder folder;
    return Classifier::load(folder.train_linear(), 1);  // the files may go
  }();
  return classifier;
}

namespace {

using testing::ElementsAre;

std::vector<std::string> names_of(const std::vector<LabelScore>& labels) {
  std::vector<std::string> names;
  for (const LabelScore& label : labels) names.push_back(label.label);
  return names;
}

TEST(Classifier, NamesTheVersionOfTheLibrary) {
  EXPECT_THAT(version(), testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
}

TEST(Classifier, LabelsStandLevelByLevelWithTheirParents) {
  const Classifier& classifier = tiny_classifier();
  EXPECT_EQ(classifier.model_name(), "linear");
  EXPECT_EQ(classifier.num_levels(), 2U);
  const std::vector<Label>& labels = classifier.labels();
  ASSERT_EQ(labels.size(), 5U);
  EXPECT_EQ(labels[0].name, "drink");
  EXPECT_EQ(labels[0].description, "things to drink");
  EXPECT_EQ(labels[0].level, 1U);
  EXPECT_TRUE(labels[0].parents.empty());
  EXPECT_EQ(labels[4].name, "bread");
  EXPECT_EQ(labels[4].level, 2U);
  EXPECT_THAT(labels[4].parents, ElementsAre(1));
  EXPECT_EQ(classifier.find_label("coffee"), 3);
  EXPECT_EQ(classifier.find_label("cocoa"), std::nullopt);
}

TEST(Classifier, ThresholdsAreProbabilities) {
  EXPECT_GT(tiny_classifier().threshold(), 0);
  EXPECT_LT(tiny_classifier().threshold(), 1);
  for (const Label& label : tiny_classifier().labels()) {
    EXPECT_GT(label.threshold, 0) << label.name;
    EXPECT_LE(label.threshold, 1) << label.name;
  }
}

TEST(Classifier, OneTextManyTextsAndDocumentsGiveTheSame) {
  const Classifier& classifier = tiny_classifier();
  const auto one = classifier.predict("a leaf in the pot");
  EXPECT_THAT(names_of(one), ElementsAre("drink", "tea"));
  const auto many = classifier.predict_texts({"rye loaf", "a leaf in the pot"});
  ASSERT_EQ(many.size(), 2U);
  EXPECT_THAT(names_of(many[0]), ElementsAre("bakery", "bread"));
  EXPECT_THAT(names_of(many[1]), ElementsAre("drink", "tea"));
  EXPECT_EQ(many[1][1].score, one[1].score);
  const Document words[] = {Document::of_words({"a", "leaf", "in", "the", "pot"})};
  EXPECT_EQ(classifier.predict(words).front()[1].score, one[1].score);
}

TEST(Classifier, NoDocumentsGiveNoPredictions) {
  EXPECT_TRUE(tiny_classifier().predict(std::span<const Document>()).empty());
  EXPECT_TRUE(tiny_classifier().scores({}).values.empty());
}

TEST(Classifier, ScoresHaveARowForEachDocumentAndAColumnForEachLabel) {
  const Document documents[] = {Document::of_text("roasted bean"), Document::of_text("")};
  const ScoreTable table = tiny_classifier().scores(documents);
  EXPECT_EQ(table.num_documents, 2U);
  EXPECT_EQ(table.num_labels, 5U);
  const auto row = table.row(0);
  EXPECT_GT(row[3], row[2]);  // coffee above tea
  EXPECT_GE(row[0], row[3]);  // drink at least as likely as coffee
}

TEST(Classifier, TopAndThresholdChooseTheLabels) {
  const Classifier& classifier = tiny_classifier();
  EXPECT_EQ(classifier.predict("leaf", {.top = 3}).size(), 3U);
  EXPECT_EQ(classifier.predict("leaf", {.threshold = 0}).size(), 5U);
  EXPECT_EQ(classifier.predict("leaf", {.threshold = 0, .top = 4}).size(), 4U);
}

TEST(Classifier, OptionsThatMeanNothingAreRefused) {
  const Classifier& classifier = tiny_classifier();
  for (const double threshold : {-0.1, 1.1, std::nan("")}) {
    expect_error(ErrorKind::kUsage, {"threshold"},
                 [&] { classifier.predict("leaf", {.threshold = threshold}); });
  }
  expect_error(ErrorKind::kUsage, {"top"}, [&] { classifier.predict("leaf", {.top = 0}); });
}

TEST(Classifier, ADocumentIsEitherTextOrWords) {
  const Classifier& classifier = tiny_classifier();
  const Document neither[] = {Document::of_text("leaf"), Document{}};
  expect_error(ErrorKind::kInput, {"document 2", "neither"}, [&] { classifier.predict(neither); });
  Document both = Document::of_text("leaf");
  both.tokens = {"leaf"};
  expect_error(ErrorKind::kInput, {"both"}, [&] { classifier.explain(both); });
}

TEST(Classifier, LoadingTellsAMissingModelFromADamagedOne) {
  expect_error(ErrorKind::kIo, {"no such model"}, [] { Classifier::load("no such model"); });
  for (const int threads : {-1, 1'000'000}) {
    expect_error(ErrorKind::kUsage, {"threads"},
                 [&] { Classifier::load("no such model", threads); });
  }
  const ModelFolder folder;
  const auto model = folder.train_linear();
  std::ofstream(model / "vocabulary.txt", std::ios::app) << "more\n";
  expect_error(ErrorKind::kModel, {"vocabulary.txt"}, [&] { Classifier::load(model); });
}

TEST(Classifier, EvaluatesDocumentsAndFilesAlike) {
  const Classifier& classifier = tiny_classifier();
  const std::vector<Document> documents = tiny_documents().validation;
  const EvaluationSummary of_documents = classifier.evaluate(documents);
  EXPECT_EQ(of_documents.num_documents, 12U);
  EXPECT_EQ(of_documents.num_labels, 5U);
  EXPECT_DOUBLE_EQ(of_documents.micro_au_prc, 1);
  EXPECT_DOUBLE_EQ(of_documents.macro_au_prc, 1);
  EXPECT_DOUBLE_EQ(of_documents.micro_f1, 1);
  EXPECT_DOUBLE_EQ(of_documents.macro_f1, 1);

  const TemporaryDirectory directory;
  const std::string file = directory.write("one.jsonl", R"({"text":"leaf","labels":["coffee"]})");
  const EvaluationSummary of_file = classifier.evaluate(std::filesystem::path(file));
  EXPECT_EQ(of_file.num_documents, 1U);
  EXPECT_LT(of_file.micro_au_prc, 1);
  const auto json = nlohmann::json::parse(of_file.json);
  EXPECT_TRUE(json.contains("combined"));
}

TEST(Classifier, EvaluatingWithoutDocumentsOrWithUnknownLabelsIsAnError) {
  const Classifier& classifier = tiny_classifier();
  expect_error(ErrorKind::kInput, {"none"},
               [&] { classifier.evaluate(std::span<const Document>()); });
  const Document unknown[] = {document("leaf", {"cocoa", "tea"})};
  expect_error(ErrorKind::kInput, {"cocoa"}, [&] { classifier.evaluate(unknown); });
  const EvaluationSummary lenient = classifier.evaluate(unknown, {.strict = false});
  ASSERT_EQ(lenient.warnings.size(), 1U);
  EXPECT_THAT(lenient.warnings[0], testing::HasSubstr("cocoa"));
}

}  // namespace
}  // namespace hmtc
