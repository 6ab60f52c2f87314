#pragma once

#include <span>
#include <string>
#include <vector>

#include "hmtc/document.h"
#include "hmtc/error.h"
#include "hmtc/predict_options.h"

namespace hmtc {

/// A label as GET /v1/labels shows it.
struct LabelFacts {
  std::string label;
  std::string name;  ///< readable; may be empty
  std::size_t level = 1;
  std::vector<std::string> parents;
};

/// What does not change while a model is loaded.
struct ModelFacts {
  std::string kind;                 ///< la-hcn, linear, …
  std::vector<LabelFacts> labels;   ///< level by level
  std::vector<std::size_t> levels;  ///< labels of each
};

/// How a document is to be answered.
struct PredictAnswer {
  PredictOptions labels;
  bool all_scores = false;
};

/// A document of a batch with the options of its request. Both outlive the call.
struct PredictItem {
  const Document* document = nullptr;
  const PredictAnswer* answer = nullptr;
};

struct ExplainAnswer {
  std::vector<std::string> labels;  ///< each a label of the model; none: the predicted ones
  PredictOptions predicted;
  bool all_scores = false;
  bool components = false;
};

/// A model as the server uses it, from several threads at a time.
class ServedModel {
 public:
  virtual ~ServedModel() = default;

  virtual const ModelFacts& facts() const = 0;

  /// For each item an object as JSON, {"id": …, "labels": …} or {"id": …, "scores": …}.
  virtual std::vector<std::string> predict(std::span<const PredictItem> items) = 0;

  /// The answer of POST /v1/explain as a JSON object, all of it but the member "model".
  virtual std::string explain(const Document& document, const ExplainAnswer& answer) = 0;
};

}  // namespace hmtc
