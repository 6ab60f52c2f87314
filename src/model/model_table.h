#pragma once

#include <memory>

#include "config/config.h"
#include "hierarchy/hierarchy.h"
#include "model/model.h"

namespace hmtc {

/// Builds the model that config.model.name names, with start values from torch's generator.
/// Throws kUsage for an unknown name, and for an ingredient or a loss that the model cannot have.
std::shared_ptr<Model> make_model(const Config& config, const Hierarchy& hierarchy,
                                  std::int64_t vocabulary_size);

}  // namespace hmtc
