#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hmtc/document.h"
#include "hmtc/error.h"
#include "hmtc/explanation.h"
#include "hmtc/export.h"
#include "hmtc/label.h"
#include "hmtc/predict_options.h"

// The whole use of a trained model:
//
//   const auto classifier = hmtc::Classifier::load("models/enron");
//   for (const hmtc::LabelScore& label : classifier.predict("the meeting is on Tuesday")) {
//     std::cout << label.label << ' ' << label.score << '\n';
//   }
//
// Ownership: what a function returns by value is the caller's; what it returns by reference or span
// belongs to the classifier and lives as long as it does. Nothing that is given is kept.
//
// Threads: any number of threads may use one classifier at once; every function but moving and
// destroying is const and safe. A call takes up to `threads` threads of a pool that the process
// has; programs that call from many threads of their own load with one.
//
// Errors: what goes wrong is thrown as hmtc::Error, with what() for people and kind() for programs;
// a call that throws has changed nothing. std::bad_alloc when memory ends. Nothing is printed.

namespace hmtc {

/// The scores of some documents: one row per document, one column per label.
struct ScoreTable {
  std::size_t num_documents = 0;
  std::size_t num_labels = 0;
  std::vector<float> values;  ///< row by row

  std::span<const float> row(std::size_t document) const {
    return std::span(values).subspan(document * num_labels, num_labels);
  }
};

struct EvaluateOptions {
  bool coherent = true;  ///< apply the max constraint before measuring, as predict does
  bool strict = true;    ///< a label that the model does not know is an error
};

/// How good a model is on labelled documents. What is undefined is NaN.
struct EvaluationSummary {
  std::size_t num_documents = 0;
  std::size_t num_labels = 0;  ///< of the model
  double micro_au_prc = 0;     ///< area under the precision-recall curve, all pairs pooled
  double macro_au_prc = 0;     ///< mean over the labels that occur
  double micro_f1 = 0;         ///< at the model's threshold
  double macro_f1 = 0;         ///< at the model's threshold
  std::string json;            ///< all measures, as `hmtc evaluate --json` prints them
  std::vector<std::string> warnings;
};

/// A trained model, ready to classify.
class HMTC_API Classifier {
 public:
  /// Reads a model directory; the files may change or go afterwards. `threads`: how many one call
  /// may use; 0: as many as the machine has.
  /// Throws kIo when there is no such directory, kModel when it is damaged.
  static Classifier load(const std::filesystem::path& directory, int threads = 0);

  Classifier(Classifier&&) noexcept;
  Classifier& operator=(Classifier&&) noexcept;
  ~Classifier();

  /// The name of the model's kind, such as "la-hcn" or "linear".
  const std::string& model_name() const;
  /// All labels by their ids, level by level.
  const std::vector<Label>& labels() const;
  std::size_t num_levels() const;
  /// The label of that name, if the model has it.
  std::optional<LabelId> find_label(std::string_view name) const;
  /// The threshold of all labels that was tuned on validation, which predict uses.
  float threshold() const;

  /// The labels of a text, best first; of equal scores the upper label first.
  /// Throws kInput for a text of 2 GiB or more.
  std::vector<LabelScore> predict(std::string_view text, const PredictOptions& options = {}) const;
  /// The labels of each document, in their order. Much faster than one by one.
  std::vector<std::vector<LabelScore>> predict(std::span<const Document> documents,
                                               const PredictOptions& options = {}) const;
  std::vector<std::vector<LabelScore>> predict_texts(const std::vector<std::string>& texts,
                                                     const PredictOptions& options = {}) const;

  /// The scores of all labels; `coherent`: a parent never scores below its child.
  ScoreTable scores(std::span<const Document> documents, bool coherent = true) const;

  /// Which words speak for the labels of a document.
  /// Throws kUsage for a label or level that the model does not have, kInput for more weights than
  /// the options allow.
  Explanation explain(const Document& document, const ExplainOptions& options = {}) const;

  /// Compares what the model says with the labels of the documents, or of a file of JSON lines.
  /// Throws kInput without any document, or for a label that the model does not know; kIo.
  EvaluationSummary evaluate(std::span<const Document> documents,
                             const EvaluateOptions& options = {}) const;
  EvaluationSummary evaluate(const std::filesystem::path& file,
                             const EvaluateOptions& options = {}) const;

 private:
  struct Implementation;
  explicit Classifier(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace hmtc
