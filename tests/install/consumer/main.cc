// consumer [MODEL TEXT]: the labels of a text; without arguments, whether a missing model is an
// error as promised.
#include <hmtc/classifier.h>

#include <iostream>

namespace {

int classify(const char* model, const char* text) {
  hmtc::Classifier classifier = hmtc::Classifier::load(model);
  const auto predictions = classifier.predict({text}, {.top = 3});
  for (const hmtc::LabelScore& label : predictions.at(0)) {
    std::cout << label.label << '\t' << label.score << '\n';
  }
  return 0;
}

int check_missing_model() {
  try {
    hmtc::Classifier::load("there is no such model");
  } catch (const hmtc::Error& error) {
    return error.kind() == hmtc::ErrorKind::kIo ? 0 : 1;
  }
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  return argc == 3 ? classify(argv[1], argv[2]) : check_missing_model();
}
