#pragma once

#include <memory>

#include "config/config.h"
#include "hierarchy/hierarchy.h"
#include "network/model_names.h"
#include "network/network.h"
#include "network/weights.h"

namespace hmtc {

/// Builds the network that config.model.name names from its tensors. Throws kUsage for an unknown
/// name, kModel when a tensor is missing or has another shape.
std::unique_ptr<const Network> make_network(const Config& config, const Hierarchy& hierarchy,
                                            std::size_t vocabulary_size, const Weights& weights);

}  // namespace hmtc
