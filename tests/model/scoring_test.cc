#include "network/scoring.h"

#include <gtest/gtest.h>

#include "support/tensors.h"
#include "support/tiny_model.h"

namespace hmtc {
namespace {

TEST(Scoring, NoDocumentsGiveNoScores) {
  const auto model = tiny_la_hcn(tiny_config(), {2, 3});
  const ScoreSet scores = score_corpus(*model, Corpus{}, 5, 1);
  EXPECT_EQ(scores.num_documents, 0U);
  EXPECT_EQ(scores.num_labels, 5U);
  EXPECT_TRUE(scores.combined.empty());
}

TEST(Scoring, EveryDocumentKeepsItsPlaceThoughBatchesAreSortedByLength) {
  const auto model = tiny_la_hcn(tiny_config(), {2, 3});
  const std::vector<std::vector<std::int32_t>> documents = {
      {4}, {3, 2, 7, 3, 9}, {}, {2, 5, 1}, std::vector<std::int32_t>(3000, 6), {8, 8}};
  const ScoreSet scores = score_corpus(*model, corpus_of(documents), 5, 1);
  ASSERT_EQ(scores.num_documents, documents.size());
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const ModelScores alone = model->scores(batch_of({documents[i]}));
    const auto row = [&](const std::vector<float>& values) {
      return torch::tensor(at::ArrayRef<float>(values.data() + i * 5, 5)).unsqueeze(0);
    };
    const std::string name = "document " + std::to_string(i);
    expect_close(row(scores.combined), alone.combined, {1e-5, 1e-6}, name);
    expect_close(row(scores.local), alone.local, {1e-5, 1e-6}, name);
    expect_close(row(scores.global), alone.global, {1e-5, 1e-6}, name);
  }
}

TEST(Scoring, ThreadsChangeNothing) {
  const auto model = tiny_la_hcn(tiny_config(), {2, 3});
  std::vector<std::vector<std::int32_t>> few = {{4}, {3, 2, 7, 3, 9}, {}, {2, 5, 1}};
  std::vector<std::vector<std::int32_t>> many;  // more words than a batch holds
  for (std::size_t i = 0; i < 40; ++i) many.emplace_back(50 + 7 * i, static_cast<int>(2 + i % 8));
  for (const auto& documents : {few, many}) {
    Corpus corpus = corpus_of(documents);
    corpus.max_words = 200;
    const ScoreSet one = score_corpus(*model, corpus, 5, 1);
    for (const int threads : {2, 4}) {
      const ScoreSet several = score_corpus(*model, corpus, 5, threads);
      const auto tensor = [](const ScoreSet& set) { return torch::tensor(set.combined); };
      expect_close(tensor(several), tensor(one), {1e-5, 1e-6}, std::to_string(threads));
    }
  }
}

TEST(Scoring, DropoutIsOffAndNoGradientIsRecorded) {
  const auto model = tiny_la_hcn(tiny_config(), {2, 3});
  model->train();
  const Corpus corpus = corpus_of({{2, 5, 1}, {4}});
  const ScoreSet first = score_corpus(*model, corpus, 5, 1);
  EXPECT_EQ(first.combined, score_corpus(*model, corpus, 5, 1).combined);
  EXPECT_FALSE(model->is_training());
}

}  // namespace
}  // namespace hmtc
