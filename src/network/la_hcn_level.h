#pragma once

#include <optional>
#include <vector>

#include "config/options.h"
#include "kernels/label_attention.h"
#include "network/dense.h"
#include "network/network.h"

namespace hmtc {

/// What a level works on.
struct LevelInput {
  const Matrix& I;                      ///< (B N, w) word vectors
  const Matrix& v_tilde_above;          ///< (B, d), empty at the first level
  const std::vector<float>& word_bias;  ///< (B N) of the attention's logits, or none
  const DocumentBatch& batch;
};

/// What a level makes of a batch.
struct LevelOutput {
  Matrix local_logits;  ///< (B, L)
  Matrix v_tilde;       ///< (B, d)
  Matrix v;             ///< (B, d)
};

/// The label-based attention module of one level (section 3.1). What no document changes is made
/// when it is loaded.
class LaHcnLevelNetwork {
 public:
  /// `v_l`: the label embeddings (L, d). `first`: there is no document embedding from above.
  LaHcnLevelNetwork(const ModelOptions& options, std::size_t word_width, Matrix v_l, bool first,
                    bool has_components, const Weights& weights);

  LevelOutput run(const LevelInput& from) const;

  /// What the labels (numbers within the level) make of each word of the one document of the
  /// batch: their rows of A and, unless they are empty, of the evidence.
  struct Rows {
    std::size_t label;
    std::span<float> A;         ///< (N)
    std::span<float> evidence;  ///< (N) or none
  };
  void look(const LevelInput& from, std::span<const Rows> rows) const;

  /// S of the one document of the batch, and R~.
  ComponentRelevance components(const LevelInput& from) const;

 private:
  LabelAttentionOperands label_side() const;
  Matrix shift_of_f_w(const LevelInput& from) const;
  Matrix confidence(const LevelInput& from) const;
  Matrix relevance_of_words(const LevelInput& from) const;

  Profile equations_;
  Matrix W_2_;                   // (a, w) the part of f_w for a word
  Dense W_1_;                    // (a, d) the part for v~, from the second level on
  std::vector<float> f_w_bias_;  // (a)
  Matrix v_c_;                   // (C, a) components, empty without them
  Matrix R_tilde_;               // (L, C), or (L, a) without components
  Matrix keys_;                  // (L, a) R~ v_c, where that is cheaper
  Matrix W_;                     // (d, w)
  std::vector<float> b_;         // (d)
  Dense f_m_;                    // from the second level on
  Dense v_l_;                    // (L, d)
  Matrix W_loc_v_l_;             // (L, d) profile reference
  std::vector<float> b_loc_;     // (L) profile reference
  std::optional<PackedAttention> packed_;
};

}  // namespace hmtc
