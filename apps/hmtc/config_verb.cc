#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "config/config.h"
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
  verb->add_flag("--json", *json, "as JSON");
  verb->callback([json] {
    Config config;
    *json ? print_json(config) : print_table(config);
    flush_results();
  });
}

}  // namespace hmtc
