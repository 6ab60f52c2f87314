#include "artifact/linear_tensors.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace hmtc {
namespace {

constexpr const char* kFile = "m.safetensors";

/// Three words (two of them special), two labels.
TensorFile small_model() {
  TensorFile file;
  store_linear({{0, 0, 0, 0, 1.5F, -2.0F}, {0.25F, -0.5F}, 4.0F}, TfIdf({0, 0, 2.0F}, {}), file);
  return file;
}

TEST(LinearTensors, HaveTheDocumentedNamesAndShapes) {
  const TensorFile file = small_model();
  EXPECT_EQ(file.tensors.at("linear.idf").shape, (std::vector<std::int64_t>{3}));
  EXPECT_EQ(file.tensors.at("linear.weight").shape, (std::vector<std::int64_t>{3, 2}));
  EXPECT_EQ(file.tensors.at("linear.bias").shape, (std::vector<std::int64_t>{2}));
}

TEST(LinearTensors, RoundTrip) {
  LinearOptions options;
  options.term_frequency = TermFrequencyRule::kBinary;
  const TensorFile read = parse_tensor_file(to_bytes(small_model()), kFile);
  const LoadedLinear loaded = load_linear(read, options, 3, 2, kFile);
  EXPECT_EQ(loaded.model.weights, (std::vector<float>{0, 0, 0, 0, 1.5F, -2.0F}));
  EXPECT_EQ(loaded.model.bias, (std::vector<float>{0.25F, -0.5F}));
  EXPECT_EQ(loaded.tf_idf.idf(), (std::vector<float>{0, 0, 2.0F}));
  EXPECT_EQ(loaded.tf_idf.options().term_frequency, TfIdfOptions::TermFrequency::kBinary);
}

/// Five words (two of them special), two pairs, one label.
TensorFile model_with_pairs(const std::vector<std::int64_t>& ids = {3, 2, 2, 4}) {
  TensorFile file;
  store_linear({{0, 0, 1, 2, 3, 4, 5}, {0.5F}, 1.0F},
               TfIdf({0, 0, 2, 3, 4, 5, 6}, {.max_pairs = 10}, {{3, 2}, {2, 4}}), file);
  file.tensors["linear.pairs"] = int_tensor({static_cast<std::int64_t>(ids.size()) / 2, 2}, ids);
  return file;
}

LinearOptions with_pairs(std::int64_t most) {
  LinearOptions options;
  options.word_pairs = most;
  return options;
}

TEST(LinearTensors, WithoutPairsThereIsNoTensorOfThem) {
  EXPECT_EQ(small_model().tensors.count("linear.pairs"), 0U);
}

TEST(LinearTensors, AModelThatDoesNotSayHasNone) {
  const LoadedLinear loaded = load_linear(small_model(), LinearOptions(), 3, 2, kFile);
  EXPECT_TRUE(loaded.tf_idf.pairs().empty());
  EXPECT_EQ(loaded.tf_idf.idf().size(), 3U);
}

TEST(LinearTensors, PairsRoundTrip) {
  TensorFile file;
  store_linear({{0, 0, 1, 2, 3, 4, 5}, {0.5F}, 1.0F},
               TfIdf({0, 0, 2, 3, 4, 5, 6}, {.max_pairs = 10}, {{3, 2}, {2, 4}}), file);
  EXPECT_EQ(file.tensors.at("linear.pairs").shape, (std::vector<std::int64_t>{2, 2}));
  EXPECT_EQ(file.tensors.at("linear.weight").shape, (std::vector<std::int64_t>{7, 1}));
  const LoadedLinear loaded =
      load_linear(parse_tensor_file(to_bytes(file), kFile), with_pairs(10), 5, 1, kFile);
  EXPECT_EQ(loaded.tf_idf.pairs(), (std::vector<WordPair>{{3, 2}, {2, 4}}));
  EXPECT_EQ(loaded.tf_idf.idf(), (std::vector<float>{0, 0, 2, 3, 4, 5, 6}));
  EXPECT_EQ(loaded.tf_idf.vocabulary_size(), 5U);
}

TEST(LinearTensors, ThatNoPairWasFrequentEnoughIsFine) {
  TensorFile file;
  store_linear({{0, 0, 1.0F}, {0.5F}, 1.0F}, TfIdf({0, 0, 2.0F}, {.max_pairs = 10}), file);
  const LoadedLinear loaded =
      load_linear(parse_tensor_file(to_bytes(file), kFile), with_pairs(10), 3, 1, kFile);
  EXPECT_TRUE(loaded.tf_idf.pairs().empty());
}

void expect_damaged(const TensorFile& file, const std::vector<std::string>& parts,
                    std::int64_t most_pairs = 10) {
  std::vector<std::string> all = parts;
  all.emplace_back(kFile);
  expect_error(ErrorKind::kModel, all,
               [&] { load_linear(file, with_pairs(most_pairs), 5, 1, kFile); });
}

TEST(LinearTensors, PairsOfNoWordsOrTwiceAreDamage) {
  load_linear(model_with_pairs(), with_pairs(10), 5, 1, kFile);  // as it should be
  for (const std::int64_t id : {std::int64_t{1}, std::int64_t{0}, std::int64_t{-1}, std::int64_t{5},
                                std::int64_t{4294967298}}) {
    expect_damaged(model_with_pairs({3, 2, id, 4}),
                   {"word ids from 2 to 4", "linear.pairs", std::to_string(id)});
    expect_damaged(model_with_pairs({3, 2, 2, id}), {"word ids from 2 to 4", std::to_string(id)});
  }
  expect_damaged(model_with_pairs({3, 2, 3, 2}), {"every pair once", "3 2 twice"});
}

TEST(LinearTensors, PairsOfAnotherShapeTypeOrNumberAreDamage) {
  TensorFile file = model_with_pairs();
  file.tensors.erase("linear.pairs");
  expect_damaged(file, {"a tensor \"linear.pairs\"", "none"});
  expect_damaged(model_with_pairs({3, 2}), {"(6, 1)", "(7, 1)"});
  expect_damaged(model_with_pairs({3, 2, 2, 4, 4, 4}), {"(8, 1)", "(7, 1)"});
  expect_damaged(model_with_pairs(), {"at most 1 pairs", "found 2"}, 1);
  expect_damaged(model_with_pairs(), {"(5, 1)", "(7, 1)"}, 0);  // the configuration has none
  const std::vector<std::int64_t> ids = {3, 2, 2, 4};
  file.tensors["linear.pairs"] = int_tensor({4}, ids);
  expect_damaged(file, {"(4, 2)", "(4)"});
  file.tensors["linear.pairs"] = int_tensor({}, std::vector<std::int64_t>{3});
  expect_damaged(file, {"(0, 2)", "()"});
  const std::vector<float> numbers = {3, 2, 2, 4};
  file.tensors["linear.pairs"] = float_tensor({2, 2}, numbers.data());
  expect_damaged(file, {"I64 (2, 2)", "F32 (2, 2)"});
}

TEST(LinearTensors, MissingOrOfAnotherShapeIsDamage) {
  expect_error(ErrorKind::kModel, {kFile, "linear."},
               [] { load_linear(TensorFile{}, {}, 3, 2, kFile); });
  const TensorFile file = small_model();
  expect_error(ErrorKind::kModel, {"(4, 2)", "(3, 2)"},
               [&] { load_linear(file, {}, 4, 2, kFile); });
  expect_error(ErrorKind::kModel, {"(3, 3)", "(3, 2)"},
               [&] { load_linear(file, {}, 3, 3, kFile); });
}

}  // namespace
}  // namespace hmtc
