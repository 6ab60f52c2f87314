/* learn OUT: learns a linear model from the few documents below, writes it to OUT and tries it. */
#include <hmtc/hmtc.h>
#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char* const kTea[] = {"drink/tea"};
static const char* const kCoffee[] = {"drink/coffee"};
static const char* const kBread[] = {"bakery/bread"};

static const hmtc_document kDocuments[] = {
    {.text = "a pot of green leaves", .labels = kTea, .num_labels = 1},
    {.text = "black leaves from Assam", .labels = kTea, .num_labels = 1},
    {.text = "roasted beans, ground fine", .labels = kCoffee, .num_labels = 1},
    {.text = "beans from Ethiopia", .labels = kCoffee, .num_labels = 1},
    {.text = "rye flour and sourdough", .labels = kBread, .num_labels = 1},
    {.text = "a loaf of wheat flour", .labels = kBread, .num_labels = 1},
};

static void show(const hmtc_model* model, const hmtc_predictions* labels) {
  for (size_t i = 0; i < hmtc_num_predicted(labels, 0); ++i) {
    const hmtc_prediction one = hmtc_predicted(labels, 0, i);
    printf("%s\t%.3f\n", hmtc_label_name(model, one.label), one.score);
  }
}

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: learn OUT\n");
    return 2;
  }
  const hmtc_train_options learning = {.out = argv[1], .model = "linear"};
  const hmtc_document text = {.text = "fresh leaves in the pot"};
  const hmtc_predict_options two = {.top = 2};
  hmtc_model* model = NULL;
  hmtc_predictions* labels = NULL;
  char* error = NULL;
  /* Few as they are, the documents are also those that validate. */
  hmtc_status status = hmtc_train_documents(kDocuments, COUNT(kDocuments), kDocuments,
                                            COUNT(kDocuments), NULL, 0, &learning, NULL, &error);
  if (status == HMTC_OK) status = hmtc_load(argv[1], 1, &model, &error);
  if (status == HMTC_OK) status = hmtc_predict(model, &text, 1, &two, &labels, &error);
  if (status == HMTC_OK) {
    show(model, labels);
  } else {
    fprintf(stderr, "learn: %s\n", error);
  }
  hmtc_free_predictions(labels);
  hmtc_free_model(model);
  hmtc_free_text(error);
  return (int)status;
}
