#include "encoder/word_batch.h"

#include <gtest/gtest.h>

#include "support/tiny_model.h"

namespace hmtc {
namespace {

TEST(WordBatch, AnEmptyDocumentStillHasOneColumnOfPadding) {
  const WordBatch batch = batch_of({{}});
  EXPECT_TRUE(torch::equal(batch.ids, torch::zeros({1, 1}, torch::kInt64)));
  EXPECT_FALSE(batch.mask[0][0].item<bool>());
  EXPECT_EQ(batch.lengths[0].item<std::int64_t>(), 0);
}

TEST(WordBatch, ShorterDocumentsArePaddedToTheLongest) {
  const WordBatch batch = batch_of({{4}, {2, 3, 2}, {}});
  EXPECT_TRUE(
      torch::equal(batch.ids, torch::tensor({{4, 0, 0}, {2, 3, 2}, {0, 0, 0}}, torch::kInt64)));
  EXPECT_TRUE(torch::equal(batch.mask.to(torch::kInt64),
                           torch::tensor({{1, 0, 0}, {1, 1, 1}, {0, 0, 0}}, torch::kInt64)));
  EXPECT_TRUE(torch::equal(batch.lengths, torch::tensor({1, 3, 0}, torch::kInt64)));
}

TEST(WordBatch, DocumentsComeInTheOrderAskedForAndOnlyThose) {
  const Corpus corpus = corpus_of({{2}, {3, 4, 5}, {6, 7}});
  const std::vector<std::size_t> documents = {2, 0};
  const WordBatch batch = make_word_batch(corpus, documents);
  EXPECT_TRUE(torch::equal(batch.ids, torch::tensor({{6, 7}, {2, 0}}, torch::kInt64)));
}

/// The ids of one batch of these documents after words were dropped.
torch::Tensor dropped(const std::vector<std::vector<std::int32_t>>& words,
                      const std::vector<std::size_t>& documents, double rate, std::uint64_t seed) {
  WordBatch batch = make_word_batch(corpus_of(words), documents);
  drop_words(batch, documents, rate, seed);
  return batch.ids;
}

TEST(DropWords, NothingIsDroppedOfNothingOrAtTheRateZero) {
  EXPECT_TRUE(torch::equal(dropped({{}}, {0}, 0.9, 1), torch::zeros({1, 1}, torch::kInt64)));
  EXPECT_TRUE(torch::equal(dropped({{4, 5}}, {0}, 0, 1), torch::tensor({{4, 5}}, torch::kInt64)));
}

TEST(DropWords, AsManyWordsAsTheRateSaysBecomeTheUnknownOne) {
  // 10,000 words at 0.3: 3,000 with a standard deviation of 46. Padding is no word.
  const std::vector<std::int32_t> document(10000, 7);
  const torch::Tensor ids = dropped({document, {}}, {0, 1}, 0.3, 5);
  EXPECT_NEAR((ids[0] == 1).sum().item<double>(), 3000, 200);
  EXPECT_EQ(((ids[0] == 1) | (ids[0] == 7)).sum().item<std::int64_t>(), 10000);
  EXPECT_EQ((ids[1] == 0).sum().item<std::int64_t>(), 10000);
}

TEST(DropWords, SeedDocumentAndPlaceAloneDecide) {
  const std::vector<std::int32_t> document(100, 7);
  const std::vector<std::vector<std::int32_t>> words = {document, document, {2, 3}};
  const torch::Tensor both = dropped(words, {0, 1}, 0.5, 5);
  EXPECT_TRUE(torch::equal(dropped(words, {0, 1}, 0.5, 5), both));
  EXPECT_FALSE(torch::equal(dropped(words, {0, 1}, 0.5, 6), both));
  EXPECT_FALSE(torch::equal(both[0], both[1]));
  EXPECT_TRUE(torch::equal(dropped(words, {2, 1}, 0.5, 5)[1], both[1]));  // beside another
  EXPECT_TRUE(torch::equal(dropped(words, {1}, 0.5, 5)[0], both[1]));     // alone
}

}  // namespace
}  // namespace hmtc
