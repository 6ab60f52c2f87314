#include "support/tiny_model.h"

#include <numeric>

namespace hmtc {

std::shared_ptr<LaHcn> tiny_la_hcn(const Config& config,
                                   const std::vector<std::int64_t>& level_sizes,
                                   std::int64_t vocabulary_size) {
  torch::manual_seed(7);
  auto model = std::make_shared<LaHcn>(config.model, Encoder(config.encoder, vocabulary_size),
                                       tree_of(level_sizes));
  model->eval();
  return model;
}

WordBatch widened(const WordBatch& batch, std::int64_t columns) {
  WordBatch wide = batch;
  wide.ids = torch::constant_pad_nd(batch.ids, {0, columns});
  wide.mask = torch::constant_pad_nd(batch.mask, {0, columns});
  return wide;
}

WordBatch batch_of(const std::vector<std::vector<std::int32_t>>& documents) {
  std::vector<std::size_t> numbers(documents.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return make_word_batch(corpus_of(documents), numbers);
}

}  // namespace hmtc
