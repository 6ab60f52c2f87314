#include "learn/parameter_average.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "model/model_table.h"
#include "model/parameters.h"
#include "support/expect_error.h"
#include "support/tensors.h"
#include "support/tiny_model.h"

namespace hmtc {
namespace {

const char* const kWeight = "output.weight";
const char* const kWords = "encoder.embedding.weight";

/// The model `flat` over words of one number and one label: a table (6, 1), a weight (1, 1) and a
/// bias (1), all 0 at the start.
class ParameterAverageTest : public testing::Test {
 protected:
  ParameterAverageTest() : model_(make()) {}

  static std::shared_ptr<Model> make() {
    Config config = tiny_config();
    config.model.name = "flat";
    config.encoder.embedding_width = 1;
    const auto model =
        make_model(config, Hierarchy(std::vector<HierarchyEdge>{{"a", "", "", {}}}), 6);
    const torch::NoGradGuard no_grad;
    for (torch::Tensor& parameter : model->parameters()) parameter.zero_();
    return model;
  }

  /// A step that gives the weight and the words of the batch new values. `words` may repeat rows in
  /// the gradient; the values do not.
  static void step(Model& model, ParameterAverage& average, float weight,
                   const std::map<std::int64_t, float>& words) {
    std::vector<std::int64_t> rows;
    for (const auto& [row, value] : words) rows.insert(rows.end(), {row, row});
    auto parameters = model.named_parameters();
    if (!rows.empty()) {
      parameters[kWords].mutable_grad() = torch::sparse_coo_tensor(
          torch::tensor(rows).unsqueeze(0),
          torch::ones({static_cast<std::int64_t>(rows.size()), 1}), {6, 1});
    }
    average.before_step();
    parameters[kWords].mutable_grad().reset();
    const torch::NoGradGuard no_grad;
    parameters[kWeight].fill_(weight);
    for (const auto& [row, value] : words) parameters[kWords][row].fill_(value);
    average.after_step();
  }

  static float value(Model& model, const char* name, std::int64_t row = 0) {
    return model.named_parameters()[name][row].item<float>();
  }
  static float averaged(Model& model, ParameterAverage& average, const char* name,
                        std::int64_t row = 0) {
    const ParameterAverage::InModel averages(average);
    return value(model, name, row);
  }

