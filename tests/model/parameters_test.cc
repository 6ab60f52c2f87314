#include "model/parameters.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"
#include "support/tiny_model.h"

namespace hmtc {
namespace {

TEST(Parameters, ATensorWithoutElementsIsStoredAndComesBack) {
  const torch::Tensor back = to_torch(to_stored(torch::zeros({0, 3})));
  EXPECT_EQ(back.sizes(), torch::IntArrayRef({0, 3}));
}

TEST(Parameters, ATransposedTensorIsStoredRowByRow) {
  const torch::Tensor matrix = torch::tensor({{1.0F, 2.0F, 3.0F}, {4.0F, 5.0F, 6.0F}}).t();
  const StoredTensor stored = to_stored(matrix);
  EXPECT_EQ(stored.shape, (std::vector<std::int64_t>{3, 2}));
  EXPECT_EQ(float_values(stored), (std::vector<float>{1, 4, 2, 5, 3, 6}));
  EXPECT_TRUE(torch::equal(to_torch(stored), matrix));
}

TEST(Parameters, EveryParameterComesBackBitForBit) {
  for (const Variant& variant : all_variants()) {
    const auto model = tiny_la_hcn(tiny_config(variant), {2, 3});
    TensorFile file;
    store_parameters(*model, file, "here/");
    const TensorFile read = parse_tensor_file(to_bytes(file), "test");
    torch::manual_seed(99);
    const auto other = std::make_shared<LaHcn>(
        tiny_config(variant).model, Encoder(tiny_config(variant).encoder, 20), tree_of({2, 3}));
    load_parameters(*other, read, "test", "here/");
    for (const auto& parameter : model->named_parameters()) {
      EXPECT_TRUE(torch::equal(other->named_parameters()[parameter.key()], parameter.value()))
          << parameter.key();
    }
  }
}

TEST(Parameters, AMissingTensorIsRefusedByName) {
  const auto model = tiny_la_hcn(tiny_config(), {2, 3});
  TensorFile file;
  store_parameters(*model, file);
  file.tensors.erase("level_2.f_m.weight");
  expect_error(ErrorKind::kModel, {"model.safetensors", "level_2.f_m.weight"},
               [&] { load_parameters(*model, file, "model.safetensors"); });
}

TEST(Parameters, AnotherShapeIsRefusedWithBoth) {
  const auto model = tiny_la_hcn(tiny_config(), {2, 3});
  TensorFile file;
  store_parameters(*tiny_la_hcn(tiny_config(), {2, 4}), file);
  expect_error(ErrorKind::kModel, {"(3, 6)", "(4, 6)"},
               [&] { load_parameters(*model, file, "model.safetensors"); });
}

}  // namespace
}  // namespace hmtc
