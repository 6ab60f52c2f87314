#include "predict/loaded_model.h"

#include <optional>

#include "artifact/fusion_tensors.h"
#include "artifact/linear_tensors.h"
#include "base/parallel.h"
#include "data/truth.h"
#include "fusion/fused_scores.h"
#include "network/ensemble.h"

namespace hmtc {
namespace {

class NeuralScorer : public Scorer {
 public:
  NeuralScorer(const ModelParts& parts, const std::string& file, int threads)
      : threads_(threads),
        networks_(parts.config, parts.hierarchy, parts.vocabulary.size(), parts.tensors, file) {}

  ScoreSet score(const Corpus& corpus, std::optional<int> threads) const override {
    return networks_.score(corpus, threads.value_or(threads_));
  }
  ScorerParts parts() const override { return {.networks = &networks_}; }

 private:
  int threads_;
  Ensemble networks_;
};

class LinearScorer : public Scorer {
 public:
  LinearScorer(const ModelParts& parts, const std::string& file, int threads)
      : linear_(load_linear(parts.tensors, parts.config.linear, parts.vocabulary.size(),
                            parts.hierarchy.num_labels(), file)),
        threads_(threads) {}

  ScoreSet score(const Corpus& corpus, std::optional<int> threads) const override {
    const std::size_t num_labels = linear_.model.num_labels();
    ScoreSet set{
        corpus.size(), num_labels, std::vector<float>(corpus.size() * num_labels), {}, {}, {}};
    const int at_once = threads.value_or(threads_);
    const SparseMatrix rows =
        linear_.tf_idf.transform({corpus.word_offsets, corpus.words}, at_once);
    hmtc::score(linear_.model, rows, set.combined, at_once);
    return set;
  }

  ScorerParts parts() const override { return {.linear = &linear_}; }

 private:
  LoadedLinear linear_;
  int threads_;
};

/// A network with a linear model beside it, or with scores that validation has set right.
class FusedScorer : public Scorer {
 public:
  FusedScorer(const ModelParts& parts, const std::string& file, int threads)
      : network_(parts, file, threads) {
    if (parts.config.fusion.wide) wide_.emplace(parts, file, threads);
    Corpus one_document;
    one_document.append({}, {}, {});
    fusion_ = load_fusion(parts.tensors, parts.hierarchy.num_labels(),
                          classifiers_of(parts_of(one_document, {})).size(), file);
  }

  ScoreSet score(const Corpus& corpus, std::optional<int> threads) const override {
    ScoreSet scores = parts_of(corpus, threads);
    fuse(fusion_, scores);
    return scores;
  }

  ScorerParts parts() const override {
    return {.networks = network_.parts().networks,
            .linear = wide_ ? wide_->parts().linear : nullptr,
            .fusion = &fusion_};
  }

 private:
  ScoreSet parts_of(const Corpus& corpus, std::optional<int> threads) const {
    ScoreSet scores = network_.score(corpus, threads);
    if (wide_) scores.wide = wide_->score(corpus, threads).combined;
    return scores;
  }

  NeuralScorer network_;
  std::optional<LinearScorer> wide_;
  Fusion fusion_;
};

std::unique_ptr<Scorer> make_scorer(const ModelParts& parts, const std::string& file, int threads) {
  if (parts.config.model.name == "linear")
    return std::make_unique<LinearScorer>(parts, file, threads);
  if (parts.config.fusion.wide || parts.config.fusion.calibrate)
    return std::make_unique<FusedScorer>(parts, file, threads);
  return std::make_unique<NeuralScorer>(parts, file, threads);
}

}  // namespace

ReadOptions LoadedModel::read_options() const { return read_options_for(config, threads); }

LoadedModel load_for_prediction(const std::filesystem::path& directory, int threads) {
  if (threads == 0) threads = hardware_threads();
  ModelParts parts = load_model(directory);
  const std::string file = (directory / "model.safetensors").string();
  std::unique_ptr<Scorer> scorer;
  try {
    scorer = make_scorer(parts, file, threads);
  } catch (const Error& error) {
    // An unknown model name is a mistake in a call, but damage in a model.
    throw Error(ErrorKind::kModel, directory.string() + ": " + error.what());
  } catch (const std::exception& error) {
    if (!is_out_of_memory(error)) throw;
    throw model_error({(directory / "config.json").string()},
                      {"sizes of the model in " + file, "some that need more memory than there is",
                       "restore the model, or use a larger machine"});
  }
  TunedThresholds thresholds = load_thresholds(parts.tensors, parts.hierarchy.num_labels(), file);
  return {std::move(parts.config), std::move(parts.hierarchy), std::move(parts.vocabulary),
          std::move(thresholds),   std::move(scorer),          threads};
}

}  // namespace hmtc
