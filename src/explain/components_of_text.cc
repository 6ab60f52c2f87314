#include "explain/components_of_text.h"

#include <numeric>

#include "explain/greatest_first.h"

namespace hmtc {
namespace {

constexpr std::size_t kMostComponents = 8;  // of a level
constexpr std::size_t kMostWords = 12;
constexpr std::size_t kMostLabels = 8;

std::vector<float> column(const std::vector<float>& rows, std::size_t width, std::size_t number) {
  std::vector<float> values;
  for (std::size_t i = number; i < rows.size(); i += width) values.push_back(rows[i]);
  return values;
}

/// The mean association of the explained labels of the level with each component.
std::vector<float> use_of_components(const LevelComponents& components, LabelId level_begin,
                                     std::size_t level, const Explanation& explanation) {
  const std::size_t num_labels = components.association.size() / components.num_components;
  std::vector<std::size_t> labels;
  for (const LabelExplanation& label : explanation.labels) {
    if (label.level == level) labels.push_back(static_cast<std::size_t>(label.id - level_begin));
  }
  if (labels.empty()) {
    labels.resize(num_labels);
    std::iota(labels.begin(), labels.end(), std::size_t{0});
  }
  std::vector<float> use(components.num_components, 0.0F);
  for (const std::size_t label : labels) {
    for (std::size_t c = 0; c < use.size(); ++c) {
      use[c] += components.association[label * use.size() + c] / static_cast<float>(labels.size());
    }
  }
  return use;
}

}  // namespace

std::vector<ComponentExplanation> components_of_text(const std::vector<LevelComponents>& levels,
                                                     const Hierarchy& hierarchy,
                                                     const Explanation& explanation) {
  std::vector<ComponentExplanation> result;
  for (std::size_t h = 0; h < levels.size(); ++h) {
    const LevelComponents& level = levels[h];
    const LabelId level_begin = hierarchy.level_begin(h);
    const std::vector<float> use = use_of_components(level, level_begin, h + 1, explanation);
    for (const std::size_t c : greatest_first(use, kMostComponents)) {
      ComponentExplanation& component = result.emplace_back();
      component.level = h + 1;
      component.component = c + 1;
      component.use = use[c];
      const std::vector<float> words = column(level.relevance, use.size(), c);
      for (const std::size_t word : greatest_first(words, kMostWords)) {
        component.words.emplace_back(word, words[word]);
      }
      const std::vector<float> labels = column(level.association, use.size(), c);
      for (const std::size_t label : greatest_first(labels, kMostLabels)) {
        component.labels.emplace_back(hierarchy.name(level_begin + static_cast<LabelId>(label)),
                                      labels[label]);
      }
    }
  }
  return result;
}

}  // namespace hmtc
