#include "encoder/encoder.h"

#include <gtest/gtest.h>

#include "support/tensors.h"
#include "support/tiny_model.h"

namespace hmtc {
namespace {

constexpr Tolerance kRounding{1e-6, 1e-6};

EncoderOptions options_of(EncoderKind kind, double dropout = 0.5) {
  EncoderOptions options;
  options.kind = kind;
  options.embedding_width = 4;
  options.lstm_width = 3;
  options.dropout = dropout;
  return options;
}

Encoder make_encoder(const EncoderOptions& options) {
  torch::manual_seed(3);
  Encoder encoder(options, 10);
  encoder->eval();
  return encoder;
}

Encoder make_encoder(EncoderKind kind, double dropout = 0.5) {
  return make_encoder(options_of(kind, dropout));
}

const std::vector<std::vector<std::int32_t>> kDocuments = {{2, 5, 1}, {}, {3, 2, 7, 3, 9}, {4}};

TEST(Encoder, APaddedWordHasTheZeroVector) {
  for (const EncoderKind kind : {EncoderKind::kEmbedding, EncoderKind::kBiLstm}) {
    Encoder encoder = make_encoder(kind);
    const WordBatch batch = batch_of(kDocuments);
    const torch::Tensor vectors = encoder(batch);
    EXPECT_EQ(vectors.masked_select(~batch.mask.unsqueeze(-1)).abs().sum().item<float>(), 0);
    EXPECT_TRUE(vectors.isfinite().all().item<bool>());
  }
}

TEST(Encoder, TheEmbeddingGivesEachWordItsRow) {
  Encoder encoder = make_encoder(EncoderKind::kEmbedding);
  const torch::Tensor vectors = encoder(batch_of({{3, 9}, {1}}));
  EXPECT_EQ(encoder->width(), 4);
  EXPECT_TRUE(torch::equal(vectors[0][0], encoder->embedding()[3]));
  EXPECT_TRUE(torch::equal(vectors[0][1], encoder->embedding()[9]));
  EXPECT_TRUE(torch::equal(vectors[1][0], encoder->embedding()[1]));
}

TEST(Encoder, TheBiLstmIsTwiceAsWideAsOneDirection) {
  Encoder encoder = make_encoder(EncoderKind::kBiLstm);
  EXPECT_EQ(encoder->width(), 6);
  EXPECT_EQ(encoder(batch_of(kDocuments)).sizes(), torch::IntArrayRef({4, 5, 6}));
}

TEST(Encoder, BothDirectionsOfADocumentAreTheSameAloneAndInAPaddedBatch) {
  Encoder encoder = make_encoder(EncoderKind::kBiLstm);
  const torch::Tensor together = encoder(batch_of(kDocuments));
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(kDocuments.size()); ++i) {
    const auto& words = kDocuments[static_cast<std::size_t>(i)];
    const auto length = static_cast<std::int64_t>(words.size());
    const torch::Tensor alone = encoder(batch_of({words}))[0].slice(0, 0, length);
    const torch::Tensor beside = together[i].slice(0, 0, length);
    const std::string name = "document " + std::to_string(i);
    expect_close(beside.slice(1, 0, 3), alone.slice(1, 0, 3), kRounding, name + " forward");
    expect_close(beside.slice(1, 3, 6), alone.slice(1, 3, 6), kRounding, name + " backward");
  }
}

TEST(Encoder, TheBackwardDirectionStartsAtTheLastRealWord) {
  // The last word's backward vector has seen nothing but that word, the first word's forward
  // vector neither: both are what the word has alone.
  Encoder encoder = make_encoder(EncoderKind::kBiLstm);
  const torch::Tensor vectors = encoder(batch_of({{2, 5}, {3, 4, 6, 7}}));
  const torch::Tensor only_5 = encoder(batch_of({{5}}));
  const torch::Tensor only_2 = encoder(batch_of({{2}}));
  expect_close(vectors[0][1].slice(0, 3, 6), only_5[0][0].slice(0, 3, 6), kRounding, "backward");
  expect_close(vectors[0][0].slice(0, 0, 3), only_2[0][0].slice(0, 0, 3), kRounding, "forward");
  EXPECT_FALSE(torch::allclose(vectors[0][0].slice(0, 3, 6), only_2[0][0].slice(0, 3, 6)));
}

TEST(Encoder, APaddingRowOfTheTableThatIsNotZeroDoesNotReachRealWords) {
  Encoder encoder = make_encoder(EncoderKind::kBiLstm);
  const torch::Tensor before = encoder(batch_of(kDocuments));
  {
    const torch::NoGradGuard no_grad;
    encoder->embedding()[0].fill_(5);
  }
  EXPECT_TRUE(torch::equal(encoder(batch_of(kDocuments)), before));
}

TEST(Encoder, DropoutActsInTrainingOnly) {
  for (const EncoderKind kind : {EncoderKind::kEmbedding, EncoderKind::kBiLstm}) {
    Encoder encoder = make_encoder(kind);
    const WordBatch batch = batch_of({{2, 3, 4, 5, 6, 7, 8, 9}});
    const torch::Tensor plain = encoder(batch);
    EXPECT_TRUE(torch::equal(encoder(batch), plain));
    encoder->train();
    torch::manual_seed(1);
    const torch::Tensor dropped = encoder(batch);
    const torch::Tensor zero = dropped == 0;
    EXPECT_TRUE(zero.any().item<bool>());
    EXPECT_FALSE(zero.all().item<bool>());
    // What stays is doubled: 1 / (1 - 0.5).
    expect_close(dropped.masked_select(~zero), 2 * plain.masked_select(~zero), kRounding, "kept");
  }
}

TEST(Encoder, TheEmbeddingsGradientIsSparseWithRowsForTheWordsOfTheBatchOnly) {
  for (const EncoderKind kind : {EncoderKind::kEmbedding, EncoderKind::kBiLstm}) {
    Encoder encoder = make_encoder(kind, /*dropout=*/0);
    encoder(batch_of(kDocuments)).square().sum().backward();
    const torch::Tensor gradient = encoder->embedding().grad();
    ASSERT_TRUE(gradient.is_sparse());
    const torch::Tensor merged = gradient.coalesce();
    const torch::Tensor used = merged.indices()[0].masked_select(merged.values().abs().sum(1) > 0);
    // Every word of kDocuments once, padding never.
    EXPECT_TRUE(torch::equal(used, torch::tensor({1, 2, 3, 4, 5, 7, 9}, torch::kInt64)));
  }
}

TEST(Encoder, WordVectorsThatAreNotTrainedGetNoGradient) {
  EncoderOptions options = options_of(EncoderKind::kBiLstm);
  options.train_embeddings = false;
  Encoder encoder(options, 10);
  encoder(batch_of(kDocuments)).sum().backward();
  EXPECT_FALSE(encoder->embedding().grad().defined());
  EXPECT_TRUE(encoder->named_parameters()["lstm.weight_ih_l0"].grad().defined());
}

EncoderOptions residual_options(DropoutPlace place = DropoutPlace::kOutput) {
  EncoderOptions options = options_of(EncoderKind::kBiLstm);
  options.residual = true;
  options.dropout_place = place;
  return options;
}

TEST(Encoder, WithoutALstmThereIsNothingToAddAResidualTo) {
  EncoderOptions options = residual_options(DropoutPlace::kEmbedding);
  options.kind = EncoderKind::kEmbedding;
  Encoder encoder = make_encoder(options);
  EXPECT_EQ(encoder->width(), 4);
  Encoder plain = make_encoder(EncoderKind::kEmbedding);
  for (const bool training : {false, true}) {
    encoder->train(training);
    plain->train(training);
    EXPECT_TRUE(torch::equal(encoder(batch_of(kDocuments)), plain(batch_of(kDocuments))));
  }
}

TEST(Encoder, TheResidualIsTheWordsOwnVectorBehindTheLstms) {
  Encoder encoder = make_encoder(residual_options());
  EXPECT_EQ(encoder->width(), 10);  // 2 * 3 + 4
  const WordBatch batch = batch_of(kDocuments);
  const torch::Tensor vectors = encoder(batch);
  ASSERT_EQ(vectors.sizes(), torch::IntArrayRef({4, 5, 10}));
  EXPECT_TRUE(torch::equal(vectors.slice(2, 0, 6), make_encoder(EncoderKind::kBiLstm)(batch)));
  EXPECT_TRUE(torch::equal(vectors[0][1].slice(0, 6), encoder->embedding()[5]));
  EXPECT_TRUE(torch::equal(vectors[2][4].slice(0, 6), encoder->embedding()[9]));
  EXPECT_EQ(vectors.masked_select(~batch.mask.unsqueeze(-1)).abs().sum().item<float>(), 0);
}

TEST(Encoder, DropoutActsOnTheOutputOrOnTheWordVectorsAlone) {
  const WordBatch batch = batch_of({{2, 3, 4, 5, 6, 7, 8, 9}});
  for (const DropoutPlace place : {DropoutPlace::kOutput, DropoutPlace::kEmbedding}) {
    Encoder encoder = make_encoder(residual_options(place));
    const torch::Tensor plain = encoder(batch);
    encoder->train();
    const torch::Tensor dropped = encoder(batch);
    const torch::Tensor lstm = dropped.slice(2, 0, 6), residual = dropped.slice(2, 6);
    EXPECT_EQ((lstm == 0).any().item<bool>(), place == DropoutPlace::kOutput);
    EXPECT_FALSE(torch::allclose(lstm, plain.slice(2, 0, 6)));
    const torch::Tensor kept = residual != 0;
    EXPECT_FALSE(kept.all().item<bool>());
    expect_close(residual.masked_select(kept), 2 * plain.slice(2, 6).masked_select(kept), kRounding,
                 "residual");
    EXPECT_TRUE(torch::equal(encoder(batch), dropped));  // the seed decides
  }
}

TEST(Encoder, TheLstmReadsTheDroppedVectorsThatStandBesideIt) {
  // One seed in sixteen drops all four numbers of the word's vector: the LSTM then says what it
  // says of a zero vector.
  Encoder encoder = make_encoder(residual_options(DropoutPlace::kEmbedding));
  encoder->train();
  const torch::NoGradGuard no_grad;
  WordBatch batch = batch_of({{2}});
  torch::Tensor vectors;
  do {
    ++batch.seed;
    vectors = encoder(batch)[0][0];
  } while (vectors.slice(0, 6).abs().sum().item<float>() != 0);
  encoder->embedding()[2].zero_();
  encoder->eval();
  expect_close(vectors, encoder(batch)[0][0], kRounding, "all dropped");
}

TEST(Encoder, ThePaddingRowStartsAtZeroAndTheOthersDoNot) {
  Encoder encoder = make_encoder(EncoderKind::kEmbedding);
  EXPECT_EQ(encoder->embedding()[0].abs().sum().item<float>(), 0);
  for (std::int64_t word = 1; word < 10; ++word) {
    EXPECT_GT(encoder->embedding()[word].abs().sum().item<float>(), 0);
  }
}

}  // namespace
}  // namespace hmtc
