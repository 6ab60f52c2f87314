#pragma once

#include <cstdint>
#include <vector>

#include "config/options.h"
#include "hierarchy/hierarchy.h"
#include "text/vocabulary.h"

namespace hmtc {

/// For each label the ids of the words of its name (the description in hierarchy.tsv), split as
/// text is. Words that the vocabulary does not have are left out; a label without a name has none.
std::vector<std::vector<std::int32_t>> words_of_label_names(const Hierarchy& hierarchy,
                                                            const Vocabulary& vocabulary,
                                                            const TextOptions& options);

}  // namespace hmtc
