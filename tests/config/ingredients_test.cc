#include "config/ingredients.h"

#include <gtest/gtest.h>

#include "network/model_names.h"
#include "support/expect_error.h"

namespace hmtc {
namespace {

TEST(Ingredients, OfLaHcnAreRefusedForNetworksWithoutThem) {
  for (const char* key : {"model.rarity", "model.label_sharing", "model.parent_prior",
                          "model.max_constraint", "model.label_names"}) {
    for (const std::string& name : neural_model_names()) {
      Config config;
      config.model.name = name;
      EXPECT_NO_THROW(require_possible_ingredients(config)) << name;
      config.set(key, "true");
      const bool needs_local = std::string_view(key) == "model.parent_prior";
      if (name.starts_with("la-hcn") && !(needs_local && name == "la-hcn-g")) {
        EXPECT_NO_THROW(require_possible_ingredients(config)) << name << ", " << key;
      } else {
        expect_error(ErrorKind::kUsage, {key, name, "la-hcn"},
                     [&] { require_possible_ingredients(config); });
      }
    }
  }
}

TEST(Ingredients, TheLinearModelHasNoIngredientAtAll) {
  for (const char* setting :
       {"model.rarity=true", "model.label_names=true", "train.members=2", "fusion.wide=true",
        "fusion.calibrate=true", "fusion.by_frequency=true"}) {
    const auto [key, value] = parse_assignment(setting);
    Config config;
    config.model.name = "linear";
    EXPECT_NO_THROW(require_possible_ingredients(config));
    config.set(key, value);
    expect_error(ErrorKind::kUsage, {key, "linear"}, [&] { require_possible_ingredients(config); });
    config.model.name = "flat";
    if (key.starts_with("model.")) continue;
    EXPECT_NO_THROW(require_possible_ingredients(config)) << key;
  }
}

}  // namespace
}  // namespace hmtc
