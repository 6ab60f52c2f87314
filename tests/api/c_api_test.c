/* c_api_test MODEL [network]: calls every function of hmtc.h, in plain C; MODEL is a folder to be
 * written. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hmtc/hmtc.h"

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: expected %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

#define CHECK_OK(call)                                                            \
  do {                                                                            \
    const hmtc_status status_ = (call);                                           \
    if (status_ != HMTC_OK) {                                                     \
      fprintf(stderr, "%s:%d: status %d: %s\n", __FILE__, __LINE__, (int)status_, \
              error ? error : "?");                                               \
      exit(1);                                                                    \
    }                                                                             \
  } while (0)

static char* error = NULL;

/* Expects a status and a message with a part, and forgets the message. */
static void check_error(hmtc_status found, hmtc_status expected, const char* part) {
  CHECK(found == expected);
  CHECK(error != NULL && strstr(error, part) != NULL);
  hmtc_free_text(error);
  error = NULL;
}

static const char* const kTea[] = {"tea"};
static const char* const kBread[] = {"bread"};
static const char* const kCocoa[] = {"cocoa"};
static const char* const kWords[] = {"green", "leaf"};

static const hmtc_document kDocuments[] = {{"green leaf pot", 0, NULL, 0, kTea, 1, NULL},
                                           {"rye flour loaf", 0, NULL, 0, kBread, 1, NULL},
                                           {"green pot", 0, NULL, 0, kTea, 1, NULL},
                                           {"a rye loaf", 0, NULL, 0, kBread, 1, NULL}};
enum { kNumDocuments = sizeof(kDocuments) / sizeof *kDocuments };

static const hmtc_edge kEdges[] = {{"drink", NULL, "things to drink"},
                                   {"bakery", "", NULL},
                                   {"tea", "drink", NULL},
                                   {"bread", "bakery", NULL}};

static int num_messages = 0;
static void count_message(void* context, const char* message) {
  CHECK(context == &num_messages && message[0] != '\0');
  ++num_messages;
}

static hmtc_train_options options_for(const char* out) {
  hmtc_train_options options;
  memset(&options, 0, sizeof options);
  options.out = out;
  options.model = "linear";
  return options;
}

static hmtc_status learn(const hmtc_train_options* options, double* score) {
  return hmtc_train_documents(kDocuments, kNumDocuments, kDocuments, kNumDocuments, kEdges, 4,
                              options, score, &error);
}

static void train(const char* out) {
  static const char* const settings[] = {"linear.strengths=1,4"};
  hmtc_train_options options = options_for(out);
  double score = 0;
  options.settings = settings;
  options.num_settings = 1;
  options.context = &num_messages;
  options.on_message = count_message;
  CHECK_OK(learn(&options, &score));
  CHECK(score == 1);
  CHECK(num_messages > 0);

  options.model = "svm";
  check_error(learn(&options, NULL), HMTC_USAGE, "svm");
  options.out = NULL;
  check_error(learn(&options, NULL), HMTC_USAGE, "options->out");
  check_error(learn(NULL, NULL), HMTC_USAGE, "options");
  options = options_for(out);
  check_error(hmtc_train("no such data", &options, NULL, &error), HMTC_IO, "no such data");
}

static void stop(const char* out) {
  hmtc_stop_token* token = hmtc_make_stop_token();
  hmtc_train_options options = options_for(out);
  double score = -1;
  CHECK(token != NULL);
  options.stop = token;
  hmtc_pause(token);
  check_error(learn(&options, &score), HMTC_STOPPED, "paused");
  CHECK(score == -1);
  hmtc_finish(token);
  CHECK_OK(learn(&options, &score));
  CHECK(score == 1);
  hmtc_free_stop_token(token);
  hmtc_free_stop_token(NULL);
}

static void look_at_labels(const hmtc_model* model) {
  const int32_t tea = hmtc_find_label(model, "tea");
  CHECK(strcmp(hmtc_model_name(model), "linear") == 0);
  CHECK(hmtc_num_labels(model) == 4 && hmtc_num_levels(model) == 2);
  CHECK(tea == 2 && hmtc_find_label(model, "cocoa") == -1 && hmtc_find_label(model, NULL) == -1);
  CHECK(strcmp(hmtc_label_name(model, tea), "tea") == 0);
  CHECK(strcmp(hmtc_label_description(model, 0), "things to drink") == 0);
  CHECK(strcmp(hmtc_label_description(model, tea), "") == 0);
  CHECK(hmtc_label_level(model, tea) == 2);
  CHECK(hmtc_num_parents(model, tea) == 1 && hmtc_label_parent(model, tea, 0) == 0);
  CHECK(hmtc_label_parent(model, tea, 1) == -1);
  CHECK(hmtc_threshold(model) > 0 && hmtc_threshold(model) < 1);
  CHECK(hmtc_label_threshold(model, tea) > 0);

  CHECK(hmtc_label_name(model, 4) == NULL && hmtc_label_description(model, -1) == NULL);
  CHECK(hmtc_label_level(model, 4) == 0 && hmtc_num_parents(model, 4) == 0);
  CHECK(isnan(hmtc_label_threshold(model, 4)));
}

