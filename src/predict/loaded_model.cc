#include "predict/loaded_model.h"

#include "artifact/linear_tensors.h"
#include "base/parallel.h"
#include "model/model_table.h"
#include "model/parameters.h"
#include "model/scoring.h"
#include "model/single_thread.h"

namespace hmtc {
namespace {

class NeuralScorer : public Scorer {
 public:
  NeuralScorer(const ModelParts& parts, const std::string& file, int threads)
      : num_labels_(parts.hierarchy.num_labels()), threads_(threads) {
    use_one_thread_per_operation();
    model_ = make_model(parts.config, parts.hierarchy,
                        static_cast<std::int64_t>(parts.vocabulary.size()));
    load_parameters(*model_, parts.tensors, file);
    model_->prepare_for_prediction();
  }

  ScoreSet score(const Corpus& corpus) override {
    return score_corpus(*model_, corpus, num_labels_, threads_);
  }

 private:
  std::size_t num_labels_;
  int threads_;
  std::shared_ptr<Model> model_;
};

class LinearScorer : public Scorer {
 public:
  LinearScorer(const ModelParts& parts, const std::string& file, int threads)
      : linear_(load_linear(parts.tensors, parts.config.linear, parts.vocabulary.size(),
                            parts.hierarchy.num_labels(), file)),
        threads_(threads) {}

  ScoreSet score(const Corpus& corpus) override {
    const std::size_t num_labels = linear_.model.num_labels();
    ScoreSet set{corpus.size(), num_labels, std::vector<float>(corpus.size() * num_labels), {}, {}};
    const SparseMatrix rows =
        linear_.tf_idf.transform({corpus.word_offsets, corpus.words}, threads_);
    hmtc::score(linear_.model, rows, set.combined, threads_);
    return set;
  }

 private:
  LoadedLinear linear_;
  int threads_;
};

}  // namespace

ReadOptions LoadedModel::read_options() const { return read_options_for(config, threads); }

LoadedModel load_for_prediction(const std::filesystem::path& directory, int threads) {
  if (threads == 0) threads = hardware_threads();
  ModelParts parts = load_model(directory);
  const std::string file = (directory / "model.safetensors").string();
  std::unique_ptr<Scorer> scorer;
  try {
    if (parts.config.model.name == "linear") {
      scorer = std::make_unique<LinearScorer>(parts, file, threads);
    } else {
      scorer = std::make_unique<NeuralScorer>(parts, file, threads);
    }
  } catch (const Error& error) {
    // An unknown model name is a mistake in a call, but damage in a model.
    throw Error(ErrorKind::kModel, directory.string() + ": " + error.what());
  }
  TunedThresholds thresholds = load_thresholds(parts.tensors, parts.hierarchy.num_labels(), file);
  return {std::move(parts.config), std::move(parts.hierarchy), std::move(parts.vocabulary),
          std::move(thresholds),   std::move(scorer),          threads};
}

}  // namespace hmtc
