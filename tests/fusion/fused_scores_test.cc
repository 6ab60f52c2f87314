#include "fusion/fused_scores.h"

#include <gtest/gtest.h>

namespace hmtc {
namespace {

/// One document and one label.
ScoreSet scores_of(std::vector<float> combined, std::vector<float> local, std::vector<float> global,
                   std::vector<float> wide) {
  return {1, 1, std::move(combined), std::move(local), std::move(global), std::move(wide)};
}

TEST(FusedScores, ANetworkWithoutPartsIsOneClassifier) {
  const ScoreSet scores = scores_of({0.7F}, {}, {}, {});
  ASSERT_EQ(classifiers_of(scores).size(), 1U);
  EXPECT_EQ(classifiers_of(scores)[0].scores[0], 0.7F);
  EXPECT_EQ(even_weights(scores), std::vector<float>{1});
}

TEST(FusedScores, LocalAndGlobalShareTheNetworksHalf) {
  const ScoreSet scores = scores_of({0.5F}, {0.6F}, {0.4F}, {0.1F});
  const ClassifierScores classifiers = classifiers_of(scores);
  ASSERT_EQ(classifiers.size(), 3U);
  EXPECT_EQ(classifiers[0].scores[0], 0.6F);
  EXPECT_EQ(classifiers[1].scores[0], 0.4F);
  EXPECT_EQ(classifiers[2].scores[0], 0.1F);
  EXPECT_EQ(even_weights(scores), (std::vector<float>{0.25F, 0.25F, 0.5F}));
}

TEST(FusedScores, TheFusedScoreTakesThePlaceOfTheCombinedOne) {
  ScoreSet scores = scores_of({0.5F}, {}, {}, {0.9F});
  // logit(0.5) = 0, logit(0.9) = ln 9: half of it is ln 3, whose sigmoid is 3/4.
  fuse(same_for_each_label(even_weights(scores), scores.num_labels), scores);
  EXPECT_NEAR(scores.combined[0], 0.75, 1e-6);
  EXPECT_EQ(scores.wide[0], 0.9F);
}

}  // namespace
}  // namespace hmtc
