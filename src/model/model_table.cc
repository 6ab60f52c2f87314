#include "model/model_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "model/la_hcn.h"

namespace hmtc {
namespace {

using Factory = std::shared_ptr<Model> (*)(const Config&, Encoder,
                                           const std::vector<std::int64_t>&);

struct Row {
  const char* name;
  Factory make;
};

constexpr Row kModels[] = {
    {"la-hcn",
     [](const Config& config, Encoder encoder,
        const std::vector<std::int64_t>& level_sizes) -> std::shared_ptr<Model> {
       return std::make_shared<LaHcn>(config.model, std::move(encoder), level_sizes);
     }},
};

Error unknown_model(const std::string& name) {
  return {ErrorKind::kUsage, fmt::format("unknown model {}; there are {} and linear",
                                         in_quotes(name), fmt::join(neural_model_names(), ", "))};
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

std::shared_ptr<Model> make_model(const Config& config, const Hierarchy& hierarchy,
                                  std::int64_t vocabulary_size) {
  for (const Row& row : kModels) {
    if (config.model.name != row.name) continue;
    std::vector<std::int64_t> level_sizes;  // D13
    for (std::size_t h = 0; h < hierarchy.num_levels(); ++h) {
      level_sizes.push_back(static_cast<std::int64_t>(hierarchy.level_size(h)));
    }
    return row.make(config, Encoder(config.encoder, vocabulary_size), level_sizes);
  }
  throw unknown_model(config.model.name);
}

}  // namespace hmtc
