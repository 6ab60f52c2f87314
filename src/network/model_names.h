#pragma once

#include <string>
#include <vector>

namespace hmtc {

/// The names of all networks, as `--model` has them.
std::vector<std::string> neural_model_names();

/// Throws kUsage unless the name is linear or one of all networks, as `--model` has them.
void require_known_model(const std::string& name);

}  // namespace hmtc