  std::shared_ptr<Model> model_;
};

TEST_F(ParameterAverageTest, TheDecayZeroChangesAndStoresNothing) {
  ParameterAverage average(*model_, 0, 1);
  step(*model_, average, 5, {{2, 7}});
  EXPECT_EQ(averaged(*model_, average, kWeight), 5);
  EXPECT_EQ(averaged(*model_, average, kWords, 2), 7);
  TensorFile file;
  average.store(file);
  EXPECT_TRUE(file.tensors.empty());
  average.load(file, "checkpoint", 3);
}

TEST_F(ParameterAverageTest, BeforeTheFirstStepItIsTheValues) {
  ParameterAverage average(*model_, 0.9, 1);
  EXPECT_EQ(averaged(*model_, average, kWeight), 0);
  {
    const torch::NoGradGuard no_grad;  // word vectors may be read later
    model_->encoder()->embedding().fill_(3);
  }
  EXPECT_EQ(averaged(*model_, average, kWords, 2), 3);
}

TEST_F(ParameterAverageTest, IsAsComputedByHand) {
  // d is 2/11, 3/12, 4/13 at the first three steps.
  ParameterAverage average(*model_, 0.9, 1);
  step(*model_, average, 11, {{2, 11.0F}});
  EXPECT_NEAR(averaged(*model_, average, kWeight), 9, 1e-5);  // 2/11 * 0 + 9/11 * 11
  EXPECT_NEAR(averaged(*model_, average, kWords, 2), 9, 1e-5);
  // Word 2 is not in the second batch and stays 11; word 3 comes.
  step(*model_, average, 4, {{3, 8.0F}});
  EXPECT_NEAR(averaged(*model_, average, kWeight), 5.25, 1e-5);    // 0.25 * 9 + 0.75 * 4
  EXPECT_NEAR(averaged(*model_, average, kWords, 2), 10.5, 1e-5);  // 0.25 * 9 + 0.75 * 11
  EXPECT_NEAR(averaged(*model_, average, kWords, 3), 6, 1e-5);     // 0.25 * 0 + 0.75 * 8
  step(*model_, average, 4, {{2, 13.0F}});
  EXPECT_NEAR(averaged(*model_, average, kWords, 2), 12.230769, 1e-5);  // 4/13 * 10.5 + 9/13 * 13
  EXPECT_NEAR(averaged(*model_, average, kWords, 3), 7.3846154, 1e-5);  // 4/13 * 6 + 9/13 * 8
  EXPECT_EQ(averaged(*model_, average, kWords, 4), 0);
}

TEST_F(ParameterAverageTest, TheDecayIsAnUpperBound) {
  // 0.1 is below 2/11 already.
  ParameterAverage average(*model_, 0.1, 1);
  step(*model_, average, 10, {{2, 10.0F}});
  EXPECT_NEAR(averaged(*model_, average, kWeight), 9, 1e-5);
  step(*model_, average, 10, {});
  EXPECT_NEAR(averaged(*model_, average, kWeight), 9.9, 1e-5);
  EXPECT_NEAR(averaged(*model_, average, kWords, 2), 9.9, 1e-5);
}

TEST_F(ParameterAverageTest, OverManyStepsWordsFollowTheFormulaAsAnythingElseDoes) {
  // The product of all d passes the bounds of floats many times over: 0.8^2000 is 1e-194.
  ParameterAverage average(*model_, 0.8, 1);
  double expected[6] = {};
  float values[6] = {};
  double expected_weight = 0;
  for (int n = 1; n <= 2000; ++n) {
    const double d = std::min(0.8, (1.0 + n) / (10.0 + n));
    const float weight = std::sin(0.1F * static_cast<float>(n));
    const std::int64_t word = 1 + n % 7;  // 6 and 7 do not exist: no word moves then
    std::map<std::int64_t, float> words;
    if (word < 6) words[word] = values[word] = std::cos(static_cast<float>(n)) + 0.5F;
    step(*model_, average, weight, words);
    expected_weight = d * expected_weight + (1 - d) * static_cast<double>(weight);
    for (int row = 0; row < 6; ++row) {
      expected[row] = d * expected[row] + (1 - d) * static_cast<double>(values[row]);
    }
    if (n % 97 != 0) continue;
    EXPECT_NEAR(averaged(*model_, average, kWeight), expected_weight, 2e-6) << n;
    for (int row = 0; row < 6; ++row) {
      EXPECT_NEAR(averaged(*model_, average, kWords, row), expected[row], 2e-6) << n << " " << row;
    }
  }
}

TEST_F(ParameterAverageTest, TheModelGetsItsOwnMemoryBack) {
  ParameterAverage average(*model_, 0.9, 1);
  const float* const words = model_->encoder()->embedding().data_ptr<float>();
  const auto* const weight = model_->named_parameters()[kWeight].data_ptr<float>();
  step(*model_, average, 11, {{2, 11.0F}});
  averaged(*model_, average, kWeight);
  EXPECT_EQ(model_->encoder()->embedding().data_ptr<float>(), words);
  EXPECT_EQ(model_->named_parameters()[kWeight].data_ptr<float>(), weight);
  EXPECT_EQ(value(*model_, kWeight), 11);
  EXPECT_EQ(value(*model_, kWords, 2), 11);
}

TEST_F(ParameterAverageTest, StoredItGoesOnAsIfNothingHadHappened) {
  const auto go = [](Model& model, ParameterAverage& average, int from, int to) {
    for (int n = from; n < to; ++n) {
      step(model, average, std::sin(static_cast<float>(n)),
           {{1 + n % 4, std::cos(static_cast<float>(n))}});
    }
  };
  ParameterAverage whole(*model_, 0.9, 1);
  go(*model_, whole, 0, 300);

  const auto halted = make();
  TensorFile file;
  {
    ParameterAverage first_half(*halted, 0.9, 1);
    go(*halted, first_half, 0, 150);
    first_half.store(file);
  }
  ParameterAverage second_half(*halted, 0.9, 1);
  second_half.load(parse_tensor_file(to_bytes(file), "test"), "test", 150);
  go(*halted, second_half, 150, 300);
  EXPECT_EQ(averaged(*halted, second_half, kWeight), averaged(*model_, whole, kWeight));
  for (std::int64_t row = 0; row < 6; ++row) {
    EXPECT_EQ(averaged(*halted, second_half, kWords, row), averaged(*model_, whole, kWords, row));
  }
  expect_error(ErrorKind::kModel, {"average/output.weight", "checkpoint"},
               [&] { second_half.load({}, "checkpoint", 150); });
}

TEST(ParameterAverage, BuffersAreAveragedOnAnyNumberOfThreads) {
  Config config = tiny_config();
  config.model.name = "hmcn-f";
  config.hmcn.width = 300;  // a layer of 300 * 305 numbers is more than one thread's piece
  const auto model =
      make_model(config, Hierarchy(std::vector<HierarchyEdge>{{"a", "", "", {}}}), 6);
  const torch::NoGradGuard no_grad;
  for (auto& tensor : tensors_of(*model)) tensor.value().zero_();
  ParameterAverage average(*model, 0.9, 3);
  average.before_step();
  for (auto& tensor : tensors_of(*model)) {
    if (tensor.key() != kWords) tensor.value().fill_(11);
  }
  average.after_step();
  const ParameterAverage::InModel averages(average);
  for (const auto& tensor : tensors_of(*model)) {
    const float expected = tensor.key() == kWords ? 0.0F : 9.0F;
    expect_close(tensor.value(), torch::full_like(tensor.value(), expected), {1e-6, 0},
                 tensor.key());
  }
  EXPECT_NEAR(model->named_buffers()["level_1.W_norm.running_mean"][0].item<float>(), 9, 1e-5);
}

}  // namespace
}  // namespace hmtc
