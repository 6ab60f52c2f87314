// LA-HCN against numbers that an independent implementation made (tests/golden/README.md).
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "learn/adam.h"
#include "model/la_hcn.h"
#include "model/parameters.h"
#include "support/tensors.h"
#include "support/tiny_model.h"

namespace hmtc {
namespace {

constexpr Tolerance kAgreement{1e-4, 1e-6};
constexpr const char* kEmbedding = "encoder.embedding.weight";

/// The model that a golden file describes, with its weights, and the file.
class Golden : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const std::string path = std::string(HMTC_TEST_DATA) + "/golden/" + GetParam() + ".safetensors";
    file_ = parse_tensor_file(read_file(path), path);
    config_ = nlohmann::json::parse(file_.metadata.at("config"));
    const auto& sizes = config_["sizes"];
    ModelOptions model;
    model.profile = config_["model"]["profile"] == "paper" ? Profile::kPaper : Profile::kReference;
    model.local_weight = config_["model"]["local_weight"];
    model.components = sizes["C"];
    model.attention_width = sizes["a"];
    model.document_width = sizes["d"];
    model.global_width = sizes["g"];
    EncoderOptions encoder;
    encoder.kind =
        config_["encoder"]["kind"] == "bilstm" ? EncoderKind::kBiLstm : EncoderKind::kEmbedding;
    encoder.embedding_width = sizes["e"];
    encoder.lstm_width = sizes["lstm"];
    model_ = std::make_shared<LaHcn>(model, Encoder(encoder, sizes["vocabulary"]),
                                     tree_of(sizes["levels"].get<std::vector<std::int64_t>>()));
    load_parameters(*model_, file_, path, "weights/");
    model_->eval();
    read_documents();
  }

  void read_documents() {
    targets_ = read_tensor(file_, "input.targets");
    const torch::Tensor ids = read_tensor(file_, "input.ids");
    const torch::Tensor lengths = read_tensor(file_, "input.lengths");
    for (std::int64_t i = 0; i < ids.size(0); ++i) {
      const auto* words = ids.data_ptr<std::int64_t>() + i * ids.size(1);
      documents_.emplace_back(words, words + lengths[i].item<std::int64_t>());
    }
    batch_ = batch_of(documents_);
    ASSERT_TRUE(torch::equal(batch_.ids, ids));
    ASSERT_TRUE(torch::equal(batch_.lengths, lengths));
  }

  torch::Tensor expected(const std::string& name) const {
    return read_tensor(file_, "expected/" + name);
  }

  void expect_agreement(const torch::Tensor& actual, const std::string& name) const {
    expect_close(actual, expected(name), kAgreement, name);
  }

  /// The loss before the step.
  double train_step(Adam& adam, const WordBatch& batch, const torch::Tensor& targets) {
    const torch::Tensor loss = model_->loss(batch, targets);
    loss.backward();
    adam.step(config_["train"]["learning_rate"], config_["train"]["max_norm"]);
    return loss.item<double>();
  }

  TensorFile file_;
  nlohmann::json config_;
  std::shared_ptr<LaHcn> model_;
  std::vector<std::vector<std::int32_t>> documents_;
  WordBatch batch_;
  torch::Tensor targets_;
};

TEST_P(Golden, TheFileHasTheWeightsOfThisModelAndNoOthers) {
  std::size_t weights = 0;
  for (const auto& [name, tensor] : file_.tensors) weights += name.starts_with("weights/") ? 1 : 0;
  EXPECT_EQ(weights, model_->named_parameters().size());
  // Padding that leaks must show.
  EXPECT_GT(model_->encoder()->embedding()[0].abs().sum().item<float>(), 0);
}

TEST_P(Golden, EveryIntermediateAgrees) {
  const LaHcnOutput out = model_->run(batch_, Detail::kEverything);
  ASSERT_EQ(out.levels.size(), config_["sizes"]["levels"].size());
  for (std::size_t h = 0; h < out.levels.size(); ++h) {
    const LaHcnLevelOutput& level = out.levels[h];
    const std::string prefix = "level_" + std::to_string(h + 1) + ".";
    // S is not masked, A is: what stands at padding is nobody's business.
    expect_agreement(level.attention.S * batch_.mask.unsqueeze(-1), prefix + "S");
    expect_agreement(level.R_tilde, prefix + "R_tilde");
    expect_agreement(level.attention.A, prefix + "A");
    expect_agreement(level.attention.D, prefix + "D");
    if (h == 0) {
      EXPECT_TRUE((expected(prefix + "m") == 1).all().item<bool>());
      EXPECT_FALSE(level.m.defined());
    } else {
      expect_agreement(level.m, prefix + "m");
    }
    expect_agreement(level.attention.D_tilde, prefix + "D_tilde");
    expect_agreement(level.attention.v_tilde, prefix + "v_tilde");
    expect_agreement(level.attention.v, prefix + "v");
    expect_agreement(level.local_logits, prefix + "local_logits");
  }
}

TEST_P(Golden, LogitsScoresAndLossAgree) {
  const ModelOutput out = model_->forward(batch_);
  expect_agreement(out.global_logits, "global_logits");
  expect_agreement(model_->scores_of(out).combined, "scores");
  expect_agreement(model_->loss_of(out, targets_), "loss");
}

TEST_P(Golden, EveryGradientAgrees) {
  model_->loss(batch_, targets_).backward();
  for (const auto& parameter : model_->named_parameters()) {
    ASSERT_TRUE(parameter.value().grad().defined()) << parameter.key();
    expect_agreement(parameter.value().grad().to_dense(), "grad/" + parameter.key());
  }
}

TEST_P(Golden, TenTrainingStepsHaveTheSameLosses) {
  Adam adam(*model_);
  std::vector<double> losses;
  for (int step = 0; step < 10; ++step) losses.push_back(train_step(adam, batch_, targets_));
  expect_agreement(torch::tensor(losses, torch::kFloat64), "step_losses");
}

TEST_P(Golden, TenStepsOnTwoBatchesInTurnTreatTheEmbeddingLazily) {
  const WordBatch halves[] = {batch_of({documents_[0], documents_[1]}),
                              batch_of({documents_[2], documents_[3]})};
  const torch::Tensor targets[] = {targets_.slice(0, 0, 2), targets_.slice(0, 2, 4)};
  Adam adam(*model_);
  std::vector<double> losses;
  for (int step = 0; step < 10; ++step) {
    losses.push_back(train_step(adam, halves[step % 2], targets[step % 2]));
  }
  expect_agreement(torch::tensor(losses, torch::kFloat64), "alternating_step_losses");
  expect_agreement(model_->named_parameters()[kEmbedding], "alternating_embedding");
}

INSTANTIATE_TEST_SUITE_P(LaHcn, Golden,
                         testing::Values("la_hcn_paper", "la_hcn_reference", "la_hcn_bilstm"),
                         [](const auto& golden) { return golden.param; });

}  // namespace
}  // namespace hmtc
