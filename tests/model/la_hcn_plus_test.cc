// LA-HCN with every ingredient of LA-HCN+ at once; each alone has its own test.
#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "base/random.h"
#include "data/truth.h"
#include "learn/adam.h"
#include "learn/gradient_workers.h"
#include "model/model_table.h"
#include "model/parameters.h"
#include "support/tensors.h"
#include "support/tiny_model.h"

namespace hmtc {
namespace {

constexpr Tolerance kRounding{1e-5, 1e-5};
constexpr std::int64_t kVocabulary = 20;
constexpr std::int64_t kLabels = 7;
const std::vector<std::string> kVariants = {"la-hcn", "la-hcn-nc", "la-hcn-l", "la-hcn-g"};
const std::vector<std::vector<std::int32_t>> kDocuments = {{2, 3, 4, 5}, {6}, {}, {8, 9, 10, 1, 2}};

/// Three levels; one label has two parents on the level above, one a parent two levels up.
Hierarchy small_graph() {
  return Hierarchy(std::vector<HierarchyEdge>{{"a", "", "", {}},
                                              {"b", "", "", {}},
                                              {"a1", "a", "", {}},
                                              {"ab", "a", "", {}},
                                              {"ab", "b", "", {}},
                                              {"b1", "b", "", {}},
                                              {"a1x", "a1", "", {}},
                                              {"a1x", "b", "", {}},
                                              {"b1x", "b1", "", {}}});
}

TrainingFacts small_facts() {
  TrainingFacts facts;
  for (std::int64_t i = 0; i < kVocabulary; ++i) {
    facts.rarity.push_back(static_cast<float>(i - 10) / 5);
  }
  facts.label_names = {{2}, {3}, {2, 4}, {2, 3}, {}, {5}, {6}};
  return facts;
}

/// All ingredients that the variant can have: without local scores there is no prior for them.
Config everything_for(const std::string& name) {
  Config config = with_everything(tiny_config());
  config.model.name = name;
  config.model.parent_prior = name != "la-hcn-g";
  return config;
}

/// As training does: labels get names where the configuration wants them.
std::shared_ptr<LaHcn> make(const Config& config, std::uint64_t seed = 7) {
  torch::manual_seed(seed);
  auto model = std::dynamic_pointer_cast<LaHcn>(make_model(config, small_graph(), kVocabulary));
  TrainingFacts facts = small_facts();
  if (!config.model.label_names) facts.label_names.clear();
  model->start_from(facts);
  return model;
}

std::shared_ptr<LaHcn> make(const std::string& name = "la-hcn", std::uint64_t seed = 7) {
  return make(everything_for(name), seed);
}

torch::Tensor scores_of(Model& model, const WordBatch& batch) {
  const torch::NoGradGuard no_grad;
  model.eval();
  return model.scores(batch).combined;
}

/// Closed under ancestors: a, a1 and what lies above and below; b alone; nothing; everything.
torch::Tensor four_targets() {
  return torch::tensor({{1.0F, 1.0F, 1.0F, 0.0F, 0.0F, 1.0F, 0.0F},
                        {0.0F, 1.0F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F},
                        {0.0F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F},
                        {1.0F, 1.0F, 1.0F, 1.0F, 1.0F, 1.0F, 1.0F}});
}

TEST(LaHcnPlus, OffNoneOfItsTensorsIsThere) {
  for (const auto& parameter : tiny_la_hcn(tiny_config(), {2, 3})->named_parameters()) {
    EXPECT_EQ(parameter.key().find("rarity"), std::string::npos);
    EXPECT_EQ(parameter.key().find("parent_prior"), std::string::npos);
  }
}

TEST(LaHcnPlus, EachIngredientAloneLeavesTheStartValuesOfAllOthersAsTheyAre) {
  const auto plain = make(tiny_config());
  for (const char* key : {"model.rarity", "model.label_sharing", "model.parent_prior",
                          "model.max_constraint", "model.label_names"}) {
    Config config = tiny_config();
    config.set(key, "true");
    const auto model = make(config);
    const bool sets_labels = config.model.label_sharing || config.model.label_names;
    for (const auto& parameter : plain->named_parameters()) {
      const bool is_same =
          torch::equal(model->named_parameters()[parameter.key()], parameter.value());
      // On the first level no label has a parent to share with.
      const bool may_be_shared = parameter.key() != "level_1.labels" || config.model.label_names;
      EXPECT_EQ(is_same, !(sets_labels && may_be_shared && parameter.key().ends_with(".labels")))
          << key << ": " << parameter.key();
    }
  }
}

TEST(LaHcnPlus, NoChildScoresAboveItsParent) {
  const Hierarchy hierarchy = small_graph();
  for (const std::string& name : kVariants) {
    const torch::Tensor scores = scores_of(*make(name), batch_of(kDocuments)).contiguous();
    std::vector<float> found(scores.data_ptr<float>(), scores.data_ptr<float>() + scores.numel());
    const std::vector<float> before = found;
    make_coherent(hierarchy, found);
    EXPECT_EQ(found, before) << name;
  }
}

TEST(LaHcnPlus, ADocumentScoresTheSameAloneAndPaddedBesideLongerOnes) {
  for (const std::string& name : kVariants) {
    const auto model = make(name);
    const torch::Tensor alone = scores_of(*model, batch_of({{2, 5, 1}}));
    const torch::Tensor beside = scores_of(*model, batch_of({{3, 4, 5, 6, 7, 8, 9}, {2, 5, 1}}));
    expect_close(beside[1], alone[0], kRounding, name);
    expect_close(scores_of(*model, widened(batch_of({{2, 5, 1}}), 7)), alone, kRounding, name);
  }
}

TEST(LaHcnPlus, TheKernelAndTheCompositionAgreeAndTheAttentionIsThere) {
  for (const char* name : {"la-hcn", "la-hcn-nc"}) {
    const auto model = make(name);
    model->eval();
    const torch::NoGradGuard no_grad;
    const WordBatch batch = batch_of(kDocuments);
    const LaHcnOutput fused = model->run(batch, Detail::kResults);
    const LaHcnOutput whole = model->run(batch, Detail::kEverything);
    expect_close(fused.local_logits, whole.local_logits, kRounding, "local");
    expect_close(fused.global_logits, whole.global_logits, kRounding, "global");
    const torch::Tensor has_words = (batch.lengths > 0).to(torch::kFloat32);
    for (const LaHcnLevelOutput& level : whole.levels) {
      const torch::Tensor& A = level.attention.A;
      expect_close(A.sum(-1), has_words.unsqueeze(1).expand({4, A.size(1)}), kRounding, "A");
    }
  }
}

TEST(LaHcnPlus, EveryParameterLearns) {
  for (const std::string& name : kVariants) {
    const auto model = make(name);
    model->train();
    model->loss(batch_of(kDocuments), four_targets()).backward();
    for (const auto& parameter : model->named_parameters()) {
      if (parameter.key() == "rarity.words") continue;  // as the training texts have it
      // What goes into the local scores alone.
      if (name == "la-hcn-g" && parameter.key().starts_with("level_3.f_m")) continue;
      const torch::Tensor& gradient = parameter.value().grad();
      ASSERT_TRUE(gradient.defined()) << name << ": " << parameter.key();
      EXPECT_GT(gradient.to_dense().abs().sum().item<float>(), 0)
          << name << ": " << parameter.key();
      EXPECT_TRUE(gradient.to_dense().isfinite().all().item<bool>()) << parameter.key();
    }
  }
}

/// The loss in double precision, so that differences say something.
double loss_in_double(LaHcn& model) {
  const torch::NoGradGuard no_grad;
  return model.loss(batch_of(kDocuments), four_targets().to(torch::kFloat64)).item<double>();
}

TEST(LaHcnPlus, EveryGradientIsThatOfFiniteDifferences) {
  for (const std::string& name : kVariants) {
    Config config = everything_for(name);
    config.model.parent_prior = false;  // the one that holds a gradient back, on purpose
    const auto model = make(config);
    model->to(torch::kFloat64);
    model->eval();
    {
      // Biases begin at zero, where the ReLU of a document without words has its kink.
      const torch::NoGradGuard no_grad;
      for (auto& parameter : model->named_parameters()) {
        if (parameter.key().ends_with("W.bias")) parameter.value().normal_(0, 0.1);
      }
    }
    model->loss(batch_of(kDocuments), four_targets().to(torch::kFloat64)).backward();
    for (auto& parameter : model->named_parameters()) {
      if (!parameter.value().grad().defined()) continue;
      const torch::Tensor gradient = parameter.value().grad().to_dense().flatten();
      const torch::Tensor values = parameter.value().data().view({-1});
      const std::int64_t step = std::max<std::int64_t>(values.numel() / 7, 1);
      for (std::int64_t i = 0; i < values.numel(); i += step) {
        constexpr double kWidth = 1e-6;
        const double before = values[i].item<double>();
        values[i] = before + kWidth;
        const double above = loss_in_double(*model);
        values[i] = before - kWidth;
        const double below = loss_in_double(*model);
        values[i] = before;
        EXPECT_NEAR(gradient[i].item<double>(), (above - below) / (2 * kWidth), 1e-7)
            << name << ": " << parameter.key() << " " << i;
      }
    }
  }
}

TEST(LaHcnPlus, LearnsByHeartOnTwoThreads) {
  const Hierarchy hierarchy = small_graph();
  Corpus corpus;
  for (std::int32_t i = 0; i < 8; ++i) {
    const std::vector<std::int32_t> words = {2 + i, 10 + i, 2 + i, 2 + i};
    corpus.append(std::to_string(i), words, hierarchy.closure(std::vector<LabelId>{i % 7}));
  }
  for (const std::string& name : kVariants) {
    Config config = everything_for(name);
    config.encoder.dropout = 0;
    config.encoder.embedding_width = 12;
    config.model.global_dropout = 0;
    config.model.document_width = 24;
    config.model.global_width = 24;
    const auto model = make(config);
    GradientWorkers workers(model, 2, [&] { return make(config); });
    Adam adam(*model);
    std::vector<std::size_t> order(8);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::uint64_t step = 0; step < 300; ++step) {
      Random(step).shuffle(order);
      workers.accumulate(corpus, order, hierarchy.num_labels(), step);
      adam.step(1e-2, 5.0);
    }
    std::sort(order.begin(), order.end());
    const torch::Tensor found = scores_of(*model, make_word_batch(corpus, order)) > 0.5;
    for (std::size_t i = 0; i < 8; ++i) {
      torch::Tensor truth = torch::zeros({kLabels}, torch::kBool);
      for (const LabelId label : corpus.labels_of(i)) truth[label] = true;
      EXPECT_TRUE(torch::equal(found[static_cast<std::int64_t>(i)], truth))
          << name << ", document " << i;
    }
  }
}

TEST(LaHcnPlus, StoredAndLoadedItScoresTheSame) {
  const WordBatch batch = batch_of(kDocuments);
  for (const std::string& name : kVariants) {
    const auto model = make(name);
    const torch::Tensor expected = scores_of(*model, batch);
    TensorFile file;
    store_parameters(*model, file);
    EXPECT_EQ(file.tensors.at("rarity.words").shape, std::vector<std::int64_t>{kVocabulary});
    EXPECT_EQ(file.tensors.at("rarity.gamma").shape, std::vector<std::int64_t>{3});
    if (name != "la-hcn-g") {
      EXPECT_EQ(file.tensors.at("parent_prior.beta").shape, std::vector<std::int64_t>{2});
    }
    const auto other = make(name, 8);
    EXPECT_FALSE(torch::equal(scores_of(*other, batch), expected));
    load_parameters(*other, file, "test");
    EXPECT_TRUE(torch::equal(scores_of(*other, batch), expected));
  }
}

}  // namespace
}  // namespace hmtc
