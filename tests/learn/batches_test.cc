#include "learn/batches.h"

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

std::vector<std::size_t> share_sizes(const std::vector<std::size_t>& lengths,
                                     std::size_t num_shares) {
  Corpus corpus;
  std::vector<std::size_t> documents;
  for (const std::size_t length : lengths) {
    documents.push_back(corpus.size());
    corpus.append({}, std::vector<std::int32_t>(length, 2), {});
  }
  std::vector<std::size_t> sizes;
  for (const auto& share : shares_of_words(corpus, documents, num_shares)) {
    sizes.push_back(share.size());
  }
  return sizes;
}

TEST(SharesOfWords, OneDocumentIsOneShare) {
  EXPECT_THAT(share_sizes({0}, 1), testing::ElementsAre(1));
}

TEST(SharesOfWords, HoldLikeNumbersOfWords) {
  EXPECT_THAT(share_sizes({1, 1, 1, 9}, 2), testing::ElementsAre(3, 1));
  EXPECT_THAT(share_sizes({9, 1, 1, 1}, 2), testing::ElementsAre(1, 3));
  EXPECT_THAT(share_sizes({5, 5, 5, 5, 5, 5}, 3), testing::ElementsAre(2, 2, 2));
}

TEST(SharesOfWords, EveryShareHasADocument) {
  EXPECT_THAT(share_sizes({100, 0, 0}, 3), testing::ElementsAre(1, 1, 1));
  EXPECT_THAT(share_sizes({0, 0, 100}, 3), testing::ElementsAre(1, 1, 1));
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
  // Ten lengths in pools of 200 documents, 20 of each length: a batch of four spans two lengths at
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
      targets_of(corpus, documents, 4),
      torch::tensor(
          {{0.0F, 0.0F, 1.0F, 0.0F}, {0.0F, 0.0F, 0.0F, 0.0F}, {1.0F, 0.0F, 0.0F, 1.0F}})));
}

TEST(LabelTargets, OfATeacherAreAMeanWithTheLabels) {
  Corpus corpus;
  corpus.append("first", {}, std::vector<LabelId>{0});
  corpus.append("second", {}, std::vector<LabelId>{1});
  const std::vector<float> taught = {0.5F, 0.5F, 1.0F, 0.0F};
  const std::vector<std::size_t> documents = {1, 0};
  // second: 0.75 (0, 1) + 0.25 (1, 0), first: 0.75 (1, 0) + 0.25 (0.5, 0.5)
  EXPECT_TRUE(torch::equal(targets_of(corpus, documents, {2, taught, 0.25}),
                           torch::tensor({{0.25F, 0.75F}, {0.875F, 0.125F}})));
}

TEST(LabelTargets, OfADocumentWithoutLabelsAreTheTeachersAlone) {
  Corpus corpus;
  corpus.append("labelled", {}, std::vector<LabelId>{0});
  corpus.append("spliced", {}, {});
  const std::vector<float> taught = {0.5F, 0.5F, 0.75F, 0.25F};
  const std::vector<std::size_t> documents = {0, 1};
  // labelled: 0.75 (1, 0) + 0.25 (0.5, 0.5)
  EXPECT_TRUE(torch::equal(targets_of(corpus, documents, {2, taught, 0.25, /*labelled=*/1}),
                           torch::tensor({{0.875F, 0.125F}, {0.75F, 0.25F}})));
}

}  // namespace
}  // namespace hmtc
