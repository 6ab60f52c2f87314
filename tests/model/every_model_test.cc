// What must hold for every neural model that `--model` knows.
#include <gtest/gtest.h>

#include <map>

#include "base/random.h"
#include "learn/adam.h"
#include "learn/gradient_workers.h"
#include "model/model_table.h"
#include "model/parameters.h"
#include "network/model_names.h"
#include "support/tensors.h"
#include "support/tiny_model.h"

namespace hmtc {
namespace {

constexpr Tolerance kRounding{1e-5, 1e-5};
constexpr std::int64_t kVocabulary = 20;

/// Two top labels, three below them, two below those: 7 labels.
Hierarchy three_levels() {
  return Hierarchy(std::vector<HierarchyEdge>{{"a", "", "", {}},
                                              {"b", "", "", {}},
                                              {"a1", "a", "", {}},
                                              {"a2", "a", "", {}},
                                              {"b1", "b", "", {}},
                                              {"a1x", "a1", "", {}},
                                              {"b1x", "b1", "", {}}});
}

/// A model by its name, and what it reads.
using ModelAndEncoder = std::tuple<std::string, EncoderKind>;

class EveryModel : public testing::TestWithParam<ModelAndEncoder> {
 protected:
  static const std::string& name() { return std::get<0>(GetParam()); }

  static Config config() {
    Config config = tiny_config();
    config.model.name = name();
    config.encoder.kind = std::get<1>(GetParam());
    return config;
  }

  static std::shared_ptr<Model> make(std::uint64_t seed = 7) {
    torch::manual_seed(seed);
    return make_model(config(), three_levels(), kVocabulary);
  }

