#pragma once

#include <string>
#include <vector>

#include "hmtc/classifier.h"
#include "hmtc/train.h"
#include "support/temporary_directory.h"

namespace hmtc {

inline Document document(const std::string& text, std::vector<std::string> labels) {
  Document document = Document::of_text(text);
  document.labels = std::move(labels);
  return document;
}

/// Labels drink over tea and coffee, bakery over bread, each with words of its own.
inline TrainingDocuments tiny_documents() {
  TrainingDocuments documents;
  for (int i = 0; i < 4; ++i) {
    documents.train.push_back(document("green leaf pot", {"tea"}));
    documents.train.push_back(document("roasted bean cup", {"coffee"}));
    documents.train.push_back(document("rye flour loaf", {"bread"}));
  }
  documents.validation = documents.train;
  documents.hierarchy = {{"drink", "", "things to drink"},
                         {"bakery", "", ""},
                         {"tea", "drink", ""},
                         {"coffee", "drink", ""},
                         {"bread", "bakery", ""}};
  return documents;
}

/// A folder for models.
class ModelFolder {
 public:
  std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }

  std::filesystem::path train_linear() const {
    train(tiny_documents(), {.out = path("linear"), .model = "linear"});
    return path("linear");
  }

 private:
  TemporaryDirectory folder_;
};

/// Of a suite: one model, trained once.
const Classifier& tiny_classifier();

}  // namespace hmtc
