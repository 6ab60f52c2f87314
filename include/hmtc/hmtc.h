#ifndef HMTC_HMTC_H
#define HMTC_HMTC_H

/* hmtc for C, and for languages that call C. The same library as hmtc/classifier.h and
 * hmtc/train.h, which say more of what each call does.
 *
 *   char* error = NULL;
 *   hmtc_model* model = NULL;
 *   if (hmtc_load("models/enron", 1, &model, &error) != HMTC_OK) { puts(error); exit(1); }
 *   hmtc_document document = {.text = "the meeting is on Tuesday"};
 *   hmtc_predictions* labels = NULL;
 *   if (hmtc_predict(model, &document, 1, NULL, &labels, &error) == HMTC_OK) {
 *     for (size_t i = 0; i < hmtc_num_predicted(labels, 0); ++i) {
 *       hmtc_prediction one = hmtc_predicted(labels, 0, i);
 *       printf("%s %f\n", hmtc_label_name(model, one.label), one.score);
 *     }
 *   }
 *   hmtc_free_predictions(labels);
 *   hmtc_free_model(model);
 *
 * Errors: a function that can fail returns a status, and sets *error (unless `error` is NULL) to a
 * message in UTF-8 that the caller gives to hmtc_free_text(). Results are set only on HMTC_OK.
 * Ownership: what a function sets through an out parameter is the caller's, to be given to the
 * hmtc_free_… function of its type; these take NULL. A `const char*` that is returned belongs to
 * the object it was asked of. Nothing that is given is kept.
 * Pointers may be NULL where that is said, and in the hmtc_free_… functions.
 * Structs: set all members to zero first; zero means what a caller wants who does not know the
 * member. New members come with a new minor version, and a new name of the library.
 * Threads: a model may be used by any number of threads at once. Predictions and stop tokens too,
 * while none of them frees it. */

/* NOLINTBEGIN(modernize-*): this is C. */
#include <stddef.h>
#include <stdint.h>

#include "hmtc/export.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hmtc_status {
  HMTC_OK = 0,
  HMTC_INTERNAL = 1, /* a defect of hmtc, or no memory */
  HMTC_USAGE = 2,    /* the call or the settings are not valid */
  HMTC_INPUT = 3,    /* a document or data file is not what it should be */
  HMTC_IO = 4,       /* a file cannot be read or written */
  HMTC_MODEL = 5,    /* a model is damaged or from another version */
  HMTC_STOPPED = 6   /* training was paused before its end */
} hmtc_status;

/* The version of the library, such as "0.1.0". */
HMTC_API const char* hmtc_version(void);

/* Frees a text that a function has set. */
HMTC_API void hmtc_free_text(char* text);

/* ---- Models ---- */

typedef struct hmtc_model hmtc_model;

/* Reads a model directory. `threads`: how many one call may use; 0: all that the machine has. */
HMTC_API hmtc_status hmtc_load(const char* directory, int threads, hmtc_model** model,
                               char** error);
HMTC_API void hmtc_free_model(hmtc_model* model);

/* The kind of the model, such as "la-hcn" or "linear". */
HMTC_API const char* hmtc_model_name(const hmtc_model* model);
/* The threshold of all labels that was tuned on validation. */
HMTC_API float hmtc_threshold(const hmtc_model* model);

/* ---- Labels: numbered level by level, a child after its parents ---- */

HMTC_API size_t hmtc_num_labels(const hmtc_model* model);
HMTC_API size_t hmtc_num_levels(const hmtc_model* model);
/* The number of the label of that name, or -1. */
HMTC_API int32_t hmtc_find_label(const hmtc_model* model, const char* name);

/* Of a number that no label has: NULL, 0, 0, -1 and NaN. */
HMTC_API const char* hmtc_label_name(const hmtc_model* model, int32_t label);
/* Readable; empty where the hierarchy has none. */
HMTC_API const char* hmtc_label_description(const hmtc_model* model, int32_t label);
/* From 1. */
HMTC_API size_t hmtc_label_level(const hmtc_model* model, int32_t label);
HMTC_API size_t hmtc_num_parents(const hmtc_model* model, int32_t label);
HMTC_API int32_t hmtc_label_parent(const hmtc_model* model, int32_t label, size_t i);
/* The threshold that was tuned for this label alone. */
HMTC_API float hmtc_label_threshold(const hmtc_model* model, int32_t label);

/* ---- Prediction ---- */

/* A document: either a text or words. */
typedef struct hmtc_document {
  const char* text;         /* UTF-8, or NULL */
  size_t text_size;         /* in bytes; 0: up to the first zero byte */
  const char* const* words; /* or NULL */
  size_t num_words;
  const char* const* labels; /* true ones, for hmtc_evaluate() and hmtc_train_documents() */
  size_t num_labels;
  const char* id; /* free, for explanations; or NULL */
} hmtc_document;

/* Which labels a prediction gives. All zero: the model's own threshold. */
typedef struct hmtc_predict_options {
  int has_threshold; /* whether `threshold` counts */
  double threshold;
  size_t top;     /* at most so many labels, without a threshold exactly so many; 0: any number */
  int incoherent; /* a parent may score below its child */
} hmtc_predict_options;

typedef struct hmtc_prediction {
  int32_t label; /* -1: there is no such prediction */
  double score;  /* a probability */
} hmtc_prediction;

typedef struct hmtc_predictions hmtc_predictions;

/* The labels of each document, best first. `options` NULL: all zero. Many documents in one call are
 * much faster than as many calls. */
