// What answers looks at the words that what learns looks at: see parity_test.cc.
#include "model/han.h"
#include "model/harnn.h"
#include "model/la_hcn.h"
#include "model/parity.h"

namespace hmtc {
namespace {

class LaHcnParity : public Parity {};

TEST_P(LaHcnParity, AttentionComponentsAndEvidenceAgree) {
  for_each_draw([&] {
    look_at_every_document([&](const WordBatch& one, const WordAttention& looked) {
      const LaHcnOutput expected = dynamic_cast<LaHcn&>(*model_).run(one, Detail::kEverything);
      std::vector<torch::Tensor> A, local_logits;
      for (std::size_t h = 0; h < expected.levels.size(); ++h) {
        const LaHcnLevelOutput& level = expected.levels[h];
        A.push_back(level.attention.A[0]);                        // (L, n)
        local_logits.push_back(level.attention.local_logits[0]);  // (L), without bias and prior
        if (looked.components.empty()) continue;
        // Products of up to forty numbers around one, so that their size counts.
        const double scale = 1 + level.attention.S.abs().max().item<double>();
        expect_close(looked.components[h].S, level.attention.S[0], "S", kParityAgreement * scale);
        expect_close(looked.components[h].R_tilde, level.R_tilde, "R_tilde");
      }
      EXPECT_EQ(looked.components.empty(), GetParam().name == "la-hcn-nc");
      expect_close(looked.A, torch::cat(A), "A");
      if (GetParam().name == "la-hcn-g") {
        EXPECT_TRUE(looked.evidence.empty());
        return;
      }
      const torch::Tensor logits = torch::cat(local_logits);
      Matrix sums(1, looked.evidence.rows());
      for (std::size_t i = 0; i < sums.size(); ++i) {
        const auto row = looked.evidence.row(i);
        sums.data()[i] = std::accumulate(row.begin(), row.end(), 0.0F);
      }
      expect_close(sums, logits, "sums of evidence",
                   kParityAgreement * (1 + logits.abs().max().item<double>()));
    });
  });
}

INSTANTIATE_TEST_SUITE_P(Networks, LaHcnParity, testing::ValuesIn(parity_cases_of("la-hcn")),
                         name_of_case);

class HarnnParity : public Parity {};

TEST_P(HarnnParity, AttentionAgrees) {
  for_each_draw([&] {
    look_at_every_document([&](const WordBatch& one, const WordAttention& looked) {
      const auto levels = dynamic_cast<Harnn&>(*model_).run_levels(one);
      std::vector<torch::Tensor> of_labels;
      for (const HarnnLevelOutput& level : levels) {  // the mean over the labels of a level
        of_labels.push_back(level.Att[0].mean(0, /*keepdim=*/true).expand_as(level.Att[0]));
      }
      expect_close(looked.A, torch::cat(of_labels), "Att");
    });
  });
}

INSTANTIATE_TEST_SUITE_P(Networks, HarnnParity, testing::ValuesIn(parity_cases_of("harnn")),
                         name_of_case);

class HanParity : public Parity {};

TEST_P(HanParity, AttentionAgrees) {
  for_each_draw([&] {
    look_at_every_document([&](const WordBatch& one, const WordAttention& looked) {
      const torch::Tensor attention =
          dynamic_cast<Han&>(*model_).run(one, Detail::kEverything).attention;  // (1, n)
      expect_close(looked.A,
                   attention.expand({static_cast<std::int64_t>(hierarchy_.num_labels()), -1}),
                   "attention");
    });
  });
}

INSTANTIATE_TEST_SUITE_P(Networks, HanParity, testing::ValuesIn(parity_cases_of("han")),
                         name_of_case);

}  // namespace
}  // namespace hmtc
