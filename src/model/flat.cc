#include "model/flat.h"

#include "model/initialise.h"
#include "model/over_words.h"

namespace hmtc {

Flat::Flat(Encoder encoder, std::int64_t num_labels)
    : LogitModel(std::move(encoder), /*local_weight=*/0), output_(encoder_->width(), num_labels) {
  register_module("output", output_);
  initialise(*this, Profile::kPaper);
}

ModelOutput Flat::forward(const WordBatch& batch) {
  const auto x = mean_over_words(encoder_(batch), batch);  // (B, w)
  return {{}, output_(x)};                                 // (B, M)
}

}  // namespace hmtc