  static torch::Tensor scores_of(Model& model, const WordBatch& batch) {
    const torch::NoGradGuard no_grad;
    return model.scores(batch).combined;
  }
};

TEST_P(EveryModel, ADocumentScoresTheSameAloneAndPaddedBesideLongerOnes) {
  const auto model = make();
  model->eval();
  const std::vector<std::int32_t> document = {2, 5, 1};
  const torch::Tensor alone = scores_of(*model, batch_of({document}));
  const torch::Tensor beside =
      scores_of(*model, batch_of({{3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, document, {4, 4, 4, 4}}));
  expect_close(beside[1], alone[0], kRounding, "beside others");
  expect_close(scores_of(*model, widened(batch_of({document}), 7)), alone, kRounding, "padded");
}

TEST_P(EveryModel, ScoresAreProbabilitiesAlsoWithoutAWord) {
  const auto model = make();
  model->eval();
  const torch::Tensor scores = scores_of(*model, batch_of({{}, {2, 3}, {}}));
  EXPECT_TRUE(((scores >= 0) & (scores <= 1)).all().item<bool>()) << scores;
  EXPECT_EQ(scores.sizes(), torch::IntArrayRef({3, 7}));
}

TEST_P(EveryModel, EveryParameterLearns) {
  const auto model = make();
  model->train();
  WordBatch batch = batch_of({{2, 3, 4, 5}, {6, 7}, {8, 9, 10}, {11, 12, 13, 14, 15}});
  batch.seed = 3;
  torch::Tensor targets = torch::zeros({4, 7});
  targets.slice(1, 0, 1) = 1;
  Adam adam(*model);
  std::map<std::string, torch::Tensor> before;
  for (const auto& parameter : model->named_parameters()) {
    before[parameter.key()] = parameter.value().detach().clone();
  }
  model->loss(batch, targets).backward();
  adam.step(/*learning_rate=*/0.01, /*clip_norm=*/2);
  for (const auto& parameter : model->named_parameters()) {
    // The last level's confidence goes into the local scores alone.
    if (name() == "la-hcn-g" && parameter.key().starts_with("level_3.f_m")) continue;
    const torch::Tensor& after = parameter.value();
    EXPECT_FALSE(torch::equal(after, before.at(parameter.key()))) << parameter.key();
    EXPECT_TRUE(after.isfinite().all().item<bool>()) << parameter.key();
  }
}

TEST_P(EveryModel, ADocumentWithoutAWordHasAFiniteGradient) {
  const auto model = make();
  model->train();
  model->loss(batch_of({{}, {2}}), torch::ones({2, 7})).backward();
  for (const auto& parameter : model->named_parameters()) {
    const torch::Tensor& gradient = parameter.value().grad();
    if (!gradient.defined()) continue;
    EXPECT_TRUE(gradient.to_dense().isfinite().all().item<bool>()) << parameter.key();
  }
}

/// Eight documents, each with words of its own.
Corpus eight_documents(const Hierarchy& hierarchy) {
  Corpus corpus;
  for (std::int32_t i = 0; i < 8; ++i) {
    const std::vector<std::int32_t> words = {2 + i, 10 + i, 2 + i, 2 + i};
    const LabelId leaf = i % 7;
    corpus.append(std::to_string(i), words, hierarchy.closure(std::vector<LabelId>{leaf}));
  }
  return corpus;
}

TEST_P(EveryModel, LearnsEightDocumentsByHeartOnTwoThreads) {
  const Hierarchy hierarchy = three_levels();
  const Corpus corpus = eight_documents(hierarchy);
  Config config = EveryModel::config();
  config.encoder.embedding_width = 12;
  config.encoder.lstm_width = 12;
  config.encoder.dropout = 0;
  config.model.global_dropout = 0;
  config.model.document_width = 24;
  config.model.global_width = 24;
  config.hmcn.width = 24;
  config.hmcn.dropout = 0;
  config.capsule.kinds = 8;
  config.han.gru_width = 12;
  const auto make = [&] {
    torch::manual_seed(7);
    return make_model(config, hierarchy, kVocabulary);
  };
  const auto model = make();
  GradientWorkers workers(model, 2, make);
  Adam adam(*model);
  const std::vector<std::size_t> all = {0, 1, 2, 3, 4, 5, 6, 7};
  std::vector<std::size_t> order = all;  // so that each thread sees all documents
  const bool has_lstm = config.encoder.kind == EncoderKind::kBiLstm;
  const std::uint64_t steps = has_lstm ? 600 : 300;
  const double learning_rate = has_lstm ? 5e-3 : 1e-2;
  for (std::uint64_t step = 0; step < steps; ++step) {
    Random(step).shuffle(order);
    workers.accumulate(corpus, order, hierarchy.num_labels(), step);
    adam.step(learning_rate, 5.0);
    model->constrain_parameters();
  }
  model->eval();
  const torch::Tensor scores = scores_of(*model, make_word_batch(corpus, all));
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<LabelId> found;
    for (LabelId label = 0; label < 7; ++label) {
      if (scores[static_cast<std::int64_t>(i)][label].item<float>() > 0.5F) found.push_back(label);
    }
    const auto truth = corpus.labels_of(i);
    EXPECT_EQ(found, std::vector<LabelId>(truth.begin(), truth.end())) << "document " << i;
  }
}

TEST_P(EveryModel, StoredAndLoadedItScoresTheSame) {
  const auto model = make();
  model->train();  // so that statistics move, where there are some
  model->loss(batch_of({{2, 3, 4}, {5, 6}, {7}}), torch::zeros({3, 7}));
  model->eval();
  const WordBatch batch = batch_of({{2, 9, 4}, {5}});
  const torch::Tensor expected = scores_of(*model, batch);
  TensorFile file;
  store_parameters(*model, file);
  const auto other = make(8);
  other->eval();
  EXPECT_FALSE(torch::equal(scores_of(*other, batch), expected));
  load_parameters(*other, file, "test");
  EXPECT_TRUE(torch::equal(scores_of(*other, batch), expected));
}

TEST_P(EveryModel, TrainsTheSameTwiceOnTwoThreads) {
  const Hierarchy hierarchy = three_levels();
  const Corpus corpus = eight_documents(hierarchy);
  const auto trained = [&] {
    const auto model = make();
    GradientWorkers workers(model, 2, [] { return make(); });
    Adam adam(*model);
    for (std::uint64_t step = 0; step < 3; ++step) {
      workers.accumulate(corpus, {0, 1, 2, 3, 4}, hierarchy.num_labels(), step);
      adam.step(1e-2, 2.0);
    }
    TensorFile file;
    store_parameters(*model, file);
    return file;
  };
  const TensorFile first = trained();
  const TensorFile second = trained();
  for (const auto& [name, tensor] : first.tensors) {
    EXPECT_EQ(tensor.bytes, second.tensors.at(name).bytes) << name;
  }
}

std::string name_of(const testing::TestParamInfo<ModelAndEncoder>& tested) {
  std::string text = std::get<0>(tested.param);
  std::replace(text.begin(), text.end(), '-', '_');
  return text + (std::get<1>(tested.param) == EncoderKind::kBiLstm ? "_bilstm" : "");
}

INSTANTIATE_TEST_SUITE_P(Models, EveryModel,
                         testing::Combine(testing::ValuesIn(neural_model_names()),
                                          testing::Values(EncoderKind::kEmbedding,
                                                          EncoderKind::kBiLstm)),
                         name_of);

}  // namespace
}  // namespace hmtc
