#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "apps/tiny_project.h"

namespace hmtc {

/// A small experiment over a small project.
class TinyExperiment : public testing::Test {
 protected:
  /// Two rows on two seeds; the neural one chooses between two learning rates.
  std::string plan(const std::string& epochs = "2",
                   const std::string& data = R"("directory": "{data}")") {
    const std::string path = project_.path("plan.json");
    std::ofstream(path) << R"({
      "title": "tiny",
      "data": {"description": "a few documents", )" +
                               data + R"(},
      "seeds": [0, 1],
      "settings": {"encoder.kind": "embedding", "encoder.embedding_width": 6, "train.batch_size": 8,
                   "train.checkpoint_minutes": 0, "train.epochs": )" +
                               epochs + R"(},
      "trials": [{"train.learning_rate": 0.01}, {"train.learning_rate": 0.0001}],
      "reference": "flat <mean>",
      "rows": [
        {"name": "flat <mean>", "model": "flat", "paper": 0.5},
        {"name": "linear", "model": "linear"}
      ]
    })";
    return path;
  }

  Arguments arguments(const Arguments& more = {}) {
    Arguments all = {"experiment",    plan(),  "--data",
                     project_.data(), "--out", project_.path("out")};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  /// Writes 40 documents to all.csv; the data of a plan that imports them.
  std::string import_of_csv(const std::string& split) {
    std::ofstream csv(project_.path("all.csv"));
    csv << "text,labels\n";
    for (int i = 0; i < 40; ++i) {
      csv << (i % 2 == 0 ? "red apple " : "green pear ") << i << (i % 2 == 0 ? ",a/b\n" : ",c\n");
    }
    return R"("import": ["csv", "{data}/all.csv", "--text-columns", "text", "--label-column",
                         "labels", "--split", ")" +
           split + "\"]";
  }

  std::string out(const std::string& name) const {
    return content_of(project_.path("out/" + name));
  }

  TinyProject project_;
};

}  // namespace hmtc
