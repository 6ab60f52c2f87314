#pragma once

#include <torch/torch.h>

#include "config/options.h"

namespace hmtc {

/// Draws the start values of LA-HCN's own parameters (the encoder keeps its own) from torch's
/// generator, by the rules of the profile (docs/paper_map.md, D9).
void initialise(torch::nn::Module& model, Profile profile);

}  // namespace hmtc
