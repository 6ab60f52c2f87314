#include <cmath>
#include <cstring>
#include <new>

#include "base/error.h"
#include "hmtc/classifier.h"
#include "hmtc/hmtc.h"
#include "hmtc/train.h"
#include "hmtc/version.h"

struct hmtc_model {
  hmtc::Classifier classifier;
};

struct hmtc_predictions {
  std::vector<std::vector<hmtc_prediction>> of_documents;
};

struct hmtc_stop_token {
  hmtc::StopToken token;
};

namespace {

char* copy_of(const std::string& text) {
  char* const copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy != nullptr) std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

char* result_of(const std::string& text) {
  char* const copy = copy_of(text);
  if (copy == nullptr) throw std::bad_alloc();
  return copy;
}

hmtc_status fail(hmtc_status status, const char* message, char** error) {
  if (error != nullptr) *error = copy_of(message);
  return status;
}

/// Calls work, which returns a status, and lets no exception out.
template <typename Work>
hmtc_status guarded(char** error, const Work& work) noexcept {
  try {
    return work();
  } catch (const hmtc::Error& problem) {
    return fail(static_cast<hmtc_status>(problem.kind()), problem.what(), error);
  } catch (const std::exception& problem) {
    return fail(HMTC_INTERNAL, hmtc::is_out_of_memory(problem) ? "out of memory" : problem.what(),
                error);
  } catch (...) {
    return fail(HMTC_INTERNAL, "an exception of an unknown type", error);
  }
}

/// Throws kUsage for a null pointer where there must be something.
void require(const void* pointer, const char* name) {
  if (pointer != nullptr) return;
  throw hmtc::Error(hmtc::ErrorKind::kUsage,
                    std::string(name) + ": expected a pointer to something, found NULL");
}

std::string text_or_empty(const char* text) { return text == nullptr ? "" : text; }

std::vector<std::string> texts_of(const char* const* texts, std::size_t count, const char* name) {
  if (count > 0) require(texts, name);
  std::vector<std::string> all;
  for (std::size_t i = 0; i < count; ++i) {
    require(texts[i], name);
    all.emplace_back(texts[i]);
  }
  return all;
}

hmtc::Document document_of(const hmtc_document& from) {
  hmtc::Document document;
  if (from.text != nullptr) {
    document.text =
        from.text_size == 0 ? std::string(from.text) : std::string(from.text, from.text_size);
  }
  if (from.words != nullptr) document.tokens = texts_of(from.words, from.num_words, "words");
  document.labels = texts_of(from.labels, from.num_labels, "labels");
  return document;
}

std::vector<hmtc::Document> documents_of(const hmtc_document* from, std::size_t count,
                                         const char* name) {
  if (count > 0) require(from, name);
  std::vector<hmtc::Document> documents;
  for (std::size_t i = 0; i < count; ++i) documents.push_back(document_of(from[i]));
  return documents;
}

hmtc::PredictOptions options_of(const hmtc_predict_options* from) {
  hmtc::PredictOptions options;
  if (from == nullptr) return options;
  if (from->has_threshold != 0) options.threshold = from->threshold;
  if (from->top > 0) options.top = from->top;
  options.coherent = from->incoherent == 0;
  return options;
}

/// Null where there is no label of that number.
const hmtc::Label* find(const hmtc_model* model, std::int32_t label) {
  if (model == nullptr || label < 0) return nullptr;
  const std::vector<hmtc::Label>& labels = model->classifier.labels();
  const auto number = static_cast<std::size_t>(label);
  return number < labels.size() ? &labels[number] : nullptr;
}

/// Calls the functions of the options.
class Callbacks : public hmtc::TrainObserver {
 public:
  explicit Callbacks(const hmtc_train_options& options) : options_(options) {}

  void on_message(const std::string& message) override {
    if (options_.on_message != nullptr) options_.on_message(options_.context, message.c_str());
  }

  void on_validation(const hmtc::ValidationReport& report) override {
    if (options_.on_validation == nullptr) return;
    const hmtc_validation validation = {report.step,  report.epoch,      report.loss,
                                        report.score, report.best_score, report.seconds_left};
    options_.on_validation(options_.context, &validation);
  }

