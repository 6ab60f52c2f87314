#include "network/network_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "network/capsule_network.h"
#include "network/flat_network.h"
#include "network/han_network.h"
#include "network/harnn_network.h"
#include "network/hmcn_network.h"
#include "network/la_hcn_network.h"

namespace hmtc {
namespace {

using NetworkPointer = std::unique_ptr<const Network>;

/// What a network is made of.
struct Ingredients {
  const Config& config;
  const Hierarchy& hierarchy;
  std::size_t vocabulary_size;
  const Weights& weights;

  WordEncoder encoder() const { return {config.encoder, vocabulary_size, weights.of("encoder")}; }
};

template <LaHcnParts parts>
NetworkPointer make_la_hcn(const Ingredients& from) {
  return std::make_unique<LaHcnNetwork>(from.config.model, from.encoder(), from.vocabulary_size,
                                        from.hierarchy, parts, from.weights);
}

struct Row {
  const char* name;
  NetworkPointer (*make)(const Ingredients& from);
};

constexpr Row kNetworks[] = {
    {"la-hcn", make_la_hcn<LaHcnParts{}>},
    {"la-hcn-nc", make_la_hcn<LaHcnParts{.components = false}>},
    {"la-hcn-l", make_la_hcn<LaHcnParts{.global_classifier = false}>},
    {"la-hcn-g", make_la_hcn<LaHcnParts{.local_classifier = false}>},
    {"hmcn-f",
     [](const Ingredients& from) -> NetworkPointer {
       return std::make_unique<HmcnFNetwork>(from.config.hmcn, from.config.model.local_weight,
                                             from.encoder(), from.hierarchy, from.weights);
     }},
    {"hmcn-r",
     [](const Ingredients& from) -> NetworkPointer {
       return std::make_unique<HmcnRNetwork>(from.config.hmcn, from.config.model.local_weight,
                                             from.encoder(), from.hierarchy, from.weights);
     }},
    {"capsule",
     [](const Ingredients& from) -> NetworkPointer {
       return std::make_unique<CapsuleNetwork>(from.config.capsule, from.config.train.max_words,
                                               from.encoder(), from.hierarchy.num_labels(),
                                               from.weights);
     }},
    {"harnn",
     [](const Ingredients& from) -> NetworkPointer {
       return std::make_unique<HarnnNetwork>(from.config.model, from.encoder(), from.hierarchy,
                                             from.weights);
     }},
    {"han",
     [](const Ingredients& from) -> NetworkPointer {
       return std::make_unique<HanNetwork>(from.config.han, from.encoder(),
                                           from.hierarchy.num_labels(), from.weights);
     }},
    {"flat",
     [](const Ingredients& from) -> NetworkPointer {
       return std::make_unique<FlatNetwork>(from.encoder(), from.hierarchy.num_labels(),
                                            from.weights);
     }},
};

Error unknown_model(const std::string& name) {
  return {ErrorKind::kUsage, fmt::format("unknown model {}; there are {} and linear",
                                         in_quotes(name), fmt::join(neural_model_names(), ", "))};
}

}  // namespace

std::vector<std::string> neural_model_names() {
  std::vector<std::string> names;
  for (const Row& row : kNetworks) names.emplace_back(row.name);
  return names;
}

void require_known_model(const std::string& name) {
  const std::vector<std::string> names = neural_model_names();
  if (name != "linear" && std::find(names.begin(), names.end(), name) == names.end()) {
    throw unknown_model(name);
  }
}

std::unique_ptr<const Network> make_network(const Config& config, const Hierarchy& hierarchy,
                                            std::size_t vocabulary_size, const Weights& weights) {
  for (const Row& row : kNetworks) {
    if (config.model.name == row.name) {
      return row.make({config, hierarchy, vocabulary_size, weights});
    }
  }
  throw unknown_model(config.model.name);
}

}  // namespace hmtc