HMTC_API hmtc_status hmtc_predict(const hmtc_model* model, const hmtc_document* documents,
                                  size_t num_documents, const hmtc_predict_options* options,
                                  hmtc_predictions** predictions, char** error);
HMTC_API size_t hmtc_num_predicted(const hmtc_predictions* predictions, size_t document);
HMTC_API hmtc_prediction hmtc_predicted(const hmtc_predictions* predictions, size_t document,
                                        size_t i);
HMTC_API void hmtc_free_predictions(hmtc_predictions* predictions);

/* Writes the scores of all labels into `scores`, which has room for num_documents times
 * hmtc_num_labels() numbers: a row for each document. */
HMTC_API hmtc_status hmtc_scores(const hmtc_model* model, const hmtc_document* documents,
                                 size_t num_documents, int incoherent, float* scores, char** error);

/* ---- Explanation and evaluation, as JSON ---- */

/* What to explain. All zero: the labels that hmtc_predict() gives. */
typedef struct hmtc_explain_options {
  const char* const* labels; /* names of labels instead; or NULL */
  size_t num_labels;
  hmtc_predict_options predicted; /* which labels are predicted */
  size_t level;                   /* labels of this level only, from 1; 0: of all */
  int all_scores;                 /* the scores of all labels beside */
  int components;                 /* the components of LA-HCN beside */
  int any_size; /* not only up to 500,000 weights, labels times words, but any number of them */
} hmtc_explain_options;

/* Which words speak for the labels of a document, as `hmtc explain --json` says it. `options` NULL:
 * all zero. */
HMTC_API hmtc_status hmtc_explain(const hmtc_model* model, const hmtc_document* document,
                                  const hmtc_explain_options* options, char** json, char** error);

/* Compares what the model says with the labels of documents, as `hmtc evaluate --json` does.
 * `lenient`: labels that the model does not know are left out, not an error. */
HMTC_API hmtc_status hmtc_evaluate(const hmtc_model* model, const hmtc_document* documents,
                                   size_t num_documents, int lenient, char** json, char** error);
/* The same of a file of JSON lines. */
HMTC_API hmtc_status hmtc_evaluate_file(const hmtc_model* model, const char* file, int lenient,
                                        char** json, char** error);

/* ---- Training ---- */

/* Asks a run to end before its end. May be set by any thread. */
typedef struct hmtc_stop_token hmtc_stop_token;
HMTC_API hmtc_stop_token* hmtc_make_stop_token(void); /* NULL: no memory */
HMTC_API void hmtc_free_stop_token(hmtc_stop_token* token);
/* Stop, and keep a checkpoint; the linear model keeps nothing. */
HMTC_API void hmtc_pause(hmtc_stop_token* token);
/* Learn no more, and write the model that is the best so far. */
HMTC_API void hmtc_finish(hmtc_stop_token* token);

typedef struct hmtc_step {
  int64_t epoch; /* the running one, from 0 */
  int64_t epochs;
  int64_t batch; /* done in this epoch */
  int64_t batches;
  double loss;         /* mean since the last validation */
  double seconds_left; /* to the last epoch, if no early stop comes */
} hmtc_step;

typedef struct hmtc_validation {
  int64_t step;
  double epoch; /* epochs done */
  double loss;
  double score; /* micro AU(PRC) */
  double best_score;
  double seconds_left;
} hmtc_validation;

/* What to train, and how. All zero but `out`: LA-HCN+ with its defaults. */
typedef struct hmtc_train_options {
  const char* out;   /* the model directory to be written */
  const char* model; /* "la-hcn", "linear", …; NULL: what the settings say, or "la-hcn" */
  const char* const* settings; /* "key=value"; `hmtc config` lists the keys */
  size_t num_settings;
  const char* config;          /* a file of settings, or NULL */
  const char* embeddings;      /* a file of word vectors, or NULL */
  const char* teacher;         /* a model whose probabilities are learnt too, or NULL */
  double minutes;              /* then finish with what is best so far; 0: no limit */
  int resume;                  /* go on with an unfinished run in `out` */
  int restart;                 /* throw an unfinished run in `out` away */
  const hmtc_stop_token* stop; /* or NULL */
  /* Callbacks, each NULL or called by the thread that trains; they must not throw or jump. */
  void* context; /* what they get */
  void (*on_message)(void* context, const char* message);
  void (*on_step)(void* context, const hmtc_step* step);
  void (*on_validation)(void* context, const hmtc_validation* validation);
} hmtc_train_options;

/* A label under one of its parents. */
typedef struct hmtc_edge {
  const char* label;
  const char* parent;      /* NULL or empty: a top label */
  const char* description; /* NULL or readable */
} hmtc_edge;

/* Trains on a data directory. `score` (or NULL) gets the micro AU(PRC) on validation. Networks need
 * hmtc-trainer, which is looked for beside the library and in libexec/hmtc of its prefix. */
HMTC_API hmtc_status hmtc_train(const char* data, const hmtc_train_options* options, double* score,
                                char** error);
/* The same with documents in memory. Without validation documents 15 % are held out; without edges
 * labels are paths joined by '/'. */
HMTC_API hmtc_status hmtc_train_documents(const hmtc_document* train, size_t num_train,
                                          const hmtc_document* validation, size_t num_validation,
                                          const hmtc_edge* edges, size_t num_edges,
                                          const hmtc_train_options* options, double* score,
                                          char** error);

#ifdef __cplusplus
}
#endif

/* NOLINTEND(modernize-*) */

#endif