 private:
  const hmtc_train_options& options_;
};

/// Calls train(job) and gives what comes of it.
template <typename Train>
hmtc_status run(const hmtc_train_options* options, double* score, char** error,
                const Train& train) {
  return guarded(error, [&] {
    require(options, "options");
    require(options->out, "options->out");
    Callbacks callbacks(*options);
    hmtc::TrainJob job;
    job.out = options->out;
    job.model = text_or_empty(options->model);
    job.config = text_or_empty(options->config);
    job.settings = texts_of(options->settings, options->num_settings, "settings");
    job.embeddings = text_or_empty(options->embeddings);
    job.teacher = text_or_empty(options->teacher);
    job.minutes = options->minutes;
    job.resume = options->resume != 0;
    job.restart = options->restart != 0;
    job.observer = &callbacks;
    job.stop = options->stop == nullptr ? nullptr : &options->stop->token;
    const hmtc::TrainResult result = train(job);
    if (result.outcome == hmtc::TrainOutcome::kInterrupted) {
      return fail(HMTC_STOPPED, "training was stopped; options->resume goes on with it", error);
    }
    if (score != nullptr) *score = result.best_score;
    return HMTC_OK;
  });
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
                         const char* const* labels, size_t num_labels,
                         const hmtc_predict_options* options, char** json, char** error) {
  return guarded(error, [&] {
    require(model, "model");
    require(document, "document");
    require(json, "json");
    hmtc::ExplainOptions asked;
    if (labels != nullptr) asked.labels = texts_of(labels, num_labels, "labels");
    asked.predicted = options_of(options);
    *json = result_of(to_json(model->classifier.explain(document_of(*document), asked)));
    return HMTC_OK;
  });
}

hmtc_status hmtc_evaluate(const hmtc_model* model, const hmtc_document* documents,
                          size_t num_documents, char** json, char** error) {
  return guarded(error, [&] {
    require(model, "model");
    require(json, "json");
    const auto all = documents_of(documents, num_documents, "documents");
    *json = result_of(model->classifier.evaluate(all).json);
    return HMTC_OK;
  });
}

hmtc_status hmtc_evaluate_file(const hmtc_model* model, const char* file, char** json,
                               char** error) {
  return guarded(error, [&] {
    require(model, "model");
    require(file, "file");
    require(json, "json");
    *json = result_of(model->classifier.evaluate(std::filesystem::path(file)).json);
    return HMTC_OK;
  });
}

hmtc_stop_token* hmtc_make_stop_token(void) { return new (std::nothrow) hmtc_stop_token; }

void hmtc_free_stop_token(hmtc_stop_token* token) { delete token; }

void hmtc_pause(hmtc_stop_token* token) { token->token.pause(); }

void hmtc_finish(hmtc_stop_token* token) { token->token.finish(); }

hmtc_status hmtc_train(const char* data, const hmtc_train_options* options, double* score,
                       char** error) {
  return run(options, score, error, [&](const hmtc::TrainJob& job) {
    require(data, "data");
    return hmtc::train(std::filesystem::path(data), job);
  });
}

hmtc_status hmtc_train_documents(const hmtc_document* train, size_t num_train,
                                 const hmtc_document* validation, size_t num_validation,
                                 const hmtc_edge* edges, size_t num_edges,
                                 const hmtc_train_options* options, double* score, char** error) {
  return run(options, score, error, [&](const hmtc::TrainJob& job) {
    hmtc::TrainingDocuments documents;
    documents.train = documents_of(train, num_train, "train");
    documents.validation = documents_of(validation, num_validation, "validation");
    if (num_edges > 0) require(edges, "edges");
    for (std::size_t i = 0; i < num_edges; ++i) {
      require(edges[i].label, "edges");
      documents.hierarchy.push_back(
          {edges[i].label, text_or_empty(edges[i].parent), text_or_empty(edges[i].description)});
    }
    return hmtc::train(documents, job);
  });
}
