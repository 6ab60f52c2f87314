#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "linear/training_matrix.h"

namespace hmtc {

/// One logistic regression per label. Plain data, to be saved and rebuilt as it is.
struct LinearModel {
  /// num_features × num_labels: all labels of a feature lie side by side, so that scoring a
  /// document reads one run of memory per word.
  std::vector<float> weights;
  std::vector<float> bias;  ///< num_labels
  float strength = 0;       ///< the C it was trained with

  std::size_t num_labels() const { return bias.size(); }
};

/// Trains every label against the rest, labels in parallel; the result does not depend on
/// `threads`. A label that no row or every row has cannot be learnt; every document gets its
/// smoothed share as the score, (count + 0.5) / (rows + 1). Holds the matrix up to twice more
/// and num_rows × num_labels floats. Sizes that do not fit together, here and below: kInternal.
class OneVsRestTrainer {
 public:
  /// `truth` has the labels of each row of x, all below num_labels.
  OneVsRestTrainer(const SparseMatrix& x, const IdRows& truth, std::size_t num_labels, int threads);

  /// With strength C. Begins where the training before it ended, which shortens it and does not
  /// change what is found beyond LogisticOptions::gradient_norm.
  LinearModel train(double strength);

 private:
  std::vector<float> weights() const;

  TrainingMatrix x_;
  std::vector<std::vector<std::size_t>> carriers_;  ///< per label, the rows that have it
  std::vector<std::size_t> learnable_;              ///< labels, those of most rows first
  std::vector<float> row_weights_;                  ///< rows × labels: of a LogisticWeights each
  std::vector<float> bias_;
  bool has_start_ = false;
  int threads_;
};

/// Fills probabilities (x.num_rows() × num_labels) with the sigmoid of every label's logit. The
/// hierarchy is not regarded.
void score(const LinearModel& model, const SparseMatrix& x, std::span<float> probabilities,
           int threads);

/// How one strength did on the validation documents.
struct StrengthReport {
  double strength = 0;
  double score = 0;
  double seconds = 0;  ///< training and validation
};

struct StrengthSearch {
  std::vector<double> strengths;  ///< to try, ascending
  /// The validation score of the probabilities (documents × labels), greater is better; the caller
  /// may apply the hierarchy first.
  std::function<double(std::span<const float> probabilities)> validate;
  /// Called after every strength; may be empty.
  std::function<void(const StrengthReport&)> progress;
  /// Asked after every strength whether to be content with those that were tried; may be empty.
  std::function<bool()> is_enough;
};

/// A model and its probabilities of the validation documents (documents × labels).
struct ValidatedLinearModel {
  LinearModel model;
  std::vector<float> probabilities;
};

/// Trains with one strength after the other, each beginning where the one before ended, until the
/// validation score has fallen twice in a row. Gives the model with the best score (of equals, and
/// where every score is NaN, the first).
ValidatedLinearModel train_with_validation(const SparseMatrix& x, const IdRows& truth,
                                           std::size_t num_labels, const SparseMatrix& validation_x,
                                           const StrengthSearch& search, int threads);

}  // namespace hmtc
