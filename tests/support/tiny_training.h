#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "artifact/model_directory.h"
#include "predict/evaluate.h"
#include "support/train_tiny.h"

namespace hmtc {

/// Tests that train on the eight documents, each model in a folder of its own.
class TinyTraining : public testing::Test {
 protected:
  TinyTraining() { write_tiny_data(data_); }

  std::filesystem::path out(const std::string& name) const { return models_.path() / name; }

  TrainResult train_model(const Config& config, const std::string& name, bool resume = false) {
    return train_tiny(data_.path(), out(name), config, observer_, resume);
  }

  /// What a model says of the validation documents.
  ScoreSet scores_of(const std::string& name) const {
    LoadedModel model = load_for_prediction(out(name), 1);
    LabelResolver labels(model.hierarchy, true);
    return model.scorer->score(read_corpus((data_.path() / "val.jsonl").string(), model.vocabulary,
                                           labels, model.read_options()));
  }

  /// The tensors of a model whose names begin so, without that beginning.
  std::map<std::string, StoredTensor> tensors_of(const std::string& model,
                                                 const std::string& prefix) const {
    std::map<std::string, StoredTensor> found;
    for (const auto& [name, tensor] : load_model(out(model)).tensors.tensors) {
      if (name.starts_with(prefix)) found[name.substr(prefix.size())] = tensor;
    }
    return found;
  }

  TemporaryDirectory data_, models_;
  RecordingObserver observer_;
};

}  // namespace hmtc
