#include "train/batches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/tiny_model.h"

namespace hmtc {
namespace {

using Batches = std::vector<std::vector<std::size_t>>;

/// Documents of 0 to 9 words, many of each length.
Corpus lengths_in_turn(std::size_t documents) {
  std::vector<std::vector<std::int32_t>> words;
  for (std::size_t i = 0; i < documents; ++i) words.emplace_back(i * 7 % 10, 2);
  return corpus_of(words);
}

std::vector<std::size_t> all_of(const Batches& batches) {
  std::vector<std::size_t> documents;
  for (const auto& batch : batches) documents.insert(documents.end(), batch.begin(), batch.end());
  return documents;
}

TEST(PlanEpoch, NoDocumentsMakeNoBatches) { EXPECT_TRUE(plan_epoch(Corpus{}, 4, 0, 0).empty()); }

TEST(PlanEpoch, ABatchLargerThanTheCorpusHoldsAllOfIt) {
  EXPECT_THAT(plan_epoch(lengths_in_turn(3), 100, 0, 0),
              testing::ElementsAre(testing::UnorderedElementsAre(0, 1, 2)));
}

TEST(PlanEpoch, EveryDocumentComesOnceInBatchesOfTheSizeAskedFor) {
  for (const std::size_t documents : {1, 7, 8, 100, 1003}) {
    const Batches batches = plan_epoch(lengths_in_turn(documents), 4, 5, 2);
    std::vector<std::size_t> seen = all_of(batches);
    std::sort(seen.begin(), seen.end());
    std::vector<std::size_t> expected(documents);
    std::iota(expected.begin(), expected.end(), std::size_t{0});
    EXPECT_EQ(seen, expected);
    EXPECT_EQ(batches.size(), (documents + 3) / 4);
    const auto full = std::count_if(batches.begin(), batches.end(),
                                    [](const auto& batch) { return batch.size() == 4; });
    EXPECT_EQ(full, static_cast<std::ptrdiff_t>(documents / 4));
  }
}

TEST(PlanEpoch, SeedAndEpochAloneDecideTheOrder) {
  const Corpus corpus = lengths_in_turn(100);
  const Batches plan = plan_epoch(corpus, 4, 5, 2);
  EXPECT_EQ(plan_epoch(corpus, 4, 5, 2), plan);
  EXPECT_NE(plan_epoch(corpus, 4, 5, 3), plan);
  EXPECT_NE(plan_epoch(corpus, 4, 6, 2), plan);
}

TEST(PlanEpoch, DocumentsOfLikeLengthComeTogether) {
  // Ten lengths in pools of 250 documents, 25 of each length: a batch of four spans two lengths at
  // most. Cut at random, a batch of four would span about five.
  const Corpus corpus = lengths_in_turn(1000);
  for (const auto& batch : plan_epoch(corpus, 4, 0, 0)) {
    std::size_t shortest = 10, longest = 0;
    for (const std::size_t document : batch) {
      shortest = std::min(shortest, corpus.words_of(document).size());
      longest = std::max(longest, corpus.words_of(document).size());
    }
    EXPECT_LE(longest - shortest, 2U);
  }
}

TEST(PlanEpoch, ShortDocumentsDoNotAllComeFirst) {
  const Corpus corpus = lengths_in_turn(1000);
  const Batches plan = plan_epoch(corpus, 10, 0, 0);
  const auto words_in = [&](std::size_t begin, std::size_t end) {
    std::size_t words = 0;
    for (std::size_t i = begin; i < end; ++i) {
      for (const std::size_t document : plan[i]) words += corpus.words_of(document).size();
    }
    return static_cast<double>(words);
  };
  // 4,500 words in all; each half has 2,250 and not 1,000 and 3,500.
  EXPECT_NEAR(words_in(0, 50), 2250, 600);
}

TEST(LabelTargets, AreOneAtTheLabelsOfEachDocument) {
  Corpus corpus;
  corpus.append("none", {}, {});
  corpus.append("two", {}, std::vector<LabelId>{0, 3});
  corpus.append("one", {}, std::vector<LabelId>{2});
  const std::vector<std::size_t> documents = {2, 0, 1};
  EXPECT_TRUE(torch::equal(
      label_targets(corpus, documents, 4),
      torch::tensor(
          {{0.0F, 0.0F, 1.0F, 0.0F}, {0.0F, 0.0F, 0.0F, 0.0F}, {1.0F, 0.0F, 0.0F, 1.0F}})));
}

}  // namespace
}  // namespace hmtc
