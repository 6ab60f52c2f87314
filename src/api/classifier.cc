#include "hmtc/classifier.h"

#include "data/truth.h"
#include "predict/document_scorer.h"
#include "predict/predict_stream.h"

namespace hmtc {

struct Classifier::Implementation {
  explicit Implementation(LoadedModel loaded) : model(std::move(loaded)), scorer(model) {}

  std::vector<std::vector<LabelScore>> predict(const std::vector<Document>& documents,
                                               const PredictOptions& options) {
    std::vector<const Document*> pointers;
    for (const Document& document : documents) pointers.push_back(&document);
    ScoreSet scores = scorer.score(pointers, model.threads);
    if (options.coherent) make_coherent(model.hierarchy, scores.combined);
    std::vector<std::vector<LabelScore>> results;
    for (std::size_t i = 0; i < documents.size(); ++i) {
      const auto row = std::span(scores.combined).subspan(i * scores.num_labels, scores.num_labels);
      results.push_back(chosen_labels(model, row, options));
    }
    return results;
  }

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
  std::vector<Document> documents(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) documents[i].text = texts[i];
  return implementation_->predict(documents, options);
}

std::vector<std::vector<LabelScore>> Classifier::predict_words(
    const std::vector<std::vector<std::string>>& documents, const PredictOptions& options) {
  std::vector<Document> with_tokens(documents.size());
  for (std::size_t i = 0; i < documents.size(); ++i) with_tokens[i].tokens = documents[i];
  return implementation_->predict(with_tokens, options);
}

}  // namespace hmtc
