#pragma once

#include <torch/torch.h>

#include <span>

namespace hmtc {

/// Evidence of rarity: what a word's attention logit gets for every label of a level h,
///   gamma_h r(word),
/// where r is the word's rarity in the training texts (data/word_rarity.h), stored with the model
/// and not trained, and gamma_h is learned.
class WordRarityImpl : public torch::nn::Module {
 public:
  WordRarityImpl(std::int64_t vocabulary_size, std::size_t num_levels);

  /// One number for each word of the vocabulary.
  void set(std::span<const float> rarity);

  /// ids (B, N) to (B, N).
  torch::Tensor forward(const torch::Tensor& ids, std::size_t level);

 private:
  torch::Tensor words_;  // (V)
  torch::Tensor gamma_;  // (H)
};
TORCH_MODULE(WordRarity);

}  // namespace hmtc
