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

}  // namespace
}  // namespace hmtc
