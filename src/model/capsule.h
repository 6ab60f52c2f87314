#pragma once

#include "config/options.h"
#include "model/model.h"

namespace hmtc {

/// The capsule network of Aly et al. (2019): a convolution, capsules at every place of the text,
/// and one capsule per label whose length is its score, found by routing. One transform is shared
/// by all places, and no prediction of a capsule for a label is ever held, so that thousands of
/// labels fit.
class Capsule : public Model {
 public:
  /// `max_words`: all documents are filled up to so many words.
  Capsule(const CapsuleOptions& options, std::int64_t max_words, Encoder encoder,
          std::int64_t num_labels);

  torch::Tensor loss(const WordBatch& batch, const torch::Tensor& targets) override;
  ModelScores scores(const WordBatch& batch) override;
  /// The norm of every filter of the convolution has an upper bound.
  void constrain_parameters() override;

  /// (B, F, T, s): capsules of F kinds at the T places where some document has a word, zero for the
  /// others.
  torch::Tensor primary_capsules(const WordBatch& batch);
  /// (B, M): the lengths of the labels' capsules.
  torch::Tensor lengths(const WordBatch& batch);

  /// The mean over the documents of the margin loss.
  static torch::Tensor margin_loss(const torch::Tensor& lengths, const torch::Tensor& targets);

 private:
  torch::Tensor flat_transform() const;
  /// (B, M): the lengths that some documents' capsules u (B, F, T, s) route to.
  torch::Tensor route(const torch::Tensor& u, const torch::Tensor& W) const;

  CapsuleOptions options_;
  std::int64_t num_words_;
  torch::nn::Conv1d conv_;
  torch::Tensor transform_;  // (M, F, S, s)
};

}  // namespace hmtc
