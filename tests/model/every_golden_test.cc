// Every model against numbers that an independent implementation made (tests/golden/README.md).
#include <gtest/gtest.h>

#include "model/capsule.h"
#include "model/han.h"
#include "model/harnn.h"
#include "model/model_table.h"
#include "model/parameters.h"
#include "support/golden.h"
#include "support/tensors.h"

namespace hmtc {
namespace {

constexpr Tolerance kAgreement{1e-4, 1e-6};

class EveryGolden : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    model_ = make_model(golden_.config, golden_.hierarchy,
                        static_cast<std::int64_t>(golden_.vocabulary));
    load_parameters(*model_, file_, golden_.path, "weights/");
    model_->eval();
    const torch::Tensor ids = read_tensor(file_, "input.ids");
    batch_.ids = ids;
    batch_.lengths = read_tensor(file_, "input.lengths");
    batch_.mask = torch::arange(ids.size(1)) < batch_.lengths.unsqueeze(1);
    if (file_.tensors.contains("input.sentence_lengths")) {
      batch_.sentences = read_tensor(file_, "input.sentence_lengths");
    }
    targets_ = read_tensor(file_, "input.targets");
  }

  void expect_agreement(const torch::Tensor& actual, const std::string& name) const {
    expect_close(actual, read_tensor(file_, "expected/" + name), kAgreement, name);
  }

  void expect_loss_and_gradients(const std::string& prefix) {
    const torch::Tensor loss = model_->loss(batch_, targets_);
    expect_agreement(loss, prefix + "loss");
    loss.backward();
    for (const auto& parameter : model_->named_parameters()) {
      const torch::Tensor& gradient = parameter.value().grad();
      expect_agreement(
          gradient.defined() ? gradient.to_dense() : torch::zeros_like(parameter.value()),
          prefix + "grad/" + parameter.key());
    }
  }

  const GoldenFile golden_{GetParam()};
  const TensorFile& file_ = golden_.file;
  std::shared_ptr<Model> model_;
  WordBatch batch_;
  torch::Tensor targets_;
};

TEST_P(EveryGolden, TheFileHasTheWeightsOfThisModelAndNoOthers) {
  std::size_t weights = 0;
  for (const auto& [name, tensor] : file_.tensors) weights += name.starts_with("weights/") ? 1 : 0;
  EXPECT_EQ(weights, model_->named_parameters().size() + model_->named_buffers().size());
}

TEST_P(EveryGolden, ScoresAgree) {
  const torch::NoGradGuard no_grad;
  expect_agreement(model_->scores(batch_).combined, "scores");
}

TEST_P(EveryGolden, LossAndEveryGradientAgree) { expect_loss_and_gradients(""); }

class HmcnGolden : public EveryGolden {};

TEST_P(HmcnGolden, LossAndGradientsAgreeInTraining) {  // with the statistics of the batch
  model_->train();
  expect_loss_and_gradients("training/");
}

class HarnnGolden : public EveryGolden {};

TEST_P(HarnnGolden, AttentionAgrees) {
  const auto levels = dynamic_cast<Harnn&>(*model_).run_levels(batch_);
  for (std::size_t h = 0; h < levels.size(); ++h) {
    const std::string prefix = "level_" + std::to_string(h + 1) + ".";
    expect_agreement(levels[h].Att, prefix + "Att");
    expect_agreement(levels[h].A, prefix + "A");
    if (h > 0) expect_agreement(levels[h - 1].omega, prefix + "omega");
  }
}

class CapsuleGolden : public EveryGolden {};

TEST_P(CapsuleGolden, CapsulesAgree) {
  const torch::Tensor capsules = dynamic_cast<Capsule&>(*model_).primary_capsules(batch_);
  expect_agreement(capsules.transpose(1, 2), "primary");  // (B, T, F, s)
}

class HanGolden : public EveryGolden {};

TEST_P(HanGolden, AttentionAgrees) {
  const torch::NoGradGuard no_grad;
  expect_agreement(dynamic_cast<Han&>(*model_).run(batch_, Detail::kEverything).attention,
                   "attention");
}

INSTANTIATE_TEST_SUITE_P(Models, EveryGolden,
                         testing::Values("flat", "harnn", "hmcn_f", "hmcn_r", "capsule", "han",
                                         "la_hcn_nc", "la_hcn_l", "la_hcn_g"),
                         [](const auto& golden) { return golden.param; });

INSTANTIATE_TEST_SUITE_P(Models, HmcnGolden, testing::Values("hmcn_f", "hmcn_r"));
INSTANTIATE_TEST_SUITE_P(Models, HarnnGolden, testing::Values("harnn"));
INSTANTIATE_TEST_SUITE_P(Models, CapsuleGolden, testing::Values("capsule"));
INSTANTIATE_TEST_SUITE_P(Models, HanGolden, testing::Values("han"));

}  // namespace
}  // namespace hmtc
