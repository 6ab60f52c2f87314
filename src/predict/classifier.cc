#include "hmtc/classifier.h"

#include "data/truth.h"
#include "data/word_splitter.h"
#include "predict/loaded_model.h"
#include "predict/predict_stream.h"

namespace hmtc {

struct Classifier::Implementation {
  explicit Implementation(LoadedModel loaded)
      : model(std::move(loaded)),
        splitter(
            model.config.text,
            [this](std::string_view word) { return model.vocabulary.find(word); },
            model.read_options().sentences) {}

  LoadedModel model;
  WordSplitter splitter;
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
  const ReadOptions reading = model.read_options();
  Corpus corpus;
  corpus.max_words = model.config.words_read();
  for (const std::string& text : texts) {
    Document document;
    document.text = text;
    const SplitText split = implementation_->splitter.split(document, reading.words_kept());
    corpus.append({}, split.words, {}, split.sentences);
  }
  ScoreSet scores = model.scorer->score(corpus);
  if (options.coherent) make_coherent(model.hierarchy, scores.combined);
  std::vector<std::vector<LabelScore>> results;
  for (std::size_t i = 0; i < corpus.size(); ++i) {
    const auto row = std::span(scores.combined).subspan(i * scores.num_labels, scores.num_labels);
    results.push_back(chosen_labels(model, row, options));
  }
  return results;
}

}  // namespace hmtc
