#include "learn/gradient_workers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "model/model_table.h"
#include "support/tensors.h"
#include "support/tiny_model.h"

namespace hmtc {
namespace {

constexpr std::size_t kNumLabels = 5;
const std::vector<std::size_t> kAll = {0, 1, 2};

/// Three documents of different lengths, one of them empty.
Corpus three_documents() {
  Corpus corpus;
  corpus.append("a", std::vector<std::int32_t>{2, 3, 4, 2}, std::vector<LabelId>{0, 2});
  corpus.append("b", {}, std::vector<LabelId>{1});
  corpus.append("c", std::vector<std::int32_t>{5}, std::vector<LabelId>{1, 4});
  return corpus;
}

/// The loss and the gradients by name, computed on `threads` threads with the dropout rate.
struct Result {
  double loss;
  std::map<std::string, torch::Tensor> gradients;
};

Result gradients(std::size_t threads, double dropout_rate, std::uint64_t seed) {
  Config config = tiny_config();
  config.encoder.dropout = dropout_rate;
  config.model.global_dropout = dropout_rate;
  const std::shared_ptr<Model> model = tiny_la_hcn(config, {2, 3});
  GradientWorkers workers(model, threads, [&] { return tiny_la_hcn(config, {2, 3}); });
  Result result{workers.accumulate(three_documents(), kAll, kNumLabels, seed), {}};
  for (const auto& parameter : model->named_parameters()) {
    const torch::Tensor& gradient = parameter.value().grad();
    result.gradients[parameter.key()] = gradient.is_sparse() ? gradient.to_dense() : gradient;
  }
  return result;
}

TEST(GradientWorkers, AnyNumberOfThreadsGivesTheGradientOfTheWholeBatch) {
  const Result one = gradients(1, 0, 7);
  for (const std::size_t threads : {2, 3, 5}) {  // five: more than there are documents
    const Result several = gradients(threads, 0, 7);
    EXPECT_NEAR(several.loss, one.loss, 1e-5);
    for (const auto& [name, gradient] : one.gradients) {
      expect_close(several.gradients.at(name), gradient, {1e-4, 1e-6}, name);
    }
  }
}

TEST(GradientWorkers, TheSeedAloneDecidesTheDropout) {
  const Result first = gradients(2, 0.5, 7);
  const Result again = gradients(2, 0.5, 7);
  EXPECT_EQ(first.loss, again.loss);
  for (const auto& [name, gradient] : first.gradients) {
    EXPECT_TRUE(torch::equal(again.gradients.at(name), gradient)) << name;
  }
  EXPECT_NE(gradients(2, 0.5, 8).loss, first.loss);
}

TEST(GradientWorkers, TheSameWordsAreDroppedOnAnyNumberOfThreads) {
  const auto loss = [](std::size_t threads, double word_dropout, std::uint64_t seed) {
    Config config = tiny_config();
    config.encoder.dropout = 0;
    config.model.global_dropout = 0;
    const auto make = [&] { return tiny_la_hcn(config, {2, 3}); };
    GradientWorkers workers(make(), threads, make, word_dropout);
    return workers.accumulate(three_documents(), kAll, kNumLabels, seed);
  };
  EXPECT_NE(loss(1, 0.5, 7), loss(1, 0, 7));
  EXPECT_NE(loss(1, 0.5, 7), loss(1, 0.5, 9));
  EXPECT_NEAR(loss(2, 0.5, 7), loss(1, 0.5, 7), 1e-5);
  EXPECT_NEAR(loss(3, 0.5, 7), loss(1, 0.5, 7), 1e-5);
}

TEST(GradientWorkers, WordVectorsThatAreNotTrainedHaveNoGradientUntilTheyAre) {
  const auto make = [] {
    Config config = tiny_config();
    config.encoder.dropout = 0;
    config.model.global_dropout = 0;
    return tiny_la_hcn(config, {2, 3});
  };
  const std::shared_ptr<Model> model = make();
  GradientWorkers workers(model, 2, make);
  const auto gradient = [&](const char* name) {
    return model->named_parameters()[name].mutable_grad();
  };
  workers.train_word_vectors(false);
  workers.accumulate(three_documents(), kAll, kNumLabels, 7);
  EXPECT_FALSE(gradient("encoder.embedding.weight").defined());
  const torch::Tensor without = gradient("level_1.W.weight").clone();
  model->zero_grad();
  workers.train_word_vectors(true);
  workers.accumulate(three_documents(), kAll, kNumLabels, 7);
  EXPECT_TRUE(gradient("encoder.embedding.weight").defined());
  expect_close(gradient("level_1.W.weight"), without, {1e-5, 1e-7}, "the others stay the same");
}

TEST(GradientWorkers, WithALossThatIsNotFiniteThereIsNoGradientOfAnyShare) {
  for (const std::size_t threads : {1, 2, 3}) {
    const auto make = [] { return tiny_la_hcn(tiny_config(), {2, 3}); };
    const std::shared_ptr<Model> model = make();
    GradientWorkers workers(model, threads, make);
    std::vector<float> teacher(kAll.size() * kNumLabels, 0.5F);
    teacher.back() = std::nanf("");  // of the third document alone
    EXPECT_TRUE(std::isnan(
        workers.accumulate(three_documents(), kAll, Targets(kNumLabels, teacher, 1), 7)));
    for (const auto& parameter : model->named_parameters()) {
      EXPECT_FALSE(parameter.value().grad().defined()) << parameter.key();
    }
  }
}

TEST(GradientWorkers, StatisticsOfTheBatchAreTheMeanOfThoseOfTheShares) {
  Config config = tiny_config();
  config.model.name = "hmcn-f";
  config.encoder.dropout = 0;
  const Hierarchy hierarchy = tree_of({2, 3});
  const auto make = [&] {
    torch::manual_seed(1);
    return make_model(config, hierarchy, 9);
  };
  const char* const name = "level_1.W_norm.running_mean";
  Corpus corpus;
  for (std::int32_t i = 0; i < 4; ++i) {
    corpus.append("", std::vector<std::int32_t>{2 + i, 3 + i}, std::vector<LabelId>{0, 2});
  }
  const auto statistics = [&](const std::shared_ptr<Model>& model, std::size_t threads,
                              const std::vector<std::size_t>& documents) {
    GradientWorkers workers(model, threads, make);
    workers.accumulate(corpus, documents, kNumLabels, 7);
    return model->named_buffers()[name].clone();
  };
  // Statistics that were loaded, and documents for two of three threads.
  const auto loaded = [&] {
    const std::shared_ptr<Model> model = make();
    model->named_buffers()[name].fill_(0.5);
    return model;
  };
  const torch::Tensor first = statistics(loaded(), 1, {0, 1});
  const torch::Tensor second = statistics(loaded(), 1, {2, 3});
  EXPECT_FALSE(torch::equal(first, second));
  expect_close(statistics(loaded(), 2, {0, 1, 2, 3}), (first + second) / 2, {1e-5, 1e-6}, "two");
  const torch::Tensor third = statistics(loaded(), 1, {0});
  const torch::Tensor fourth = statistics(loaded(), 1, {3});
  expect_close(statistics(loaded(), 3, {0, 3}), (third + fourth) / 2, {1e-5, 1e-6}, "two of three");
}

TEST(GradientWorkers, CopiesFollowTheModelWhenItsParametersMove) {
  const Config config = tiny_config();
  const std::shared_ptr<Model> model = tiny_la_hcn(config, {2, 3});
  const std::shared_ptr<Model> copy = tiny_la_hcn(config, {2, 3});
  const GradientWorkers workers(model, 2, [&] { return copy; });
  {
    const torch::NoGradGuard no_grad;
    for (torch::Tensor& parameter : model->parameters()) parameter.add_(1);
  }
  for (std::size_t i = 0; i < model->parameters().size(); ++i) {
    EXPECT_TRUE(torch::equal(copy->parameters()[i], model->parameters()[i]));
  }
}

}  // namespace
}  // namespace hmtc
