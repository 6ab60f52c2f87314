#pragma once

#include <torch/torch.h>

#include "model/label_attention.h"

namespace hmtc {

/// The kernel knows floats on the CPU.
bool fused_label_attention_applies(const LabelAttentionInput& input);

/// Eq. 1, 4, 5, 7, 8, 9 and 11 by the kernel, which never holds A or D.
LabelAttentionOutput fused_label_attention(const LabelAttentionInput& input);

}  // namespace hmtc
