// LA-HCN equation by equation; what padding and order may not change is in
// la_hcn_invariance_test.cc, the numbers themselves in golden_test.cc.
#include "model/la_hcn.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/tensors.h"
#include "support/tiny_model.h"

namespace hmtc {
namespace {

constexpr Tolerance kRounding{1e-5, 1e-6};
const std::vector<std::int64_t> kLevels = {2, 4, 3};
const std::vector<std::vector<std::int32_t>> kDocuments = {{2, 5, 1}, {}, {3, 2, 7, 3, 9}, {4}};

/// Calls check(model, batch, output) for both profiles and both encoders.
template <typename Check>
void for_all_variants(const Check& check) {
  for (const Variant& variant : all_variants()) {
    SCOPED_TRACE(variant.name);
    const auto model = tiny_la_hcn(tiny_config(variant), kLevels);
    const WordBatch batch = batch_of(kDocuments);
    check(*model, batch, model->run(batch, Detail::kEverything));
  }
}

TEST(LaHcn, Eq2_AssociationsOfEachLabelSumToOneOverTheComponents) {
  for_all_variants([](LaHcn&, const WordBatch&, const LaHcnOutput& out) {
    for (std::size_t h = 0; h < kLevels.size(); ++h) {
      const torch::Tensor& R_tilde = out.levels[h].R_tilde;
      ASSERT_EQ(R_tilde.sizes(), torch::IntArrayRef({kLevels[h], 3}));
      EXPECT_GT(R_tilde.min().item<float>(), 0);
      expect_close(R_tilde.sum(-1), torch::ones({kLevels[h]}), kRounding, "R~");
    }
  });
}

TEST(LaHcn, Eq4_RowsSumToOneOverRealWordsOnly) {
  for_all_variants([](LaHcn&, const WordBatch& batch, const LaHcnOutput& out) {
    const torch::Tensor has_words = (batch.lengths > 0).to(torch::kFloat32);
    for (std::size_t h = 0; h < kLevels.size(); ++h) {
      const torch::Tensor& A = out.levels[h].attention.A;
      expect_close(A.sum(-1), has_words.unsqueeze(1).expand({4, kLevels[h]}), kRounding, "A");
      EXPECT_EQ(A.masked_select(~batch.mask.unsqueeze(1)).abs().sum().item<float>(), 0);
      EXPECT_GT(A.masked_select(batch.mask.unsqueeze(1)).min().item<float>(), 0);
    }
  });
}

TEST(LaHcn, Eq4_AnEmptyDocumentHasAttentionZeroAndFiniteScoresAndGradients) {
  for (const Variant& variant : all_variants()) {
    SCOPED_TRACE(variant.name);
    const auto model = tiny_la_hcn(tiny_config(variant), kLevels);
    for (const LaHcnLevelOutput& level : model->run(batch_of({{}}), Detail::kEverything).levels) {
      EXPECT_EQ(level.attention.A.abs().sum().item<float>(), 0);
    }
    const ModelOutput out = model->forward(batch_of({{}}));
    EXPECT_TRUE(model->scores_of(out).combined.isfinite().all().item<bool>());
    model->loss_of(out, torch::ones({1, 9})).backward();
    for (const auto& parameter : model->named_parameters()) {
      const torch::Tensor gradient = parameter.value().grad();
      if (!gradient.defined()) continue;
      EXPECT_TRUE(gradient.to_dense().isfinite().all().item<bool>()) << parameter.key();
    }
  }
}

TEST(LaHcn, Eq6_TheFirstLevelHasConfidenceOne) {
  for_all_variants([](LaHcn&, const WordBatch&, const LaHcnOutput& out) {
    EXPECT_FALSE(out.levels[0].m.defined());
    EXPECT_TRUE(torch::equal(out.levels[0].attention.D_tilde, out.levels[0].attention.D));
  });
}

TEST(LaHcn, Eq6_ConfidencesOfLowerLevelsLieBetweenZeroAndOne) {
  for_all_variants([](LaHcn&, const WordBatch&, const LaHcnOutput& out) {
    for (std::size_t h = 1; h < kLevels.size(); ++h) {
      ASSERT_EQ(out.levels[h].m.sizes(), torch::IntArrayRef({4, kLevels[h]}));
      EXPECT_GT(out.levels[h].m.min().item<float>(), 0);
      EXPECT_LT(out.levels[h].m.max().item<float>(), 1);
    }
  });
}

TEST(LaHcn, Eq7_EachRowIsMultipliedByItsLabelsConfidence) {
  for_all_variants([](LaHcn&, const WordBatch&, const LaHcnOutput& out) {
    for (std::size_t h = 1; h < kLevels.size(); ++h) {
      const auto& [S, A, D, D_tilde, v_tilde, v, logits] = out.levels[h].attention;
      for (std::int64_t document = 0; document < 4; ++document) {
        for (std::int64_t label = 0; label < kLevels[h]; ++label) {
          expect_close(D_tilde[document][label],
                       D[document][label] * out.levels[h].m[document][label].item<float>(),
                       kRounding, "D~");
        }
      }
    }
  });
}

TEST(LaHcn, Eq8And9_DocumentVectorsAreMeansOverTheLabels) {
  for_all_variants([](LaHcn&, const WordBatch&, const LaHcnOutput& out) {
    for (std::size_t h = 0; h < kLevels.size(); ++h) {
      const auto& attention = out.levels[h].attention;
      torch::Tensor sum = torch::zeros({4, 6}), sum_tilde = torch::zeros({4, 6});
      for (std::int64_t label = 0; label < kLevels[h]; ++label) {
        sum = sum + attention.D.select(1, label);
        sum_tilde = sum_tilde + attention.D_tilde.select(1, label);
      }
      const auto labels = static_cast<double>(kLevels[h]);
      expect_close(attention.v, sum / labels, kRounding, "v");
      expect_close(attention.v_tilde, sum_tilde / labels, kRounding, "v~");
    }
  });
}

TEST(LaHcn, Eq10_LowerLevelsReadTheDocumentVectorAboveBesideEachWord) {
  for_all_variants([](LaHcn& model, const WordBatch& batch, const LaHcnOutput& out) {
    const torch::Tensor I = model.encoder()(batch);
    const auto parameters = model.named_parameters();
    for (std::size_t h = 1; h < kLevels.size(); ++h) {
      const std::string level = "level_" + std::to_string(h + 1) + ".";
      const torch::Tensor above = out.levels[h - 1].attention.v_tilde.unsqueeze(1);
      const torch::Tensor v_w = torch::cat({above.expand({4, I.size(1), 6}), I}, -1);
      torch::Tensor f_w = torch::matmul(v_w, parameters[level + "f_w.weight"].t());
      if (const auto* bias = parameters.find(level + "f_w.bias")) f_w = f_w + *bias;
      expect_close(out.levels[h].attention.S,
                   torch::matmul(torch::tanh(f_w), parameters[level + "components"].t()), kRounding,
                   "S");
    }
  });
}

TEST(LaHcn, Eq12To16_TheLossIsTheSumOverLabelsOfBothCrossEntropiesMeanOverTheBatch) {
  const auto model = tiny_la_hcn(tiny_config(), {3});
  // Logit 0 costs ln 2 whatever the target: 3 labels, twice, for every document.
  const ModelOutput undecided{torch::zeros({2, 3}), torch::zeros({2, 3})};
  const torch::Tensor targets = torch::tensor({{1.0F, 0.0F, 0.0F}, {1.0F, 1.0F, 0.0F}});
  EXPECT_NEAR(model->loss_of(undecided, targets).item<double>(), 6 * std::log(2.0), 1e-5);

  // One document, one wrong local logit: -ln sigmoid(-ln 3) = -ln(1/4); the rest costs nothing.
  const ModelOutput wrong{torch::tensor({{-std::log(3.0F), -100.0F, -100.0F}}),
                          torch::tensor({{100.0F, -100.0F, -100.0F}})};
  EXPECT_NEAR(model->loss_of(wrong, torch::tensor({{1.0F, 0.0F, 0.0F}})).item<double>(),
              std::log(4.0), 1e-5);
}

TEST(LaHcn, Eq17_ScoresAreLocalAndGlobalWeightedWithAlpha) {
  // sigmoid(ln 3) = 0.75, sigmoid(-ln 3) = 0.25.
  const ModelOutput output{torch::full({1, 1}, std::log(3.0F)),
                           torch::full({1, 1}, -std::log(3.0F))};
  for (const auto& [alpha, expected] :
       {std::pair{0.0, 0.25}, std::pair{1.0, 0.75}, std::pair{0.5, 0.5}, std::pair{0.2, 0.35}}) {
    Config config = tiny_config();
    config.model.local_weight = alpha;
    const ModelScores scores = tiny_la_hcn(config, {1})->scores_of(output);
    EXPECT_NEAR(scores.combined.item<double>(), expected, 1e-6) << "alpha " << alpha;
    EXPECT_NEAR(scores.local.item<double>(), 0.75, 1e-6);
    EXPECT_NEAR(scores.global.item<double>(), 0.25, 1e-6);
  }
}

TEST(LaHcn, Eq18_LocalLogitsStandLevelByLevel) {
  for_all_variants([](LaHcn&, const WordBatch&, const LaHcnOutput& out) {
    ASSERT_EQ(out.local_logits.sizes(), torch::IntArrayRef({4, 9}));
    ASSERT_EQ(out.global_logits.sizes(), torch::IntArrayRef({4, 9}));
    EXPECT_TRUE(torch::equal(out.local_logits.slice(1, 0, 2), out.levels[0].local_logits));
    EXPECT_TRUE(torch::equal(out.local_logits.slice(1, 2, 6), out.levels[1].local_logits));
    EXPECT_TRUE(torch::equal(out.local_logits.slice(1, 6, 9), out.levels[2].local_logits));
  });
}

TEST(LaHcn, GlobalDropoutActsInTrainingOnlyAndLeavesTheLocalLogitsAlone) {
  for (const Profile profile : {Profile::kPaper, Profile::kReference}) {
    Config config = tiny_config({profile, EncoderKind::kEmbedding, ""});
    config.encoder.dropout = 0;
    const auto model = tiny_la_hcn(config, kLevels);
    const WordBatch batch = batch_of(kDocuments);
    const ModelOutput plain = model->forward(batch);
    EXPECT_TRUE(torch::equal(model->forward(batch).global_logits, plain.global_logits));
    model->train();
    const ModelOutput training = model->forward(batch);
    EXPECT_FALSE(torch::allclose(training.global_logits, plain.global_logits));
    EXPECT_TRUE(torch::equal(training.local_logits, plain.local_logits));
  }
}

}  // namespace
}  // namespace hmtc
