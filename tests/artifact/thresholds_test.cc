#include "artifact/thresholds.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace hmtc {
namespace {

TEST(Thresholds, MissingOnesAreDamage) {
  expect_error(ErrorKind::kModel, {"m.safetensors", "thresholds"},
               [] { load_thresholds(TensorFile{}, 2, "m.safetensors"); });
}

TEST(Thresholds, RoundTrip) {
  TensorFile file;
  store_thresholds({0.25F, {0.5F, 0.125F, 1.0F}}, file);
  const TensorFile read = parse_tensor_file(to_bytes(file), "m.safetensors");
  const TunedThresholds thresholds = load_thresholds(read, 3, "m.safetensors");
  EXPECT_EQ(thresholds.common, 0.25F);
  EXPECT_EQ(thresholds.per_label, (std::vector<float>{0.5F, 0.125F, 1.0F}));
}

TEST(Thresholds, AnotherNumberOfLabelsIsDamage) {
  TensorFile file;
  store_thresholds({0.25F, {0.5F, 0.125F}}, file);
  expect_error(ErrorKind::kModel, {"(3)", "(2)"},
               [&] { load_thresholds(file, 3, "m.safetensors"); });
}

}  // namespace
}  // namespace hmtc
