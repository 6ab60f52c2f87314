#pragma once

#include <memory>
#include <vector>

#include "model/la_hcn.h"
#include "support/tiny_config.h"

namespace hmtc {

/// Always the same start values; in evaluation mode.
std::shared_ptr<LaHcn> tiny_la_hcn(const Config& config,
                                   const std::vector<std::int64_t>& level_sizes,
                                   std::int64_t vocabulary_size = 20);

/// All of them in one batch.
WordBatch batch_of(const std::vector<std::vector<std::int32_t>>& documents);

/// The batch with more columns of padding.
WordBatch widened(const WordBatch& batch, std::int64_t columns);

}  // namespace hmtc
