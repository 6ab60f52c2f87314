// The label-based attention module of LA-HCN as it answers, to be read with section 3.1 of the
// paper beside it. Equations are numbered in the order in which they are printed;
// docs/paper_map.md lists them and every numbered deviation (D1, D2, …).
//
//   B documents   N words      w word width       a attention width   d document width
//   L labels of a level        C components
#include "network/la_hcn_level.h"

#include <algorithm>
#include <cmath>

#include "base/logistic.h"
#include "kernels/label_rows.h"

namespace hmtc {
namespace {

constexpr float kPaperSlope = 0.01F;     // D5: the paper gives no slope for LeakyReLU
constexpr float kReferenceSlope = 0.2F;  // D5

/// For a slope below one; without a branch, which signs at random would mislead.
float leaky_relu(float x, float slope) { return std::max(x, slope * x); }

/// The relevance R~ S^T = R~ v_c T^T, where T (n, a) is what f_w makes of the words, costs
///   n a C + n C L  as (R~) (v_c T^T),     n a L  as (R~ v_c) T^T  (D11).
bool keys_are_cheaper(std::size_t L, std::size_t C, std::size_t a) { return a * L < a * C + C * L; }

const float* data_or_null(const Matrix& matrix) { return matrix.empty() ? nullptr : matrix.data(); }

}  // namespace

LaHcnLevelNetwork::LaHcnLevelNetwork(const ModelOptions& options, std::size_t word_width,
                                     Matrix v_l, bool first, bool has_components,
                                     const Weights& weights)
    : equations_(options.equations()) {
  const auto a = static_cast<std::size_t>(options.attention_width);
  const auto d = static_cast<std::size_t>(options.document_width);
  const bool is_paper = equations_ == Profile::kPaper;
  const auto bias = is_paper ? Dense::Bias::kOwn : Dense::Bias::kNone;
  // f_w works on v_w^h = v~^{h-1} || v_w of Eq. 10: W [v~ || v_w] = W_1 v~ + W_2 v_w (D11).
  const std::size_t above = first ? 0 : d;
  const Matrix f_w = weights.matrix("f_w.weight", a, above + word_width);
  W_2_ = columns_of(f_w, above, word_width);
  f_w_bias_ = is_paper ? weights.vector("f_w.bias", a) : std::vector<float>(a, 0.0F);
  if (!first) {
    W_1_ = Dense(columns_of(f_w, 0, d), f_w_bias_);
    f_m_ = Dense(weights.of("f_m"), d, d, bias);
  }
  Matrix f_l = Dense(weights.of("f_l"), d, a, bias)(v_l);  // (L, a)
  f_l.apply([](float x) { return std::tanh(x); });         // (L, a)  D1
  if (has_components) {
    const auto C = static_cast<std::size_t>(options.components);
    v_c_ = weights.matrix("components", C, a);
    R_tilde_ = product_with_transpose(f_l, v_c_);          // Eq. 3  (L, C)
    softmax_rows(R_tilde_.data(), C, R_tilde_.rows(), C);  // Eq. 2  (L, C)
    if (keys_are_cheaper(v_l.rows(), C, a)) keys_ = product(R_tilde_, packed(v_c_), a);
  } else {
    R_tilde_ = std::move(f_l);  // LA-HCN_NC: labels meet words directly  D18
  }
  W_ = weights.matrix("W.weight", d, word_width);
  b_ = weights.vector("W.bias", d);
  if (!is_paper) {
    // (W_loc D~_j) . v_l_j = D~_j . (W_loc^T v_l_j), which is made once per label (D6, D11).
    W_loc_v_l_ = product(v_l, packed(weights.matrix("W_loc.weight", d, d)), d);  // (L, d)
    b_loc_ = weights.vector("b_loc", v_l.rows());
  }
  v_l_ = Dense(std::move(v_l));
  packed_.emplace(label_side());
}

/// The kernel's operands without those of the documents.
LabelAttentionOperands LaHcnLevelNetwork::label_side() const {
  const bool has_keys = !keys_.empty();
  const Matrix& R_tilde = has_keys ? keys_ : R_tilde_;
  LabelAttentionOperands side{};
  side.shape = {.documents = 0,
                .words = 0,
                .labels = R_tilde.rows(),
                .components = R_tilde.columns(),
                .attention_width = W_2_.rows(),
                .word_width = W_2_.columns(),
                .document_width = W_.rows()};
  side.f_w = W_2_.data();
  side.v_c = has_keys ? nullptr : data_or_null(v_c_);
  side.R_tilde = R_tilde.data();
  side.W = W_.data();
  side.b = b_.data();
  side.readout = equations_ == Profile::kPaper ? v_l_.W().data() : W_loc_v_l_.data();
  return side;
}

LevelOutput LaHcnLevelNetwork::run(const LevelInput& from) const {
  const std::size_t B = from.batch.documents;
  const Matrix shift = shift_of_f_w(from);  // Eq. 10 (B, a)
  const Matrix m = confidence(from);        // Eq. 6  (B, L)
  LabelAttentionOperands operands = label_side();
  operands.shape.documents = B;
  operands.shape.words = from.batch.words;
  operands.lengths = from.batch.lengths;
  operands.I = from.I.data();
  operands.shift = shift.data();
  operands.m = data_or_null(m);
  operands.word_bias = from.word_bias.empty() ? nullptr : from.word_bias.data();
  LevelOutput out{Matrix(B, v_l_.out()), Matrix(B, W_.rows()), Matrix(B, W_.rows())};
  label_attention_results(operands, *packed_,
                          {out.local_logits.data(), out.v_tilde.data(), out.v.data()},
                          from.batch.threads);  // Eq. 1, 4, 5, 7, 8, 9, 11
  for (std::size_t i = 0; !b_loc_.empty() && i < B; ++i) {
    add_scaled(b_loc_, 1, out.local_logits.row(i));  // D6
  }
  return out;
}

/// The part of f_w that is the same for all words of a document.
Matrix LaHcnLevelNetwork::shift_of_f_w(const LevelInput& from) const {
  if (!from.v_tilde_above.empty()) return W_1_(from.v_tilde_above, from.batch.threads);  // (B, a)
  Matrix shift(from.batch.documents, f_w_bias_.size());
  for (std::size_t i = 0; i < shift.rows(); ++i) {
    std::copy(f_w_bias_.begin(), f_w_bias_.end(), shift.row(i).begin());
  }
  return shift;
}

/// m = sigmoid(f_m(v~) . v_l), (B, L); empty at the first level, where it is one.
Matrix LaHcnLevelNetwork::confidence(const LevelInput& from) const {
  if (from.v_tilde_above.empty()) return {};
  Matrix x = f_m_(from.v_tilde_above, from.batch.threads);  // (B, d)
  if (equations_ == Profile::kPaper) {
    x.apply([](float value) { return leaky_relu(value, kPaperSlope); });  // D5
    Matrix m = v_l_(x, from.batch.threads);                               // (B, L)
    m.apply([](float value) { return sigmoid(value); });
    return m;
  }
  x.apply([](float value) { return std::tanh(value); });
  Matrix m = v_l_(x, from.batch.threads);                                            // (B, L)
  m.apply([](float value) { return sigmoid(leaky_relu(value, kReferenceSlope)); });  // D5
  return m;
}

/// S, or without components what f_w makes of the words, of the one document: (N, C) or (N, a).
Matrix LaHcnLevelNetwork::relevance_of_words(const LevelInput& from) const {
  Matrix f_w = product(from.I, packed_->f_w_transposed, W_2_.rows());           // (N, a)
  tanh_rows(f_w.data(), f_w.rows(), f_w.columns(), shift_of_f_w(from).data());  // D1
  return v_c_.empty() ? std::move(f_w) : product_with_transpose(f_w, v_c_);     // Eq. 1
}

ComponentRelevance LaHcnLevelNetwork::components(const LevelInput& from) const {
  return {relevance_of_words(from), columns_of(R_tilde_, 0, R_tilde_.columns())};
}

void LaHcnLevelNetwork::look(const LevelInput& from, std::span<const Rows> rows) const {
  if (rows.empty()) return;
  const std::size_t N = from.I.rows();
  const Matrix S = relevance_of_words(from);                                      // Eq. 1  (N, C)
  Matrix words = product(from.I, packed_->W_transposed, W_.rows());               //        (N, d)
  for (std::size_t n = 0; n < N; ++n) add_scaled(b_, 1, words.row(n));            // W I_n + b
  const Matrix m = confidence(from);                                              // Eq. 6  (1, L)
  const Matrix& readout = equations_ == Profile::kPaper ? v_l_.W() : W_loc_v_l_;  //       (L, d)
  for (const auto& [label, A, evidence] : rows) {
    multiply_rows({R_tilde_.row(label).data(), 1, S.columns()}, {S.data(), N, S.columns()},
                  S.columns(), A.data(), N);
    if (!from.word_bias.empty()) add_scaled(from.word_bias, 1, A);  // LA-HCN+
    softmax_rows(A.data(), N, 1, N);                                // Eq. 4  (N)
    if (evidence.empty()) continue;
    // The attention's sum is one, so that A I W + b = A (I W + b). Where the ReLU of Eq. 5 lets it
    // pass, Eq. 11 is linear in the words:
    //   D~_j . readout_j = sum over n of A_jn (W I_n + b) . (m_j readout_j, where D_j > 0)
    std::vector<float> D(W_.rows(), 0.0F);  // Eq. 5  (d), before the ReLU
    for (std::size_t n = 0; n < N; ++n) add_scaled(words.row(n), A[n], D);
    for (std::size_t n = 0; n < N; ++n) {
      float sum = 0;
      for (std::size_t k = 0; k < D.size(); ++k) {
        if (D[k] > 0) sum += words.row(n)[k] * readout.row(label)[k];
      }
      evidence[n] = A[n] * sum * (m.empty() ? 1.0F : m.row(0)[label]);
    }
  }
}

}  // namespace hmtc
