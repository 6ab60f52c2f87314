#pragma once

#include <torch/torch.h>

#include "config/options.h"

namespace hmtc {

/// The loss of every logit, added up over documents and labels. Targets (B, M) lie between 0 and 1:
/// a label that is there with probability z counts as z of one that is and 1 - z of one that is
/// not. Finite, with a finite gradient, for every finite logit.
torch::Tensor sum_of_losses(const LossOptions& options, const torch::Tensor& logits,
                            const torch::Tensor& targets);

}  // namespace hmtc