static void predict(const hmtc_model* model) {
  const hmtc_document documents[] = {
      {"green leaf", 0, NULL, 0, NULL, 0, NULL},
      {NULL, 0, kWords, 2, NULL, 0, NULL},
      {"green leaf and what is not read", 10, NULL, 0, NULL, 0, NULL}};
  const hmtc_predict_options top = {0, 0, 3, 0};
  const hmtc_predict_options all = {1, 0.0, 0, 1};
  hmtc_predictions* labels = NULL;
  float scores[3 * 4];
  CHECK_OK(hmtc_predict(model, documents, 3, NULL, &labels, &error));
  CHECK(hmtc_num_predicted(labels, 0) == 2 && hmtc_num_predicted(labels, 3) == 0);
  CHECK(strcmp(hmtc_label_name(model, hmtc_predicted(labels, 0, 1).label), "tea") == 0);
  CHECK(hmtc_predicted(labels, 0, 2).label == -1);

  CHECK_OK(hmtc_scores(model, documents, 3, 0, scores, &error));
  CHECK(hmtc_predicted(labels, 0, 1).score == (double)scores[2]);
  CHECK(memcmp(scores, scores + 4, 4 * sizeof *scores) == 0);
  CHECK(memcmp(scores, scores + 8, 4 * sizeof *scores) == 0);
  hmtc_free_predictions(labels);
  hmtc_free_predictions(NULL);

  CHECK_OK(hmtc_predict(model, documents, 1, &top, &labels, &error));
  CHECK(hmtc_num_predicted(labels, 0) == 3);
  hmtc_free_predictions(labels);
  CHECK_OK(hmtc_predict(model, documents, 1, &all, &labels, &error));
  CHECK(hmtc_num_predicted(labels, 0) == 4);
  hmtc_free_predictions(labels);
  CHECK_OK(hmtc_predict(model, NULL, 0, NULL, &labels, &error));
  hmtc_free_predictions(labels);

  check_error(hmtc_predict(NULL, documents, 1, NULL, &labels, &error), HMTC_USAGE, "model");
  check_error(hmtc_predict(model, NULL, 1, NULL, &labels, &error), HMTC_USAGE, "documents");
  CHECK(hmtc_predict(model, NULL, 1, NULL, &labels, NULL) == HMTC_USAGE);
}

static void explain(const hmtc_model* model) {
  hmtc_document document = kDocuments[0];
  hmtc_explain_options options;
  char* json = NULL;
  CHECK_OK(hmtc_explain(model, &document, NULL, &json, &error));
  CHECK(strstr(json, "\"label\":\"tea\"") != NULL && strstr(json, "\"scores\"") == NULL);
  hmtc_free_text(json);

  memset(&options, 0, sizeof options);
  document.id = "d1";
  options.labels = kBread;
  options.num_labels = 1;
  options.all_scores = 1;
  options.components = 1;
  options.any_size = 1;
  CHECK_OK(hmtc_explain(model, &document, &options, &json, &error));
  CHECK(strstr(json, "\"label\":\"bread\"") != NULL && strstr(json, "\"id\":\"d1\"") != NULL);
  CHECK(strstr(json, "\"scores\"") != NULL);
  hmtc_free_text(json);

  options.level = 3;
  check_error(hmtc_explain(model, &document, &options, &json, &error), HMTC_USAGE, "level");
  options.level = 0;
  options.labels = kCocoa;
  check_error(hmtc_explain(model, &document, &options, &json, &error), HMTC_USAGE, "cocoa");
}

static void evaluate(const hmtc_model* model) {
  const hmtc_document unknown = {"green leaf", 0, NULL, 0, kCocoa, 1, NULL};
  char* json = NULL;
  CHECK_OK(hmtc_evaluate(model, kDocuments, kNumDocuments, 0, &json, &error));
  CHECK(strstr(json, "\"combined\"") != NULL);
  hmtc_free_text(json);
  check_error(hmtc_evaluate(model, &unknown, 1, 0, &json, &error), HMTC_INPUT, "cocoa");
  CHECK_OK(hmtc_evaluate(model, &unknown, 1, 1, &json, &error));
  hmtc_free_text(json);
  check_error(hmtc_evaluate_file(model, "no such file", 0, &json, &error), HMTC_IO, "no such file");
  hmtc_free_text(NULL);
}

static int num_steps = 0, num_validations = 0;
static void count_step(void* context, const hmtc_step* step) {
  CHECK(context == NULL && step->epochs == 2 && step->batches == 1);
  ++num_steps;
}
static void count_validation(void* context, const hmtc_validation* validation) {
  CHECK(context == NULL && validation->score > 0 && validation->best_score >= validation->score);
  ++num_validations;
}

/* A network, where there is a hmtc-trainer. */
static void train_network(const char* out) {
  static const char* const settings[] = {"encoder.kind=embedding",  "encoder.embedding_width=4",
                                         "model.attention_width=4", "model.document_width=4",
                                         "model.global_width=4",    "model.components=2",
                                         "train.epochs=2"};
  hmtc_train_options options = options_for(out);
  options.model = "la-hcn";
  options.settings = settings;
  options.num_settings = sizeof settings / sizeof *settings;
  options.restart = 1;
  options.on_step = count_step;
  options.on_validation = count_validation;
  CHECK_OK(learn(&options, NULL));
  CHECK(num_validations == 2 && num_steps >= 1);
}

int main(int argc, char** argv) {
  hmtc_model* model = NULL;
  CHECK(argc == 2 || argc == 3);
  CHECK(strlen(hmtc_version()) >= 5);
  check_error(hmtc_load("no such model", 1, &model, &error), HMTC_IO, "no such model");
  check_error(hmtc_load(NULL, 1, &model, &error), HMTC_USAGE, "directory");
  CHECK(model == NULL);
  train(argv[1]);
  stop(argv[1]);
  CHECK_OK(hmtc_load(argv[1], 1, &model, &error));
  look_at_labels(model);
  predict(model);
  explain(model);
  evaluate(model);
  hmtc_free_model(model);
  hmtc_free_model(NULL);
  if (argc == 3) train_network(argv[1]);
  puts("all of hmtc.h works");
  return 0;
}
