#include "api/c_support.h"
#include "hmtc/train.h"

struct hmtc_stop_token {
  hmtc::StopToken token;
};

namespace {

using namespace hmtc::c_api;

/// Calls the functions of the options.
class Callbacks : public hmtc::TrainObserver {
 public:
  explicit Callbacks(const hmtc_train_options& options) : options_(options) {}

  void on_message(const std::string& message) override {
    if (options_.on_message != nullptr) options_.on_message(options_.context, message.c_str());
  }

  void on_step(const hmtc::StepProgress& progress) override {
    if (options_.on_step == nullptr) return;
    const hmtc_step step = {progress.epoch,   progress.epochs, progress.batch,
                            progress.batches, progress.loss,   progress.seconds_left};
    options_.on_step(options_.context, &step);
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
      return fail(HMTC_STOPPED, "training was paused before its end", error);
    }
    if (score != nullptr) *score = result.best_score;
    return HMTC_OK;
  });
}

}  // namespace

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
