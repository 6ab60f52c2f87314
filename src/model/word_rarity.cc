#include "model/word_rarity.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace hmtc {
namespace {

/// r has deviation one over the words of the training texts, ln(idf) about a half: so attention
/// begins near what TF-IDF weighs words by, and training makes it more or less. From 0 it could not
/// get there in a short run, since Adam moves a number by about the learning rate a step.
constexpr double kGammaAtStart = 0.5;

}  // namespace

WordRarityImpl::WordRarityImpl(std::int64_t vocabulary_size, std::size_t num_levels) {
  // A parameter without gradient, as a frozen embedding is: threads share it, steps leave it alone.
  words_ = register_parameter("words", torch::zeros({vocabulary_size}), /*requires_grad=*/false);
  gamma_ = register_parameter("gamma",
                              torch::full({static_cast<std::int64_t>(num_levels)}, kGammaAtStart));
}

void WordRarityImpl::set(std::span<const float> rarity) {
  if (static_cast<std::int64_t>(rarity.size()) != words_.numel()) {
    throw Error(ErrorKind::kInternal, fmt::format("word rarity: expected {} numbers, found {}",
                                                  words_.numel(), rarity.size()));
  }
  std::copy(rarity.begin(), rarity.end(), words_.data_ptr<float>());
}

torch::Tensor WordRarityImpl::forward(const torch::Tensor& ids, std::size_t level) {
  return gamma_[static_cast<std::int64_t>(level)] *
         words_.index_select(0, ids.reshape({-1})).view(ids.sizes());
}

}  // namespace hmtc
