#pragma once

#include <memory>
#include <string>
#include <vector>

#include "config/config.h"
#include "hierarchy/hierarchy.h"
#include "model/model.h"

namespace hmtc {

/// The names that make_model knows.
std::vector<std::string> neural_model_names();

/// Throws kUsage unless the name is linear or one that make_model knows.
void require_known_model(const std::string& name);

/// Builds the model that config.model.name names, with start values from torch's generator.
/// Throws kUsage for an unknown name.
std::shared_ptr<Model> make_model(const Config& config, const Hierarchy& hierarchy,
                                  std::int64_t vocabulary_size);

}  // namespace hmtc
