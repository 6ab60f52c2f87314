#include "learn/start_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "data/label_names.h"
#include "data/word_rarity.h"

namespace hmtc {

void start_from_training_data(Model& model, const TrainingData& data, TrainObserver& observer) {
  TrainingFacts facts;
  if (data.config.model.rarity) facts.rarity = word_rarity(data.train, data.vocabulary.size());
  if (data.config.model.label_names) {
    facts.label_names = words_of_label_names(data.hierarchy, data.vocabulary, data.config.text);
    const auto named = std::count_if(facts.label_names.begin(), facts.label_names.end(),
                                     [](const auto& words) { return !words.empty(); });
    observer.on_message(
        named == 0
            ? "model.label_names has no effect: no label has a name (third column of "
              "hierarchy.tsv) with words of the training texts"
            : fmt::format("label names: {} of {} labels have one with words of the training texts",
                          named, facts.label_names.size()));
    if (named == 0) facts.label_names.clear();
  }
  model.start_from(facts);
}

}  // namespace hmtc
