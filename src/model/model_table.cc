#include "model/model_table.h"

#include <fmt/format.h>

#include "base/error.h"
#include "config/ingredients.h"
#include "model/capsule.h"
#include "model/flat.h"
#include "model/han.h"
#include "model/harnn.h"
#include "model/hmcn.h"
#include "model/la_hcn.h"
#include "network/model_names.h"

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
       return std::make_shared<Capsule>(from.config.capsule, from.config.train.max_words,
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

std::shared_ptr<Model> make_model(const Config& config, const Hierarchy& hierarchy,
                                  std::int64_t vocabulary_size) {
  for (const Row& row : kModels) {
    if (config.model.name != row.name) continue;
    require_possible_ingredients(config);
    const auto model = row.make({config, hierarchy, Encoder(config.encoder, vocabulary_size)});
    set_loss(*model, config);
    return model;
  }
  require_known_model(config.model.name);
  throw Error(ErrorKind::kInternal, "no model " + config.model.name + " to be trained");
}

}  // namespace hmtc
