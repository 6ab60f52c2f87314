#include <cmath>

#include "api/c_support.h"
#include "hmtc/classifier.h"
#include "hmtc/version.h"

struct hmtc_model {
  hmtc::Classifier classifier;
};

struct hmtc_predictions {
  std::vector<std::vector<hmtc_prediction>> of_documents;
};

namespace {

using namespace hmtc::c_api;

hmtc::PredictOptions options_of(const hmtc_predict_options* from) {
  hmtc::PredictOptions options;
  if (from == nullptr) return options;
  if (from->has_threshold != 0) options.threshold = from->threshold;
  if (from->top > 0) options.top = from->top;
  options.coherent = from->incoherent == 0;
  return options;
}

hmtc::ExplainOptions explain_options_of(const hmtc_explain_options* from) {
  hmtc::ExplainOptions options;
  if (from == nullptr) return options;
  options.labels = texts_of(from->labels, from->num_labels, "labels");
  options.predicted = options_of(&from->predicted);
  if (from->level > 0) options.level = from->level;
  options.all_scores = from->all_scores != 0;
  options.components = from->components != 0;
  if (from->any_size != 0) options.most_weights = 0;
  return options;
}

/// Null where there is no label of that number.
const hmtc::Label* find(const hmtc_model* model, std::int32_t label) {
  if (model == nullptr || label < 0) return nullptr;
  const std::vector<hmtc::Label>& labels = model->classifier.labels();
  const auto number = static_cast<std::size_t>(label);
  return number < labels.size() ? &labels[number] : nullptr;
}

}  // namespace

const char* hmtc_version(void) { return hmtc::version(); }

void hmtc_free_text(char* text) { std::free(text); }

hmtc_status hmtc_load(const char* directory, int threads, hmtc_model** model, char** error) {
  return guarded(error, [&] {
    require(directory, "directory");
    require(model, "model");
    *model = new hmtc_model{hmtc::Classifier::load(directory, threads)};
    return HMTC_OK;
  });
}

void hmtc_free_model(hmtc_model* model) { delete model; }

const char* hmtc_model_name(const hmtc_model* model) {
  return model->classifier.model_name().c_str();
}

float hmtc_threshold(const hmtc_model* model) { return model->classifier.threshold(); }

size_t hmtc_num_labels(const hmtc_model* model) { return model->classifier.labels().size(); }

size_t hmtc_num_levels(const hmtc_model* model) { return model->classifier.num_levels(); }

int32_t hmtc_find_label(const hmtc_model* model, const char* name) {
  return name == nullptr ? -1 : model->classifier.find_label(name).value_or(-1);
}

const char* hmtc_label_name(const hmtc_model* model, int32_t label) {
  const hmtc::Label* const found = find(model, label);
  return found == nullptr ? nullptr : found->name.c_str();
}

const char* hmtc_label_description(const hmtc_model* model, int32_t label) {
  const hmtc::Label* const found = find(model, label);
  return found == nullptr ? nullptr : found->description.c_str();
}

size_t hmtc_label_level(const hmtc_model* model, int32_t label) {
  const hmtc::Label* const found = find(model, label);
  return found == nullptr ? 0 : found->level;
}

size_t hmtc_num_parents(const hmtc_model* model, int32_t label) {
  const hmtc::Label* const found = find(model, label);
  return found == nullptr ? 0 : found->parents.size();
}

int32_t hmtc_label_parent(const hmtc_model* model, int32_t label, size_t i) {
  const hmtc::Label* const found = find(model, label);
  return found == nullptr || i >= found->parents.size() ? -1 : found->parents[i];
}

float hmtc_label_threshold(const hmtc_model* model, int32_t label) {
  const hmtc::Label* const found = find(model, label);
  return found == nullptr ? std::nanf("") : found->threshold;
}

hmtc_status hmtc_predict(const hmtc_model* model, const hmtc_document* documents,
                         size_t num_documents, const hmtc_predict_options* options,
                         hmtc_predictions** predictions, char** error) {
  return guarded(error, [&] {
    require(model, "model");
    require(predictions, "predictions");
    auto made = std::make_unique<hmtc_predictions>();
    const auto labels = model->classifier.predict(
        documents_of(documents, num_documents, "documents"), options_of(options));
    for (const auto& of_document : labels) {
      std::vector<hmtc_prediction>& row = made->of_documents.emplace_back();
      for (const hmtc::LabelScore& label : of_document) {
        row.push_back({model->classifier.find_label(label.label).value_or(-1), label.score});
      }
    }
    *predictions = made.release();
    return HMTC_OK;
  });
}

size_t hmtc_num_predicted(const hmtc_predictions* predictions, size_t document) {
  const auto& all = predictions->of_documents;
  return document < all.size() ? all[document].size() : 0;
}

hmtc_prediction hmtc_predicted(const hmtc_predictions* predictions, size_t document, size_t i) {
  if (i >= hmtc_num_predicted(predictions, document)) return {-1, std::nan("")};
  return predictions->of_documents[document][i];
}

void hmtc_free_predictions(hmtc_predictions* predictions) { delete predictions; }

hmtc_status hmtc_scores(const hmtc_model* model, const hmtc_document* documents,
                        size_t num_documents, int incoherent, float* scores, char** error) {
  return guarded(error, [&] {
    require(model, "model");
    if (num_documents > 0) require(scores, "scores");
    const hmtc::ScoreTable table = model->classifier.scores(
        documents_of(documents, num_documents, "documents"), incoherent == 0);
    std::copy(table.values.begin(), table.values.end(), scores);
    return HMTC_OK;
  });
}

hmtc_status hmtc_explain(const hmtc_model* model, const hmtc_document* document,
                         const hmtc_explain_options* options, char** json, char** error) {
  return guarded(error, [&] {
    require(model, "model");
    require(document, "document");
    require(json, "json");
    const hmtc::ExplainOptions asked = explain_options_of(options);
    *json = result_of(to_json(model->classifier.explain(document_of(*document), asked)));
    return HMTC_OK;
  });
}

hmtc_status hmtc_evaluate(const hmtc_model* model, const hmtc_document* documents,
                          size_t num_documents, int lenient, char** json, char** error) {
  return guarded(error, [&] {
    require(model, "model");
    require(json, "json");
    const auto all = documents_of(documents, num_documents, "documents");
    *json = result_of(model->classifier.evaluate(all, {.strict = lenient == 0}).json);
    return HMTC_OK;
  });
}

hmtc_status hmtc_evaluate_file(const hmtc_model* model, const char* file, int lenient, char** json,
                               char** error) {
  return guarded(error, [&] {
    require(model, "model");
    require(file, "file");
    require(json, "json");
    const std::filesystem::path path = file;
    *json = result_of(model->classifier.evaluate(path, {.strict = lenient == 0}).json);
    return HMTC_OK;
  });
}
