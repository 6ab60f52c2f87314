// What learns and what answers are two implementations of each network: of the same tensors, at
// random sizes, they must make the same probabilities.
#include "model/parity.h"

#include "network/document_batch.h"

namespace hmtc {
namespace {

TEST_P(Parity, WhatAnswersGivesTheProbabilitiesOfWhatLearns) {
  float least = 1, most = 0;
  for_each_draw([&] {
    const ModelScores expected = model_->scores(make_word_batch(corpus_, all_documents()));
    least = std::min(least, expected.combined.min().item<float>());
    most = std::max(most, expected.combined.max().item<float>());
    for (const int threads : {1, 2}) {
      DocumentBatch batch = make_document_batch(corpus_, all_documents());
      batch.threads = threads;
      const NetworkScores found = network_->scores(batch);
      expect_close(found.combined, expected.combined, "combined");
      ASSERT_EQ(network_->has_parts(), expected.local.defined());
      if (!expected.local.defined()) continue;
      expect_close(found.local, expected.local, "local");
      expect_close(found.global, expected.global, "global");
    }
  });
  EXPECT_GT(most - least, 0.5F) << "scores so near to each other say little";
}

INSTANTIATE_TEST_SUITE_P(Networks, Parity, testing::ValuesIn(all_parity_cases()), name_of_case);

}  // namespace
}  // namespace hmtc
