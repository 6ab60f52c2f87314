#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "config/config.h"
#include "network/model_names.h"
#include "output.h"
#include "verbs.h"

namespace hmtc {
namespace {

void print_table(Config& config) {
  for (const Field& field : config.fields()) {
    const std::string value = to_text(field);
    print_result(fmt::format("{} = {}\n    {} [{}]\n", field.key, value.empty() ? "(none)" : value,
                             field.meaning, accepted(field)));
  }
}

void print_json(Config& config) {
  nlohmann::ordered_json keys = nlohmann::ordered_json::array();
  for (const Field& field : config.fields()) {
    keys.push_back({{"key", field.key},
                    {"default", to_text(field)},
                    {"range", accepted(field)},
                    {"meaning", field.meaning}});
  }
  print_result(keys.dump(2) + "\n");
}

}  // namespace

void add_config_verb(CLI::App& program) {
  CLI::App* verb =
      program.add_subcommand("config", "All configuration keys: default, range, meaning");
  const auto json = std::make_shared<bool>(false);
  const auto model = std::make_shared<std::string>(Config().model.name);
  verb->add_flag("--json", *json, "as JSON");
  verb->add_option("--model", *model, "with the defaults for this model");
  verb->callback([json, model] {
    require_known_model(*model);
    Config config = default_config(*model);
    *json ? print_json(config) : print_table(config);
    flush_results();
  });
}

}  // namespace hmtc
