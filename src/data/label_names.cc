#include "data/label_names.h"

#include "data/word_splitter.h"

namespace hmtc {

std::vector<std::vector<std::int32_t>> words_of_label_names(const Hierarchy& hierarchy,
                                                            const Vocabulary& vocabulary,
                                                            const TextOptions& options) {
  WordSplitter splitter(options, [&](std::string_view word) { return vocabulary.find(word); });
  std::vector<std::vector<std::int32_t>> names;
  for (LabelId label = 0; label < static_cast<LabelId>(hierarchy.num_labels()); ++label) {
    Document name;
    name.text = hierarchy.description(label);
    names.push_back(splitter.split(name, /*most=*/0).words);
    std::erase(names.back(), Vocabulary::kUnknown);
  }
  return names;
}

}  // namespace hmtc
