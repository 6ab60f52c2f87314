// From memory to disk and back: nothing may change on the way.
#include "predict/loaded_model.h"

#include <gtest/gtest.h>

#include "artifact/model_directory.h"
#include "base/files.h"
#include "hmtc/classifier.h"
#include "model/model_table.h"
#include "model/parameters.h"
#include "network/scoring.h"
#include "support/expect_error.h"
#include "support/temporary_directory.h"
#include "support/tiny_data.h"
#include "support/tiny_model.h"

namespace hmtc {
namespace {

/// A model with random weights over three labels and four words.
struct InMemory {
  explicit InMemory(const Config& config)
      : parts{config,
              Hierarchy(std::vector<HierarchyEdge>{
                  {"a", "", "", {}}, {"b", "", "", {}}, {"a1", "a", "", {}}}),
              {},
              {}} {
    VocabularyBuilder builder;
    for (const char* word : {"one", "two", "three", "four"}) builder.add(word);
    parts.vocabulary = builder.build(1, 0);
    torch::manual_seed(11);
    model = make_model(config, parts.hierarchy, static_cast<std::int64_t>(parts.vocabulary.size()));
    store_parameters(*model, parts.tensors);
    store_thresholds({0.5F, {0.4F, 0.5F, 0.6F}}, parts.tensors);
  }

  ModelParts parts;
  std::shared_ptr<Model> model;
};

TEST(LoadedModel, ScoresEqualThoseBeforeSavingBitForBit) {
  const Corpus corpus = corpus_of({{2, 3, 1}, {}, {5, 4, 4, 2}});
  for (const Variant& variant : all_variants()) {
    const InMemory before(tiny_config(variant));
    const ScoreSet expected = score_corpus(*before.model, corpus, 3, 1);
    TemporaryDirectory directory;
    save_model(directory.path() / "model", before.parts);
    const LoadedModel loaded = load_for_prediction(directory.path() / "model", 1);
    const ScoreSet found = loaded.scorer->score(corpus);
    EXPECT_EQ(found.combined, expected.combined) << variant.name;
    EXPECT_EQ(found.local, expected.local) << variant.name;
    EXPECT_EQ(found.global, expected.global) << variant.name;
    EXPECT_EQ(loaded.thresholds.per_label, (std::vector<float>{0.4F, 0.5F, 0.6F}));
  }
}

TEST(LoadedModel, SavedAgainAfterLoadingItHasTheSameBytes) {
  TemporaryDirectory directory;
  save_model(directory.path() / "first", InMemory(tiny_config()).parts);
  save_model(directory.path() / "second", load_model(directory.path() / "first"));
  for (const char* file :
       {"model.safetensors", "manifest.json", "config.json", "hierarchy.tsv", "vocabulary.txt"}) {
    EXPECT_EQ(read_file(directory.path() / "first" / file),
              read_file(directory.path() / "second" / file))
        << file;
  }
}

TEST(LoadedModel, WeightsOfAnotherShapeThanTheConfigurationAreRefused) {
  InMemory model(tiny_config());
  model.parts.config.model.document_width = 7;
  TemporaryDirectory directory;
  save_model(directory.path() / "model", model.parts);
  expect_error(ErrorKind::kModel, {"model.safetensors", "level_1"},
               [&] { load_for_prediction(directory.path() / "model", 1); });
}

TEST(LoadedModel, AnUnknownModelNameInsideItIsDamage) {
  InMemory model(tiny_config());
  model.parts.config.model.name = "from-the-future";
  TemporaryDirectory directory;
  save_model(directory.path() / "model", model.parts);
  expect_error(ErrorKind::kModel, {"from-the-future"},
               [&] { load_for_prediction(directory.path() / "model", 1); });
}

TEST(LoadedModel, NoDirectoryIsAnIoError) {
  expect_error(ErrorKind::kIo, {"nowhere"}, [] { load_for_prediction("nowhere", 1); });
}

TEST(Classifier, GivesEachTextItsLabelsBestFirstAndCoherent) {
  TemporaryDirectory data, models;
  write_tiny_data(data);
  Config config = tiny_training();
  config.train.epochs = 60;
  config.train.patience = 60;
  RecordingObserver observer;
  train_tiny(data.path(), models.path() / "model", config, observer);
  Classifier classifier = Classifier::load(models.path() / "model", 1);
  EXPECT_EQ(classifier.labels(),
            (std::vector<std::string>{"fruit", "tool", "apple", "pear", "hammer"}));
  EXPECT_TRUE(classifier.predict({}).empty());
  PredictOptions options;
  options.top = 2;
  const auto found = classifier.predict({"Steel, nail, handle!", "juicy green"}, options);
  ASSERT_EQ(found.size(), 2U);
  ASSERT_EQ(found[0].size(), 2U);
  EXPECT_EQ(found[0][0].label, "tool");
  EXPECT_EQ(found[0][1].label, "hammer");
  EXPECT_GE(found[0][0].score, found[0][1].score);
  EXPECT_EQ(found[1][0].label, "fruit");
  EXPECT_EQ(found[1][1].label, "pear");
  const auto of_words = classifier.predict_words({{"steel", "nail", "handle"}, {}}, options);
  ASSERT_EQ(of_words.size(), 2U);
  EXPECT_EQ(of_words[0][1].label, "hammer");
  EXPECT_EQ(of_words[0][1].score, found[0][1].score);
}

}  // namespace
}  // namespace hmtc
