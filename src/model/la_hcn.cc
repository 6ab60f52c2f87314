// LA-HCN, to be read with section 3 of the paper beside it. Equations are numbered in the order in
// which they are printed; docs/paper_map.md lists them and every numbered deviation (D1, D2, …).
//
//   B documents   N words      w word width       a attention width   d document width
//   L labels of a level        C components       H levels            M all labels
#include "model/la_hcn.h"

#include <string>

#include "model/initialise.h"

namespace hmtc {
namespace {

torch::nn::Linear linear(std::int64_t in, std::int64_t out, bool bias) {
  return torch::nn::Linear(torch::nn::LinearOptions(in, out).bias(bias));
}

constexpr double kPaperSlope = 0.01;     // D5: the paper gives no slope for LeakyReLU
constexpr double kReferenceSlope = 0.2;  // D5

}  // namespace

LaHcnLevelImpl::LaHcnLevelImpl(const ModelOptions& options, std::int64_t word_width,
                               std::int64_t num_labels, bool first, bool has_components)
    : equations_(options.equations()),
      document_width_(options.document_width),
      f_w_(linear(word_width + (first ? 0 : options.document_width), options.attention_width,
                  options.equations() == Profile::kPaper)),
      f_l_(linear(options.document_width, options.attention_width,
                  options.equations() == Profile::kPaper)),
      W_(linear(word_width, options.document_width, true)) {  // D12
  const std::int64_t d = options.document_width;
  if (has_components) {
    v_c_ = register_parameter("components",
                              torch::empty({options.components, options.attention_width}));
  }
  labels_ = register_parameter("labels", torch::empty({num_labels, d}));
  register_module("f_w", f_w_);
  register_module("f_l", f_l_);
  register_module("W", W_);
  if (!first) f_m_ = register_module("f_m", linear(d, d, equations_ == Profile::kPaper));
  if (equations_ == Profile::kReference) {
    W_loc_ = register_module("W_loc", linear(d, d, false));
    b_loc_ = register_parameter("b_loc", torch::empty({num_labels}));
  }
}

LaHcnLevelImpl::SplitLayer LaHcnLevelImpl::split_f_w() {
  if (!f_m_) return {{}, f_w_->weight};
  const std::int64_t d = document_width_;
  const auto parts = f_w_->weight.split_with_sizes({d, f_w_->weight.size(1) - d}, 1);
  return {parts[0], parts[1]};
}

/// What no document changes.
LabelAttentionInput LaHcnLevelImpl::label_side(const torch::Tensor& v_l, const torch::Tensor& W_2) {
  LabelAttentionInput side;
  const auto f_l = torch::tanh(f_l_(v_l));  // (L, a)  D1
  if (v_c_.defined()) {
    const auto R = torch::matmul(f_l, v_c_.t());  // Eq. 3  (L, C)
    side.R_tilde = torch::softmax(R, -1);         // Eq. 2  (L, C)
    side.v_c = v_c_;
  } else {
    side.R_tilde = f_l;  // LA-HCN_NC: labels meet words directly  D18
  }
  side.f_w = W_2;  // (a, w)  D11
  side.W = W_->weight;
  side.b = W_->bias;
  side.label_readout = label_readout(v_l);
  return side;
}

LaHcnLevelOutput LaHcnLevelImpl::forward(const LaHcnLevelInput& from, const WordBatch& batch,
                                         Detail detail) {
  LaHcnLevelOutput out;
  const auto& [I, v_l, v_tilde_above, word_bias] = from;
  const auto [W_1, W_2] = split_f_w();
  LabelAttentionInput input = label_side(v_l, W_2);  // Eq. 2, 3
  if (detail == Detail::kEverything) out.R_tilde = input.R_tilde;
  if (v_tilde_above.defined()) {
    out.m = confidence(v_tilde_above, v_l);  // Eq. 6  (B, L)
  }
  input.I = I;
  input.lengths = batch.lengths;
  input.f_w_shift = shift_of_f_w(W_1, v_tilde_above, I.size(0));  // Eq. 10 (B, a)
  input.m = out.m;
  input.word_bias = word_bias;
  out.attention = label_attention(input, detail);  // Eq. 1, 4, 5, 7, 8, 9, 11
  out.local_logits = out.attention.local_logits;
  if (b_loc_.defined()) out.local_logits = out.local_logits + b_loc_;  // D6
  return out;
}

/// f_w of Eq. 1 works on v_w^h = v~^{h-1} || v_w of Eq. 10. The product with the first part is the
/// same for all words of a document and made once: W [v~ || v_w] = W_1 v~ + W_2 v_w (D11).
torch::Tensor LaHcnLevelImpl::shift_of_f_w(const torch::Tensor& W_1,
                                           const torch::Tensor& v_tilde_above,
                                           std::int64_t documents) {
  const std::int64_t a = f_w_->weight.size(0);
  const auto bias = f_w_->bias.defined() ? f_w_->bias : torch::zeros({a}, f_w_->weight.options());
  if (!v_tilde_above.defined()) return bias.expand({documents, a});
  return torch::linear(v_tilde_above, W_1, bias);  // (B, a)
}

torch::Tensor LaHcnLevelImpl::confidence(const torch::Tensor& v_tilde_above,
                                         const torch::Tensor& v_l) {
  const auto x = f_m_(v_tilde_above);  // (B, d)
  if (equations_ == Profile::kPaper) {
    const auto f_m = torch::leaky_relu(x, kPaperSlope);  // (B, d)  D5
    return torch::sigmoid(torch::linear(f_m, v_l));      // (B, L)
  }
  const auto f_m = torch::tanh(x);                                                     // (B, d)  D5
  return torch::sigmoid(torch::leaky_relu(torch::linear(f_m, v_l), kReferenceSlope));  // (B, L)
}

/// The local logit is D~_j . v_l_j; with D6 it is (W_loc D~_j) . v_l_j = D~_j . (W_loc^T v_l_j),
/// which is made once per label (D11).
torch::Tensor LaHcnLevelImpl::label_readout(const torch::Tensor& v_l) {
  return W_loc_ ? torch::matmul(v_l, W_loc_->weight) : v_l;  // (L, d)
}

LaHcn::LaHcn(const ModelOptions& options, Encoder encoder, const Hierarchy& hierarchy,
             LaHcnParts parts)
    : LogitModel(std::move(encoder), options.local_weight),
      parts_(parts),
      graph_(hierarchy),
      label_sharing_(options.label_sharing) {
  for (std::size_t h = 0; h < hierarchy.num_levels(); ++h) {
    const auto num_labels = static_cast<std::int64_t>(hierarchy.level_size(h));  // D13
    levels_.push_back(register_module("level_" + std::to_string(h + 1),
                                      LaHcnLevel(options, encoder_->width(), num_labels,
                                                 /*first=*/h == 0, parts.components)));
  }
  if (parts.global_classifier) {
    f_g_ = register_module(
        "global",
        GlobalClassifier(options,
                         options.equations() == Profile::kReference
                             ? GlobalClassifierImpl::Highway::kOne  // D7
                             : GlobalClassifierImpl::Highway::kNone,
                         static_cast<std::int64_t>(levels_.size()) * options.document_width,
                         static_cast<std::int64_t>(hierarchy.num_labels())));
  }
  initialise(*this, options.equations());  // D9
  add_ingredients(options, hierarchy);
}

LaHcnOutput LaHcn::run(const WordBatch& batch, Detail detail) {
  LaHcnOutput out;
  const torch::Tensor I = encoder_(batch);  // (B, N, w)
  const LabelVectors v_l = label_vectors();
  torch::Tensor v_tilde;  // undefined above the first level: m^1 = 1
  std::vector<torch::Tensor> v, p;
  for (std::size_t h = 0; h < levels_.size(); ++h) {
    const auto word_bias = rarity_ ? rarity_(batch.ids, h) : torch::Tensor();  // (B, N)
    LaHcnLevelOutput level =
        levels_[h](LaHcnLevelInput{I, v_l[h], v_tilde, word_bias}, batch, detail);
    if (parent_prior_ && h > 0) {
      level.local_logits = parent_prior_(level.local_logits, torch::cat(p, 1), h);
    }
    v_tilde = level.attention.v_tilde;
    v.push_back(level.attention.v);
    p.push_back(level.local_logits);
    out.levels.push_back(std::move(level));
  }
  out.local_logits = torch::cat(p, 1);  // Eq. 18 (B, M)
  if (f_g_) {
    const auto v_g = torch::cat(v, 1);           // Eq. 13 (B, H d)
    out.global_logits = f_g_(v_g, ~batch.seed);  // Eq. 15 (B, M)
  }
  return out;
}

ModelOutput LaHcn::forward(const WordBatch& batch) {
  const LaHcnOutput out = run(batch, Detail::kResults);
  return {parts_.local_classifier ? out.local_logits : torch::Tensor(), out.global_logits};
}

}  // namespace hmtc
