// From memory to disk and back: nothing may change on the way.
#include "predict/loaded_model.h"

#include <gtest/gtest.h>

#include "artifact/model_directory.h"
#include "artifact/thresholds.h"
#include "base/files.h"
#include "network/scoring.h"
#include "support/expect_error.h"
#include "support/golden.h"
#include "support/temporary_directory.h"

namespace hmtc {
namespace {

/// The network of a golden file as a model: nine labels, eleven words.
struct InMemory {
  explicit InMemory(const std::string& name)
      : golden(name), parts{golden.config, golden.hierarchy, {}, golden.weights()} {
    VocabularyBuilder builder;
    for (std::size_t word = Vocabulary::kNumSpecial; word < golden.vocabulary; ++word) {
      builder.add("word" + std::to_string(word));
    }
    parts.vocabulary = builder.build(1, 0);
    store_thresholds({0.5F, thresholds()}, parts.tensors);
  }

  static std::vector<float> thresholds() {
    return {0.1F, 0.2F, 0.3F, 0.4F, 0.5F, 0.6F, 0.7F, 0.8F, 0.9F};
  }

  GoldenFile golden;
  ModelParts parts;
};

TEST(LoadedModel, ScoresEqualThoseBeforeSavingBitForBit) {
  for (const std::string& name : golden_names()) {
    const InMemory before(name);
    const Corpus& corpus = before.golden.corpus;
    const ScoreSet expected = score_corpus(*before.golden.network(), corpus, 9, 1);
    TemporaryDirectory directory;
    save_model(directory.path() / "model", before.parts);
    const LoadedModel loaded = load_for_prediction(directory.path() / "model", 1);
    const ScoreSet found = loaded.scorer->score(corpus);
    EXPECT_EQ(found.combined, expected.combined) << name;
    EXPECT_EQ(found.local, expected.local) << name;
    EXPECT_EQ(found.global, expected.global) << name;
    EXPECT_EQ(loaded.thresholds.per_label, InMemory::thresholds());
  }
}

TEST(LoadedModel, SavedAgainAfterLoadingItHasTheSameBytes) {
  TemporaryDirectory directory;
  save_model(directory.path() / "first", InMemory("la_hcn_paper").parts);
  save_model(directory.path() / "second", load_model(directory.path() / "first"));
  for (const char* file :
       {"model.safetensors", "manifest.json", "config.json", "hierarchy.tsv", "vocabulary.txt"}) {
    EXPECT_EQ(read_file(directory.path() / "first" / file),
              read_file(directory.path() / "second" / file))
        << file;
  }
}

TEST(LoadedModel, WeightsOfAnotherShapeThanTheConfigurationAreRefused) {
  InMemory model("la_hcn_paper");
  model.parts.config.model.document_width = 7;
  TemporaryDirectory directory;
  save_model(directory.path() / "model", model.parts);
  expect_error(ErrorKind::kModel, {"model.safetensors", "level_1"},
               [&] { load_for_prediction(directory.path() / "model", 1); });
}

TEST(LoadedModel, AnUnknownModelNameInsideItIsDamage) {
  InMemory model("la_hcn_paper");
  model.parts.config.model.name = "from-the-future";
  TemporaryDirectory directory;
  save_model(directory.path() / "model", model.parts);
  expect_error(ErrorKind::kModel, {"from-the-future"},
               [&] { load_for_prediction(directory.path() / "model", 1); });
}

TEST(LoadedModel, NoDirectoryIsAnIoError) {
  expect_error(ErrorKind::kIo, {"nowhere"}, [] { load_for_prediction("nowhere", 1); });
}

}  // namespace
}  // namespace hmtc
