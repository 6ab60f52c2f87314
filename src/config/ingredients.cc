#include "config/ingredients.h"

#include <fmt/format.h>

#include "base/error.h"

namespace hmtc {

void require_possible_ingredients(const Config& config) {
  const ModelOptions& model = config.model;
  struct Owners {
    const char* name;
    bool have_it;
  };
  const bool is_la_hcn = model.name.starts_with("la-hcn");
  const Owners la_hcn{"la-hcn and its ablations", is_la_hcn};
  const Owners with_local{"la-hcn, la-hcn-nc and la-hcn-l", is_la_hcn && model.name != "la-hcn-g"};
  const Owners networks{"networks", model.name != "linear"};
  struct Ingredient {
    const char* key;
    bool is_on;
    Owners owners;
  };
  const Ingredient ingredients[] = {
      {"model.rarity", model.rarity, la_hcn},
      {"model.label_sharing", model.label_sharing, la_hcn},
      {"model.parent_prior", model.parent_prior, with_local},
      {"model.max_constraint", model.max_constraint, la_hcn},
      {"model.label_names", model.label_names, la_hcn},
      {"train.members", config.train.members > 1, networks},
      {"fusion.wide", config.fusion.wide, networks},
      {"fusion.calibrate", config.fusion.calibrate, networks},
      {"fusion.by_frequency", config.fusion.by_frequency, networks},
  };
  for (const auto& [key, is_on, owners] : ingredients) {
    if (!is_on || owners.have_it) continue;
    throw Error(ErrorKind::kUsage, fmt::format("{}: expected its default for model {}, found "
                                               "another value; leave it out, only {} have it",
                                               key, model.name, owners.name));
  }
}

}  // namespace hmtc
