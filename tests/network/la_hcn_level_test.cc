#include "network/la_hcn_level.h"

#include <gtest/gtest.h>

#include <cmath>

namespace hmtc {
namespace {

Matrix matrix_of(std::size_t rows, std::size_t columns, const std::vector<float>& values) {
  Matrix matrix(rows, columns);
  std::copy(values.begin(), values.end(), matrix.data());
  return matrix;
}

/// A level with one label and one component, all widths one, and a document of two words:
///   S = (tanh(0.25 * 4 - 1), tanh(0.25 * 8 - 1)) v_c = (0, ln 3), R~ = 1, so that A = (1, 3) / 4;
///   A I W + b = (1 + 6) 2 - 4 = 10. The readout v_l is 3.
class LaHcnLevel : public testing::Test {
 protected:
  enum class Place { kFirst, kBelow };

  LaHcnLevelNetwork level(Place place, float b = -4) {
    set("components", {1, 1}, {std::log(3.0F) / std::tanh(1.0F)});
    set("f_l.weight", {1, 1}, {0.7F});  // over one component the softmax is one
    set("f_l.bias", {1}, {0});
    set("W.weight", {1, 1}, {2});
    set("W.bias", {1}, {b});
    set("f_w.bias", {1}, {-1});
    if (place == Place::kFirst) {
      set("f_w.weight", {1, 1}, {0.25F});
    } else {
      set("f_w.weight", {1, 2}, {0, 0.25F});
      // m = sigmoid(leaky_relu(0 v~ + 0) . v_l) = 1/2
      set("f_m.weight", {1, 1}, {0});
      set("f_m.bias", {1}, {0});
    }
    ModelOptions options;
    options.attention_width = options.document_width = options.components = 1;
    return {options,
            1,
            matrix_of(1, 1, {3}),
            place == Place::kFirst,
            /*has_components=*/true,
            Weights(file_, "memory")};
  }

  void set(const std::string& name, const std::vector<std::int64_t>& shape,
           const std::vector<float>& values) {
    file_.tensors[name] = float_tensor(shape, values.data());
  }

  LevelInput input(Place place) const {
    return {I_, place == Place::kFirst ? nothing_ : above_, word_bias_, batch_};
  }

  struct Looked {
    std::vector<float> A, evidence;
  };
  Looked look(Place place, float b = -4) {
    Looked looked{std::vector<float>(2), std::vector<float>(2)};
    const LaHcnLevelNetwork::Rows rows[] = {{0, looked.A, looked.evidence}};
    level(place, b).look(input(place), rows);
    return looked;
  }

  TensorFile file_;
  const Matrix I_ = matrix_of(2, 1, {4, 8});
  const Matrix nothing_;
  const Matrix above_ = matrix_of(1, 1, {5});
  std::vector<float> word_bias_;
  const DocumentBatch batch_{
      .documents = 1, .words = 2, .ids = {2, 3}, .lengths = {2}, .sentences = {}};
};

TEST_F(LaHcnLevel, IsAsComputedByHand) {
  const LevelOutput first = level(Place::kFirst).run(input(Place::kFirst));
  EXPECT_NEAR(first.v.data()[0], 10, 1e-5);
  EXPECT_NEAR(first.v_tilde.data()[0], 10, 1e-5);
  EXPECT_NEAR(first.local_logits.data()[0], 30, 1e-4);
  const LevelOutput below = level(Place::kBelow).run(input(Place::kBelow));
  EXPECT_NEAR(below.v.data()[0], 10, 1e-5);
  EXPECT_NEAR(below.v_tilde.data()[0], 5, 1e-5);
  EXPECT_NEAR(below.local_logits.data()[0], 15, 1e-4);
}

TEST_F(LaHcnLevel, AttentionIsASoftmaxOverTheWords) {
  const std::vector<float> A = look(Place::kFirst).A;
  EXPECT_NEAR(A[0], 0.25, 1e-6);
  EXPECT_NEAR(A[1], 0.75, 1e-6);
}

TEST_F(LaHcnLevel, AWordsBiasIsAddedToItsLogit) {
  // Logits (0, ln 3) and bias (ln 6, 0): A = (6, 3) / 9; A I W + b = 2 * 16 / 3 - 4 = 20 / 3.
  word_bias_ = {std::log(6.0F), 0};
  const std::vector<float> A = look(Place::kFirst).A;
  EXPECT_NEAR(A[0], 2.0 / 3, 1e-6);
  EXPECT_NEAR(A[1], 1.0 / 3, 1e-6);
  EXPECT_NEAR(level(Place::kFirst).run(input(Place::kFirst)).v.data()[0], 20.0 / 3, 1e-5);
}

TEST_F(LaHcnLevel, EvidenceSharesTheLogitOutToTheWords) {
  // A (W I + b) m v_l: 0.25 (2 * 4 - 4) 3 = 3 and 0.75 (2 * 8 - 4) 3 = 27; below, half of it.
  const Looked first = look(Place::kFirst), below = look(Place::kBelow);
  EXPECT_NEAR(first.evidence[0], 3, 1e-5);
  EXPECT_NEAR(first.evidence[1], 27, 1e-4);
  EXPECT_NEAR(below.evidence[0], 1.5, 1e-5);
  EXPECT_NEAR(below.evidence[1], 13.5, 1e-5);
}

TEST_F(LaHcnLevel, WhatTheReluHoldsBackIsNoEvidence) {
  const Looked looked = look(Place::kFirst, /*b=*/-20);  // 14 - 20 < 0
  EXPECT_EQ(looked.evidence[0], 0);
  EXPECT_EQ(looked.evidence[1], 0);
  EXPECT_NEAR(looked.A[0], 0.25, 1e-6);
}

TEST_F(LaHcnLevel, ComponentsAreThoseOfTheWordsAndOfTheLabels) {
  const ComponentRelevance found = level(Place::kFirst).components(input(Place::kFirst));
  ASSERT_EQ(found.S.rows(), 2U);
  EXPECT_NEAR(found.S.data()[0], 0, 1e-6);
  EXPECT_NEAR(found.S.data()[1], std::log(3.0), 1e-6);
  ASSERT_EQ(found.R_tilde.size(), 1U);
  EXPECT_EQ(found.R_tilde.data()[0], 1);
}

TEST_F(LaHcnLevel, ADocumentWithoutWordsHasOnlyTheBias) {
  const DocumentBatch empty{
      .documents = 1, .words = 1, .ids = {0}, .lengths = {0}, .sentences = {}};
  const Matrix I = matrix_of(1, 1, {9});
  const LevelOutput out = level(Place::kFirst, /*b=*/1.5F).run({I, nothing_, word_bias_, empty});
  EXPECT_EQ(out.v.data()[0], 1.5);  // relu(0 + 1.5)
  EXPECT_NEAR(out.local_logits.data()[0], 4.5, 1e-5);
}

}  // namespace
}  // namespace hmtc
