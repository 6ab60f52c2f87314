#include "model/initialise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/tiny_model.h"

namespace hmtc {
namespace {

/// Wide enough that a rule shows in the numbers.
std::shared_ptr<LaHcn> wide_model(Profile profile) {
  Config config = tiny_config({profile, EncoderKind::kEmbedding, ""});
  config.model.document_width = 100;
  config.model.attention_width = 64;
  config.model.components = 50;
  return tiny_la_hcn(config, {40, 60});
}

double deviation(const torch::Tensor& values) {
  return values.square().mean().sqrt().item<double>();
}

double largest(const torch::Tensor& values) { return values.abs().max().item<double>(); }

TEST(Initialise, TheReferenceProfileStartsAsItsAuthorsCode) {
  const auto model = wide_model(Profile::kReference);
  for (const auto& parameter : model->named_parameters()) {
    const std::string& name = parameter.key();
    const torch::Tensor& values = parameter.value();
    if (name.starts_with("encoder.")) continue;
    if (name.ends_with(".labels")) {  // uniform in (-1, 1): deviation 1 / sqrt(3)
      EXPECT_LE(largest(values), 1) << name;
      EXPECT_NEAR(deviation(values), 0.577, 0.03) << name;
    } else if (values.dim() == 1) {
      EXPECT_TRUE((values == 0.1F).all().item<bool>()) << name;
    } else {  // normal with deviation 0.1, cut at two deviations, which leaves 0.088
      EXPECT_LE(largest(values), 0.2 + 1e-6) << name;
      EXPECT_NEAR(deviation(values), 0.088, 0.01) << name;
    }
  }
}

TEST(Initialise, ThePaperProfileStartsWithZeroBiasesAndRowsOfNormAboutOne) {
  const auto model = wide_model(Profile::kPaper);
  const auto parameters = model->named_parameters();
  EXPECT_EQ(largest(parameters["level_2.f_w.bias"]), 0);
  EXPECT_EQ(largest(parameters["global.output.bias"]), 0);
  EXPECT_NEAR(deviation(parameters["level_1.labels"]), 0.1, 0.01);        // 1 / sqrt(100)
  EXPECT_NEAR(deviation(parameters["level_1.components"]), 0.125, 0.01);  // 1 / sqrt(64)
  // Glorot's bound for 64 x 100: sqrt(6 / 164).
  EXPECT_LE(largest(parameters["level_1.f_l.weight"]), std::sqrt(6.0 / 164) + 1e-6);
  EXPECT_GT(largest(parameters["level_1.f_l.weight"]), 0.95 * std::sqrt(6.0 / 164));
}

TEST(Initialise, TheEncoderKeepsItsOwnStartValues) {
  const auto model = wide_model(Profile::kReference);
  const torch::Tensor before = model->encoder()->embedding().detach().clone();
  initialise(*model, Profile::kReference);
  EXPECT_TRUE(torch::equal(model->encoder()->embedding(), before));
}

}  // namespace
}  // namespace hmtc
