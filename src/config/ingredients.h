#pragma once

#include "config/config.h"

namespace hmtc {

/// Throws kUsage for an ingredient that the model, linear or not, cannot have: LA-HCN and its
/// ablations can be given what stands beside the paper's equations, and networks what is put over
/// them.
void require_possible_ingredients(const Config& config);

}  // namespace hmtc
