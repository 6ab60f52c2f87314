#include "network/scoring.h"

#include <gtest/gtest.h>

#include "support/golden.h"
#include "support/tiny_config.h"

namespace hmtc {
namespace {

void expect_close(std::span<const float> actual, std::span<const float> expected,
                  const std::string& name) {
  ASSERT_EQ(actual.size(), expected.size()) << name;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    ASSERT_NEAR(actual[i], expected[i], 1e-6 + 1e-5 * std::abs(expected[i])) << name << ", " << i;
  }
}

class Scoring : public testing::Test {
 protected:
  ScoreSet score(const Corpus& corpus, int threads) const {
    return score_corpus(*network_, corpus, kLabels, threads);
  }

  static constexpr std::size_t kLabels = 9;
  const GoldenFile golden_{"la_hcn_reference"};
  const std::unique_ptr<const Network> network_ = golden_.network();
};

TEST_F(Scoring, NoDocumentsGiveNoScores) {
  const ScoreSet scores = score(Corpus{}, 1);
  EXPECT_EQ(scores.num_documents, 0U);
  EXPECT_EQ(scores.num_labels, kLabels);
  EXPECT_TRUE(scores.combined.empty());
}

TEST_F(Scoring, EveryDocumentKeepsItsPlaceThoughBatchesAreSortedByLength) {
  const std::vector<std::vector<std::int32_t>> documents = {
      {4}, {3, 2, 7, 3, 9}, {}, {2, 5, 1}, std::vector<std::int32_t>(3000, 6), {8, 8}};
  const Corpus corpus = corpus_of(documents);
  for (const int threads : {1, 2, 3}) {
    const ScoreSet scores = score(corpus, threads);
    ASSERT_EQ(scores.num_documents, documents.size());
    for (std::size_t i = 0; i < documents.size(); ++i) {
      const std::size_t one[] = {i};
      const NetworkScores alone = network_->scores(make_document_batch(corpus, one));
      const auto row = [&](const std::vector<float>& values) {
        return std::span(values).subspan(i * kLabels, kLabels);
      };
      const std::string name = "document " + std::to_string(i);
      expect_close(row(scores.combined), alone.combined.values(), name);
      expect_close(row(scores.local), alone.local.values(), name);
      expect_close(row(scores.global), alone.global.values(), name);
    }
  }
}

TEST_F(Scoring, ThreadsChangeNothing) {
  std::vector<std::vector<std::int32_t>> few = {{4}, {3, 2, 7, 3, 9}, {}, {2, 5, 1}};
  std::vector<std::vector<std::int32_t>> many;  // more words than a batch holds
  for (std::size_t i = 0; i < 40; ++i) many.emplace_back(50 + 7 * i, static_cast<int>(2 + i % 8));
  for (const auto& documents : {few, many}) {
    Corpus corpus = corpus_of(documents);
    corpus.max_words = 200;
    const ScoreSet one = score(corpus, 1);
    for (const int threads : {2, 4}) {
      expect_close(score(corpus, threads).combined, one.combined, std::to_string(threads));
    }
  }
}

TEST_F(Scoring, OnlyNetworksWithBothClassifiersHaveLocalAndGlobalScores) {
  for (const std::string& name : golden_names()) {
    const GoldenFile golden(name);
    const auto network = golden.network();
    const ScoreSet scores = score_corpus(*network, golden.corpus, golden.num_labels(), 2);
    const std::size_t all = golden.corpus.size() * golden.num_labels();
    EXPECT_EQ(scores.combined.size(), all) << name;
    EXPECT_EQ(scores.local.size(), network->has_parts() ? all : 0) << name;
    EXPECT_EQ(scores.global.size(), scores.local.size()) << name;
    EXPECT_TRUE(scores.wide.empty()) << name;
  }
}

}  // namespace
}  // namespace hmtc
