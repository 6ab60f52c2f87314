#pragma once

#include <torch/torch.h>

#include "config/options.h"

namespace hmtc {

/// Draws the start values of a model's own parameters (encoder and normalisation keep theirs) from
/// torch's generator, by the rules of the profile (docs/paper_map.md, D9).
void initialise(torch::nn::Module& model, Profile profile);

}  // namespace hmtc
