#include "hmtc/classifier.h"

#include "data/truth.h"
#include "predict/document_scorer.h"
#include "predict/predict_stream.h"

namespace hmtc {

struct Classifier::Implementation {
  explicit Implementation(LoadedModel loaded) : model(std::move(loaded)), scorer(model) {}

  LoadedModel model;
  DocumentScorer scorer;
  std::vector<std::string> labels;
};

Classifier Classifier::load(const std::filesystem::path& directory, int threads) {
  auto implementation = std::make_unique<Implementation>(load_for_prediction(directory, threads));
  const Hierarchy& hierarchy = implementation->model.hierarchy;
  for (LabelId id = 0; id < static_cast<LabelId>(hierarchy.num_labels()); ++id) {
    implementation->labels.push_back(hierarchy.name(id));
  }
  return Classifier(std::move(implementation));
}

Classifier::Classifier(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
Classifier::Classifier(Classifier&&) noexcept = default;
Classifier& Classifier::operator=(Classifier&&) noexcept = default;
Classifier::~Classifier() = default;

const std::vector<std::string>& Classifier::labels() const { return implementation_->labels; }

std::vector<std::vector<LabelScore>> Classifier::predict(const std::vector<std::string>& texts,
                                                         const PredictOptions& options) {
  LoadedModel& model = implementation_->model;
  std::vector<Document> documents(texts.size());
  std::vector<const Document*> pointers;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    documents[i].text = texts[i];
    pointers.push_back(&documents[i]);
  }
  ScoreSet scores = implementation_->scorer.score(pointers, model.threads);
  if (options.coherent) make_coherent(model.hierarchy, scores.combined);
  std::vector<std::vector<LabelScore>> results;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto row = std::span(scores.combined).subspan(i * scores.num_labels, scores.num_labels);
    results.push_back(chosen_labels(model, row, options));
  }
  return results;
}

}  // namespace hmtc
