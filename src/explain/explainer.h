#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/word_splitter.h"
#include "explain/explanation.h"
#include "hmtc/document.h"
#include "predict/loaded_model.h"

namespace hmtc {

/// Looks into a loaded model, which must outlive it and may score meanwhile. Not for several
/// threads at once.
class Explainer {
 public:
  explicit Explainer(const LoadedModel& model);

  /// How the words of this model get their weights: by attention where it has one, by coefficients
  /// in a linear model, else by leaving each out.
  WordMethod own_method() const { return own_method_; }
  bool has(WordMethod method) const;

  /// Throws kUsage for a label or level that the model does not have, and TooManyWeights.
  Explanation explain(const Document& document, const ExplainOptions& options);

  /// For each label one weight per word of the document; words that the network does not read
  /// have 0.
  std::vector<std::vector<float>> word_weights(WordMethod method, const Corpus& corpus,
                                               std::size_t document,
                                               std::span<const LabelId> labels);

  const LoadedModel& model() { return model_; }
  PlacedText read(const Document& document);

 private:
  std::vector<LabelId> labels_to_explain(std::span<const float> scores,
                                         const ExplainOptions& options) const;
  std::vector<LabelId> asked_labels(const ExplainOptions& options) const;
  std::vector<LabelId> predicted_labels(std::span<const float> scores,
                                        const PredictOptions& options) const;
  /// What is said of the labels before any word is: `scores` as the model gives them,
  /// `final_scores` after the max constraint.
  std::vector<LabelExplanation> described(std::span<const LabelId> labels, const ScoreSet& scores,
                                          std::span<const float> final_scores,
                                          const PredictOptions& options) const;
  void add_words(const Corpus& corpus, std::span<const LabelId> labels, bool with_components,
                 Explanation& explanation);
  /// `scores` as the model gives them, before the max constraint.
  void add_votes(std::span<const LabelId> labels, const ScoreSet& scores,
                 Explanation& explanation) const;
  void add_linear_words(const Corpus& corpus, std::span<const LabelId> labels,
                        Explanation& explanation) const;

  const LoadedModel& model_;
  WordSplitter splitter_;
  WordMethod own_method_;
  bool has_evidence_;
};

}  // namespace hmtc
