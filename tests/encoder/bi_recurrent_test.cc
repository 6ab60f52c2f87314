#include "encoder/bi_recurrent.h"

#include <gtest/gtest.h>

#include "encoder/bi_gru.h"
#include "encoder/bi_lstm.h"
#include "model/parameters.h"
#include "network/bi_recurrent.h"
#include "support/instruction_sets.h"
#include "support/tensors.h"

namespace hmtc {
namespace {

constexpr Tolerance kRounding{1e-4, 1e-5};

struct Sizes {
  std::int64_t words;
  std::int64_t input_width;
  std::int64_t width;
  std::vector<std::int64_t> lengths;
};

/// What answers: the layer over the same parameters, which reads them by their names.
template <typename Layer>
torch::Tensor run_layer(const torch::Tensor& vectors, const torch::Tensor& lengths,
                        const std::vector<torch::Tensor>& parameters, int threads) {
  TensorFile file;
  std::size_t next = 0;
  for (const char* end : {"_l0", "_l0_reverse"}) {
    for (const char* name : {"weight_ih", "weight_hh", "bias_ih", "bias_hh"}) {
      file.tensors[std::string(name) + end] = to_stored(parameters[next++].detach());
    }
  }
  const auto input_width = static_cast<std::size_t>(vectors.size(2));
  const auto width = static_cast<std::size_t>(parameters[1].size(1));
  const Layer layer(Weights(file, "memory"), input_width, width);
  torch::Tensor out = torch::zeros({vectors.size(0), vectors.size(1), 2 * parameters[1].size(1)});
  layer.run({vectors.data_ptr<float>(),
             {lengths.data_ptr<std::int64_t>(), static_cast<std::size_t>(lengths.size(0))},
             static_cast<std::size_t>(vectors.size(1))},
            threads, out.data_ptr<float>(), layer.out_width());
  return out;
}

/// A network of ours beside torch's own.
struct Lstm {
  using Layer = BiLstmLayer;
  using Oracle = torch::nn::LSTM;
  using OracleOptions = torch::nn::LSTMOptions;
  static torch::Tensor run(const torch::Tensor& vectors, const torch::Tensor& lengths,
                           const std::vector<torch::Tensor>& parameters) {
    return bi_lstm(vectors, lengths, parameters);
  }
};

struct Gru {
  using Layer = BiGruLayer;
  using Oracle = torch::nn::GRU;
  using OracleOptions = torch::nn::GRUOptions;
  static torch::Tensor run(const torch::Tensor& vectors, const torch::Tensor& lengths,
                           const std::vector<torch::Tensor>& parameters) {
    return bi_gru(vectors, lengths, parameters);
  }
};

template <typename Network>
class BiRecurrentTest : public testing::Test {};
using Networks = testing::Types<Lstm, Gru>;
TYPED_TEST_SUITE(BiRecurrentTest, Networks);

/// torch's own network over packed sequences.
template <typename Oracle>
torch::Tensor expected_output(Oracle& oracle, const torch::Tensor& vectors,
                              const torch::Tensor& lengths) {
  const auto packed =
      torch::nn::utils::rnn::pack_padded_sequence(vectors, lengths, true, /*enforce_sorted=*/false);
  return std::get<0>(torch::nn::utils::rnn::pad_packed_sequence(
      std::get<0>(oracle->forward_with_packed_input(packed)), true, 0.0, vectors.size(1)));
}

template <typename Network>
typename Network::Oracle make_oracle(const Sizes& sizes) {
  return typename Network::Oracle(typename Network::OracleOptions(sizes.input_width, sizes.width)
                                      .batch_first(true)
                                      .bidirectional(true));
}

/// The gradients of all parameters and of the vectors, which are then forgotten.
template <typename Oracle>
std::vector<torch::Tensor> take_gradients(Oracle& oracle, torch::Tensor& vectors) {
  std::vector<torch::Tensor> gradients = {vectors.grad().clone()};
  vectors.mutable_grad().reset();
  for (torch::Tensor& parameter : oracle->parameters()) {
    gradients.push_back(parameter.grad().clone());
    parameter.mutable_grad().reset();
  }
  return gradients;
}

TYPED_TEST(BiRecurrentTest, OutputAndEveryGradientAgreeWithTorch) {
  torch::manual_seed(11);
  for (const Sizes& sizes :
       {Sizes{1, 1, 1, {1}}, Sizes{5, 3, 4, {2, 5, 1}}, Sizes{7, 17, 33, {7, 7, 3, 1, 6}},
        Sizes{40, 10, 16, {40, 1}}, Sizes{3, 20, 8, std::vector<std::int64_t>(19, 3)}}) {
    auto oracle = make_oracle<TypeParam>(sizes);
    const torch::Tensor lengths = torch::tensor(sizes.lengths);
    torch::Tensor vectors =
        torch::randn({lengths.size(0), sizes.words, sizes.input_width}).requires_grad_();
    const torch::Tensor expected = expected_output(oracle, vectors, lengths);
    const torch::Tensor direction = torch::randn_like(expected);
    expected.backward(direction);
    const std::vector<torch::Tensor> expected_gradients = take_gradients(oracle, vectors);

    torch::Tensor first;
    std::vector<torch::Tensor> first_gradients;
    for_each_instruction_set([&] {
      const torch::Tensor actual = TypeParam::run(vectors, lengths, oracle->parameters());
      expect_close(actual, expected, kRounding, "output");
      actual.backward(direction);
      const std::vector<torch::Tensor> gradients = take_gradients(oracle, vectors);
      if (!first.defined()) {
        first = actual.detach();
        first_gradients = gradients;
      }
      expect_same_on_instruction_sets(actual.detach(), first, "output");
      for (std::size_t i = 0; i < gradients.size(); ++i) {
        const std::string name = "gradient " + std::to_string(i);
        expect_close(gradients[i], expected_gradients[i], kRounding, name);
        expect_same_on_instruction_sets(gradients[i], first_gradients[i], name);
      }
      const torch::NoGradGuard no_grad;
      for (const int threads : {1, 2, 5}) {
        const torch::Tensor answer =
            run_layer<typename TypeParam::Layer>(vectors, lengths, oracle->parameters(), threads);
        EXPECT_TRUE(torch::equal(answer, actual)) << threads;
      }
    });
  }
}

TYPED_TEST(BiRecurrentTest, EmptyDocumentsAreZeroAndHaveNoGradient) {
  const Sizes sizes{3, 2, 4, {}};
  auto oracle = make_oracle<TypeParam>(sizes);
  torch::Tensor vectors = torch::randn({2, 3, 2}).requires_grad_();
  for (const std::vector<std::int64_t>& lengths :
       {std::vector<std::int64_t>{0, 0}, std::vector<std::int64_t>{0, 2}}) {
    const torch::Tensor out = TypeParam::run(vectors, torch::tensor(lengths), oracle->parameters());
    EXPECT_EQ(out[0].abs().sum().item<float>(), 0);
    out.sum().backward();
    EXPECT_EQ(vectors.grad()[0].abs().sum().item<float>(), 0);
  }
}

TYPED_TEST(BiRecurrentTest, WhatStandsAtPaddingChangesNothing) {
  torch::manual_seed(3);
  auto oracle = make_oracle<TypeParam>(Sizes{4, 5, 6, {}});
  torch::Tensor vectors = torch::randn({2, 4, 5});
  const torch::Tensor lengths = torch::tensor({2, 4}, torch::kInt64);
  const torch::Tensor before = TypeParam::run(vectors, lengths, oracle->parameters());
  vectors.index_put_({0, torch::indexing::Slice(2)}, 1e6);
  EXPECT_TRUE(torch::equal(before, TypeParam::run(vectors, lengths, oracle->parameters())));
}

}  // namespace
}  // namespace hmtc
