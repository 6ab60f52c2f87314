#pragma once

#include <torch/torch.h>

#include "encoder/word_batch.h"

namespace hmtc {

/// Softmax over the last dimension of (B, …, N), over each sequence's real places only; one without
/// a place has zeros (docs/paper_map.md, D3 and D4). `lengths` (B).
torch::Tensor softmax_over_words(const torch::Tensor& logits, const torch::Tensor& lengths);

/// The mean of each document's word vectors (B, N, w), padding left out: (B, w), zero without
/// words.
torch::Tensor mean_over_words(const torch::Tensor& I, const WordBatch& batch);

}  // namespace hmtc
