#include "serve/loaded_backend.h"

#include <algorithm>
#include <atomic>

#include "base/pool.h"
#include "explain/explainer.h"
#include "predict/document_scorer.h"
#include "predict/predict_stream.h"

namespace hmtc {
namespace {

ModelFacts facts_of(const LoadedModel& model) {
  const Hierarchy& hierarchy = model.hierarchy;
  ModelFacts facts;
  facts.kind = model.config.model.name;
  for (std::size_t level = 0; level < hierarchy.num_levels(); ++level) {
    facts.levels.push_back(hierarchy.level_size(level));
  }
  for (LabelId id = 0; id < static_cast<LabelId>(hierarchy.num_labels()); ++id) {
    LabelFacts label{hierarchy.name(id), hierarchy.description(id), hierarchy.level_of(id) + 1, {}};
    for (const LabelId parent : hierarchy.parents(id)) {
      label.parents.push_back(hierarchy.name(parent));
    }
    facts.labels.push_back(std::move(label));
  }
  return facts;
}

/// One of the threads that are in a function.
class Caller {
 public:
  explicit Caller(std::atomic<int>& count) : is_alone(++count == 1), count_(count) {}
  ~Caller() { --count_; }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  const bool is_alone;  ///< when it came

 private:
  std::atomic<int>& count_;
};

/// Several documents are computed on the caller's thread: there are as many callers as threads when
/// there is much to do. One document has all threads when there is no other caller.
class LoadedBackend : public ServedModel {
 public:
  explicit LoadedBackend(LoadedModel model)
      : model_(std::move(model)),
        facts_(facts_of(model_)),
        scorer_(model_),
        explainers_([this] { return std::make_unique<Explainer>(model_); }) {}

  const ModelFacts& facts() const override { return facts_; }

  std::vector<std::string> predict(std::span<const PredictItem> items) override {
    std::vector<const Document*> documents;
    for (const PredictItem& item : items) documents.push_back(item.document);
    const Caller caller(num_callers_);
    const int threads = items.size() == 1 && caller.is_alone ? model_.threads : 1;
    ScoreSet scores = scorer_.score(documents, threads);
    std::vector<std::string> answers(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
      append_answer(items[i], row_of(scores, i), answers[i]);
    }
    return answers;
  }

  std::string explain(const Document& document, const ExplainAnswer& answer) override {
    const auto explainer = explainers_.take();
    return explanation_json(explainer->explain(document, {.labels = answer.labels,
                                                          .predicted = answer.predicted,
                                                          .level = {},
                                                          .all_scores = answer.all_scores,
                                                          .components = answer.components}));
  }

 private:
  static std::span<float> row_of(ScoreSet& scores, std::size_t document) {
    return std::span(scores.combined).subspan(document * scores.num_labels, scores.num_labels);
  }

  void append_answer(const PredictItem& item, std::span<float> scores, std::string& out) const {
    model_.hierarchy.make_coherent(scores);
    PredictStreamOptions options;
    options.labels = item.answer->labels;
    options.all_scores = item.answer->all_scores;
    append_prediction(model_, item.document->id, scores, options, out);
  }

  LoadedModel model_;
  ModelFacts facts_;
  DocumentScorer scorer_;
  std::atomic<int> num_callers_ = 0;
  Pool<Explainer> explainers_;
};

}  // namespace

std::shared_ptr<ServedModel> load_served_model(const std::filesystem::path& directory,
                                               int threads) {
  return std::make_shared<LoadedBackend>(load_for_prediction(directory, threads));
}

}  // namespace hmtc
