#include "model/model_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "model/capsule.h"
#include "model/flat.h"
#include "model/han.h"
#include "model/harnn.h"
#include "model/hmcn.h"
#include "model/la_hcn.h"

namespace hmtc {
namespace {

/// What a model is made of.
struct Ingredients {
  const Config& config;
  const Hierarchy& hierarchy;
  Encoder encoder;

  std::vector<std::int64_t> level_sizes() const {  // D13
    std::vector<std::int64_t> sizes;
    for (std::size_t h = 0; h < hierarchy.num_levels(); ++h) {
      sizes.push_back(static_cast<std::int64_t>(hierarchy.level_size(h)));
    }
    return sizes;
  }
  std::int64_t num_labels() const { return static_cast<std::int64_t>(hierarchy.num_labels()); }
};

std::shared_ptr<Model> make_la_hcn(const Ingredients& from, LaHcnParts parts) {
  return std::make_shared<LaHcn>(from.config.model, from.encoder, from.hierarchy, parts);
}

struct Row {
  const char* name;
  std::shared_ptr<Model> (*make)(const Ingredients& from);
};

constexpr Row kModels[] = {
    {"la-hcn", [](const Ingredients& from) { return make_la_hcn(from, {}); }},
    {"la-hcn-nc", [](const Ingredients& from) { return make_la_hcn(from, {.components = false}); }},
    {"la-hcn-l",
     [](const Ingredients& from) { return make_la_hcn(from, {.global_classifier = false}); }},
    {"la-hcn-g",
     [](const Ingredients& from) { return make_la_hcn(from, {.local_classifier = false}); }},
    {"hmcn-f",
     [](const Ingredients& from) -> std::shared_ptr<Model> {
       return std::make_shared<HmcnF>(from.config.hmcn, from.config.model.local_weight,
                                      from.encoder, from.hierarchy);
     }},
    {"hmcn-r",
     [](const Ingredients& from) -> std::shared_ptr<Model> {
       return std::make_shared<HmcnR>(from.config.hmcn, from.config.model.local_weight,
                                      from.encoder, from.hierarchy);
     }},
    {"capsule",
     [](const Ingredients& from) -> std::shared_ptr<Model> {
       return std::make_shared<CapsuleNetwork>(from.config.capsule, from.config.train.max_words,
                                               from.encoder, from.num_labels());
     }},
    {"harnn",
     [](const Ingredients& from) -> std::shared_ptr<Model> {
       return std::make_shared<Harnn>(from.config.model, from.encoder, from.level_sizes());
     }},
    {"han",
     [](const Ingredients& from) -> std::shared_ptr<Model> {
       return std::make_shared<Han>(from.config.han, from.encoder, from.num_labels());
     }},
    {"flat",
     [](const Ingredients& from) -> std::shared_ptr<Model> {
       return std::make_shared<Flat>(from.encoder, from.num_labels());
     }},
};

Error unknown_model(const std::string& name) {
  return {ErrorKind::kUsage, fmt::format("unknown model {}; there are {} and linear",
                                         in_quotes(name), fmt::join(neural_model_names(), ", "))};
}

void set_loss(Model& model, const Config& config) {
  if (auto* const logit_model = dynamic_cast<LogitModel*>(&model)) {
    logit_model->set_loss(config.train.loss);
  } else if (config.train.loss.kind != Loss::kCrossEntropy) {
    throw Error(ErrorKind::kUsage,
                fmt::format("train.loss: expected cross-entropy, the default, for model {}, which "
                            "learns from a loss of its own; found another; leave it out",
                            config.model.name));
  }
}

}  // namespace

std::vector<std::string> neural_model_names() {
  std::vector<std::string> names;
  for (const Row& row : kModels) names.emplace_back(row.name);
  return names;
}

void require_known_model(const std::string& name) {
  const std::vector<std::string> names = neural_model_names();
  if (name != "linear" && std::find(names.begin(), names.end(), name) == names.end()) {
    throw unknown_model(name);
  }
}

/// LA-HCN and its ablations can be given what stands beside the paper's equations, and networks
/// what is put over them.
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

std::shared_ptr<Model> make_model(const Config& config, const Hierarchy& hierarchy,
                                  std::int64_t vocabulary_size) {
  for (const Row& row : kModels) {
    if (config.model.name != row.name) continue;
    require_possible_ingredients(config);
    const auto model = row.make({config, hierarchy, Encoder(config.encoder, vocabulary_size)});
    set_loss(*model, config);
    return model;
  }
  throw unknown_model(config.model.name);
}

}  // namespace hmtc
