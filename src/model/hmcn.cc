// HMCN-F and HMCN-R, to be read beside section 3 of "Hierarchical Multi-Label Classification
// Networks" (Wehrmann et al. 2018).
//
//   B documents   w word width   u units of a layer   L labels of a level   M all labels   H levels
#include "model/hmcn.h"

#include <string>

#include "base/random.h"
#include "encoder/dropout.h"
#include "model/initialise.h"
#include "model/over_words.h"

namespace hmtc {

HmcnLevelImpl::HmcnLevelImpl(const HmcnOptions& options, std::int64_t global_input,
                             std::int64_t num_labels)
    : dropout_(options.dropout),
      W_T_(options.width, options.width),
      W_T_norm_(options.width),
      W_L_(options.width, num_labels) {
  if (global_input > 0) {
    W_ = register_module("W", torch::nn::Linear(global_input, options.width));
    W_norm_ = register_module("W_norm", BatchNorm(options.width));
  }
  register_module("W_T", W_T_);
  register_module("W_T_norm", W_T_norm_);
  register_module("W_L", W_L_);
}

torch::Tensor HmcnLevelImpl::phi(const torch::Tensor& x, BatchNorm& norm, std::uint64_t seed) {
  return dropout(norm(torch::relu(x)), dropout_, is_training(), seed);
}

torch::Tensor HmcnLevelImpl::global_layer(const torch::Tensor& x, std::uint64_t seed) {
  return phi(W_(x), W_norm_, mix_seed(seed, 0));
}

torch::Tensor HmcnLevelImpl::local_logits(const torch::Tensor& A_h, std::uint64_t seed) {
  return W_L_(phi(W_T_(A_h), W_T_norm_, mix_seed(seed, 1)));
}

Hmcn::Hmcn(const HmcnOptions& options, double local_weight, Encoder encoder,
           const Hierarchy& hierarchy, const std::vector<std::int64_t>& global_inputs)
    : LogitModel(std::move(encoder), local_weight),
      violation_weight_(options.violation_weight),
      W_G_(options.width, static_cast<std::int64_t>(hierarchy.num_labels())) {
  for (std::size_t h = 0; h < hierarchy.num_levels(); ++h) {
    levels_.push_back(register_module(
        "level_" + std::to_string(h + 1),
        HmcnLevel(options, global_inputs[h], static_cast<std::int64_t>(hierarchy.level_size(h)))));
  }
  register_module("W_G", W_G_);
  std::vector<std::int64_t> children, parents;
  for (LabelId label = 0; label < static_cast<LabelId>(hierarchy.num_labels()); ++label) {
    for (const LabelId parent : hierarchy.parents(label)) {
      children.push_back(label);
      parents.push_back(parent);
    }
  }
  children_ = torch::tensor(children, torch::kInt64);
  parents_ = torch::tensor(parents, torch::kInt64);
}

ModelOutput Hmcn::forward(const WordBatch& batch) {
  const auto x = mean_over_words(encoder_(batch), batch);  // (B, w)
  const auto A = global_flow(x, batch.seed);               // H times (B, u)
  std::vector<torch::Tensor> local;
  for (std::size_t h = 0; h < A.size(); ++h) {
    local.push_back(levels_[h]->local_logits(A[h], mix_seed(batch.seed, h)));  // (B, L)
  }
  return {torch::cat(local, 1), W_G_(A.back())};  // (B, M)
}

torch::Tensor Hmcn::loss_of(const ModelOutput& output, const torch::Tensor& targets) const {
  const auto P = scores_of(output).combined;  // (B, M)
  const auto too_high =
      torch::relu(P.index_select(1, children_) - P.index_select(1, parents_));  // (B, edges)
  return LogitModel::loss_of(output, targets) +
         violation_weight_ * too_high.square().sum() / targets.size(0);
}

namespace {

/// x at the first level, [A_{h-1} || x] below it.
std::vector<std::int64_t> widths_of_f(const HmcnOptions& options, std::int64_t word_width,
                                      std::size_t num_levels) {
  std::vector<std::int64_t> widths(num_levels, options.width + word_width);
  widths.front() = word_width;
  return widths;
}

}  // namespace

HmcnF::HmcnF(const HmcnOptions& options, double local_weight, Encoder encoder,
             const Hierarchy& hierarchy)
    : Hmcn(options, local_weight, encoder, hierarchy,
           widths_of_f(options, encoder->width(), hierarchy.num_levels())) {
  initialise(*this, Profile::kPaper);
}

std::vector<torch::Tensor> HmcnF::global_flow(const torch::Tensor& x, std::uint64_t seed) {
  std::vector<torch::Tensor> A;
  for (HmcnLevel& level : levels_) {
    const auto input = A.empty() ? x : torch::cat({A.back(), x}, 1);    // (B, u + w)
    A.push_back(level->global_layer(input, mix_seed(seed, A.size())));  // (B, u)
  }
  return A;
}

HmcnR::HmcnR(const HmcnOptions& options, double local_weight, Encoder encoder,
             const Hierarchy& hierarchy)
    : Hmcn(options, local_weight, std::move(encoder), hierarchy,
           std::vector<std::int64_t>(hierarchy.num_levels(), 0)),
      width_(options.width),
      cell_(options.width + encoder_->width(), 4 * options.width) {
  register_module("cell", cell_);
  initialise(*this, Profile::kPaper);
}

std::vector<torch::Tensor> HmcnR::global_flow(const torch::Tensor& x, std::uint64_t) {
  torch::Tensor A_h = torch::zeros({x.size(0), width_}, x.options());
  torch::Tensor C_h = A_h;
  std::vector<torch::Tensor> A;
  while (A.size() < levels_.size()) {
    const auto gates = cell_(torch::cat({A_h, x}, 1)).chunk(4, 1);  // i, f, g, o, each (B, u)
    C_h = torch::sigmoid(gates[1]) * C_h + torch::sigmoid(gates[0]) * torch::tanh(gates[2]);
    A_h = torch::sigmoid(gates[3]) * torch::tanh(C_h);  // (B, u)
    A.push_back(A_h);
  }
  return A;
}

}  // namespace hmtc
