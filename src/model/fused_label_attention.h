#pragma once

#include <torch/torch.h>

#include "model/label_attention.h"

namespace hmtc {

/// Does once what no document changes: packs f_w and W for the kernel, and leaves v_c undefined
/// where R~ v_c in the place of R~ is cheaper. For label_attention() with Detail::kResults alone.
void prepare_label_side(LabelAttentionInput& input);

/// The kernel knows floats on the CPU.
bool fused_label_attention_applies(const LabelAttentionInput& input);

/// Eq. 1, 4, 5, 7, 8, 9 and 11 by the kernel, which never holds A or D.
LabelAttentionOutput fused_label_attention(const LabelAttentionInput& input);

}  // namespace hmtc
