#include "model/model_table.h"

#include <gtest/gtest.h>

#include "network/model_names.h"
#include "support/expect_error.h"
#include "support/tiny_model.h"

namespace hmtc {
namespace {

Hierarchy two_levels() {
  return Hierarchy(
      std::vector<HierarchyEdge>{{"a", "", "", {}}, {"b", "", "", {}}, {"a1", "a", "", {}}});
}

TEST(ModelTable, EveryNameMakesAModelThatScoresEveryLabel) {
  for (const std::string& name : neural_model_names()) {
    Config config = tiny_config();
    config.model.name = name;
    const auto model = make_model(config, two_levels(), 8);
    model->eval();
    const ModelScores scores = model->scores(batch_of({{2, 3}}));
    EXPECT_EQ(scores.combined.sizes(), torch::IntArrayRef({1, 3})) << name;
  }
}

TEST(ModelTable, AnUnknownNameIsRefusedWithTheKnownOnes) {
  Config config = tiny_config();
  config.model.name = "la-hnc";
  expect_error(ErrorKind::kUsage, {"la-hnc", "la-hcn", "linear"},
               [&] { make_model(config, two_levels(), 8); });
}

TEST(ModelTable, IngredientsOfLaHcnAreRefusedForModelsWithoutThem) {
  for (const char* key : {"model.rarity", "model.label_sharing", "model.parent_prior",
                          "model.max_constraint", "model.label_names"}) {
    for (const std::string& name : neural_model_names()) {
      Config config = tiny_config();
      config.model.name = name;
      config.set(key, "true");
      const bool needs_local = std::string_view(key) == "model.parent_prior";
      if (name.starts_with("la-hcn") && !(needs_local && name == "la-hcn-g")) {
        EXPECT_NE(make_model(config, two_levels(), 8), nullptr) << name;
      } else {
        expect_error(ErrorKind::kUsage, {key, name, "la-hcn"},
                     [&] { make_model(config, two_levels(), 8); });
      }
    }
  }
}

TEST(ModelTable, TheSameSeedMakesTheSameModel) {
  const auto made = [](std::uint64_t seed) {
    torch::manual_seed(seed);
    return make_model(tiny_config(), two_levels(), 8)->named_parameters()["level_1.labels"];
  };
  EXPECT_TRUE(torch::equal(made(1), made(1)));
  EXPECT_FALSE(torch::equal(made(1), made(2)));
}

TEST(ModelTable, TheLossOfTheConfigurationReachesEveryModelThatGivesLogits) {
  const auto loss = [](Config config) {
    torch::manual_seed(1);
    const auto model = make_model(config, two_levels(), 8);
    model->eval();
    return model->loss(batch_of({{2, 3}}), torch::zeros({1, 3})).item<double>();
  };
  for (const std::string& name : neural_model_names()) {
    Config config = tiny_config();
    config.model.name = name;
    const double cross_entropy = loss(config);
    config.set("train.loss=focal");
    if (name == "capsule") {
      expect_error(ErrorKind::kUsage, {"train.loss", "capsule"}, [&] { loss(config); });
    } else {
      EXPECT_LT(loss(config), cross_entropy) << name;
    }
  }
}

}  // namespace
}  // namespace hmtc
