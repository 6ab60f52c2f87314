#pragma once

#include <string>
#include <vector>

namespace hmtc {

/// The names that make_model() knows.
std::vector<std::string> neural_model_names();

/// Throws kUsage unless the name is linear or one that make_model() knows.
void require_known_model(const std::string& name);

}  // namespace hmtc
