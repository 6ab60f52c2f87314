#include "hmtc/classifier.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "api/boundary.h"
#include "base/pool.h"
#include "data/truth.h"
#include "explain/explainer.h"
#include "predict/document_scorer.h"
#include "predict/evaluate.h"
#include "predict/predict_stream.h"

namespace hmtc {
namespace {

std::vector<const Document*> pointers_to(std::span<const Document> documents) {
  std::vector<const Document*> pointers;
  for (const Document& document : documents) {
    if (document.text.has_value() == document.tokens.has_value()) {
      throw Error(ErrorKind::kInput,
                  "document " + std::to_string(pointers.size() + 1) +
                      ": expected either a text or tokens, found " +
                      (document.text ? "both; leave one out" : "neither; give one"));
    }
    pointers.push_back(&document);
  }
  return pointers;
}

std::vector<Label> labels_of(const LoadedModel& model) {
  std::vector<Label> labels;
  for (LabelId id = 0; id < static_cast<LabelId>(model.hierarchy.num_labels()); ++id) {
    const auto parents = model.hierarchy.parents(id);
    labels.push_back({.name = model.hierarchy.name(id),
                      .description = model.hierarchy.description(id),
                      .level = model.hierarchy.level_of(id) + 1,
                      .parents = {parents.begin(), parents.end()},
                      .threshold = model.thresholds.per_label[static_cast<std::size_t>(id)]});
  }
  return labels;
}

void check(const PredictOptions& options) {
  if (options.threshold && !(*options.threshold >= 0 && *options.threshold <= 1)) {
    throw Error(ErrorKind::kUsage, fmt::format("threshold: expected a number from 0 to 1, found {}",
                                               *options.threshold));
  }
  if (options.top && *options.top == 0) {
    throw Error(ErrorKind::kUsage, "top: expected a number from 1, found 0; leave it out");
  }
}

EvaluationSummary summary_of(Evaluation evaluation) {
  const EvaluationReport& combined = evaluation.reports.front().report;
  return {.num_documents = combined.num_documents,
          .num_labels = combined.num_labels,
          .micro_au_prc = combined.areas.micro,
          .macro_au_prc = combined.areas.macro,
          .micro_f1 = combined.at_global_threshold.flat.micro.f1,
          .macro_f1 = combined.at_global_threshold.flat.macro.f1,
          .json = report_json(evaluation.reports).dump(),
          .warnings = std::move(evaluation.warnings)};
}

}  // namespace

struct Classifier::Implementation {
  explicit Implementation(LoadedModel loaded)
      : model(std::move(loaded)),
        scorer(model),
        explainers([this] { return std::make_unique<Explainer>(model); }),
        labels(labels_of(model)) {}

  ScoreTable scores(std::span<const Document> documents, bool coherent) {
    ScoreSet set = scorer.score(pointers_to(documents), model.threads);
    if (coherent) make_coherent(model.hierarchy, set.combined);
    return {set.num_documents, set.num_labels, std::move(set.combined)};
  }

  const LoadedModel model;
  DocumentScorer scorer;
  Pool<Explainer> explainers;
  const std::vector<Label> labels;
};

Classifier Classifier::load(const std::filesystem::path& directory, int threads) {
  constexpr int kMostThreads = 4096;
  if (threads < 0 || threads > kMostThreads) {
    throw Error(
        ErrorKind::kUsage,
        fmt::format("threads: expected a number from 0 to {}, found {}; 0 takes all there are",
                    kMostThreads, threads));
  }
  return Classifier(std::make_unique<Implementation>(
      at_boundary([&] { return load_for_prediction(directory, threads); })));
}

Classifier::Classifier(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
Classifier::Classifier(Classifier&&) noexcept = default;
Classifier& Classifier::operator=(Classifier&&) noexcept = default;
Classifier::~Classifier() = default;

const std::string& Classifier::model_name() const {
  return implementation_->model.config.model.name;
}

const std::vector<Label>& Classifier::labels() const { return implementation_->labels; }

std::size_t Classifier::num_levels() const { return implementation_->model.hierarchy.num_levels(); }

std::optional<LabelId> Classifier::find_label(std::string_view name) const {
  const LabelId id = implementation_->model.hierarchy.find(name);
  return id < 0 ? std::nullopt : std::optional(id);
}

float Classifier::threshold() const { return implementation_->model.thresholds.common; }

std::vector<LabelScore> Classifier::predict(std::string_view text,
                                            const PredictOptions& options) const {
  const Document document = Document::of_text(std::string(text));
  return std::move(predict({&document, 1}, options).front());
}

std::vector<std::vector<LabelScore>> Classifier::predict(std::span<const Document> documents,
                                                         const PredictOptions& options) const {
  check(options);
  const ScoreTable table = scores(documents, options.coherent);
  std::vector<std::vector<LabelScore>> results;
  for (std::size_t i = 0; i < table.num_documents; ++i) {
    results.push_back(chosen_labels(implementation_->model, table.row(i), options));
  }
  return results;
}

std::vector<std::vector<LabelScore>> Classifier::predict_texts(
    const std::vector<std::string>& texts, const PredictOptions& options) const {
  std::vector<Document> documents;
  for (const std::string& text : texts) documents.push_back(Document::of_text(text));
  return predict(documents, options);
}

ScoreTable Classifier::scores(std::span<const Document> documents, bool coherent) const {
  return implementation_->scores(documents, coherent);
}

Explanation Classifier::explain(const Document& document, const ExplainOptions& options) const {
  pointers_to({&document, 1});
  check(options.predicted);
  return implementation_->explainers.take()->explain(document, options);
}

EvaluationSummary Classifier::evaluate(std::span<const Document> documents,
                                       const EvaluateOptions& options) const {
  if (documents.empty()) {
    throw Error(ErrorKind::kInput, "expected at least one document to evaluate on, found none");
  }
  const LoadedModel& model = implementation_->model;
  LabelResolver labels(model.hierarchy, options.strict);
  const Corpus corpus =
      implementation_->scorer.read(pointers_to(documents), model.threads, &labels);
  Evaluation evaluation = hmtc::evaluate(model, corpus, options.coherent);
  evaluation.warnings = warnings_of(labels);
  return summary_of(std::move(evaluation));
}

EvaluationSummary Classifier::evaluate(const std::filesystem::path& file,
                                       const EvaluateOptions& options) const {
  return summary_of(
      at_boundary([&] { return hmtc::evaluate(implementation_->model, file.string(), options); }));
}

std::string to_json(const Explanation& explanation) { return explanation_json(explanation); }

}  // namespace hmtc
