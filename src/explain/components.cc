#include "explain/components.h"

#include "base/error.h"
#include "data/jsonl_reader.h"
#include "explain/component_sums.h"
#include "explain/greatest_first.h"
#include "explain/network_words.h"
#include "predict/predict_stream.h"

namespace hmtc {
namespace {

/// Two components are near copies when their relevances correlate at least so much.
constexpr double kNearCopy = 0.95;

std::vector<LevelComponents> components_of(const LoadedModel& model, const Corpus& corpus) {
  const Ensemble* networks = model.scorer->parts().networks;
  if (networks == nullptr) return {};
  return attention_words(networks->members(), corpus, 0, {}).components;
}

class CorpusSums {
 public:
  explicit CorpusSums(Explainer& explainer)
      : model_(explainer.model()), occurrences_(model_.vocabulary.size(), 0) {}

  void add(const PlacedText& text) {
    Corpus corpus;
    corpus.max_words = model_.config.words_read();
    corpus.append({}, text.words, {}, text.sentences);
    const auto words = corpus.words_of(0);
    const std::vector<LevelComponents> levels = components_of(model_, corpus);
    for (std::size_t h = levels_.size(); h < levels.size(); ++h) {
      levels_.emplace_back(levels[h].num_components, occurrences_.size(), levels[h].association);
    }
    for (std::size_t h = 0; h < levels.size(); ++h)
      levels_[h].add_words(levels[h].relevance, words);
    for (const std::int32_t word : words) ++occurrences_[static_cast<std::size_t>(word)];
    add_labels(corpus);
    ++num_documents_;
  }

  ComponentsReport report(const ComponentsOptions& options) const {
    ComponentsReport result;
    result.documents = num_documents_;
    for (std::size_t h = 0; h < levels_.size(); ++h) {
      result.levels.push_back({h + 1, level_report(h, options)});
    }
    return result;
  }

 private:
  void add_labels(const Corpus& corpus) {
    ScoreSet scores = model_.scorer->score(corpus);
    model_.hierarchy.make_coherent(scores.combined);
    for (const LabelScore& label : chosen_labels(model_, scores.combined, {})) {
      const LabelId id = model_.hierarchy.find(label.label);
      const std::size_t h = model_.hierarchy.level_of(id);
      levels_[h].add_label(static_cast<std::size_t>(id - model_.hierarchy.level_begin(h)));
    }
  }

  std::vector<ComponentReport> level_report(std::size_t h, const ComponentsOptions& options) const {
    const ComponentSums& level = levels_[h];
    std::vector<double> use;
    for (std::size_t c = 0; c < level.num_components(); ++c) use.push_back(level.use(c));
    std::vector<ComponentReport> components;
    for (const std::size_t c : greatest_first(use)) {
      ComponentReport& component = components.emplace_back();
      component.component = c + 1;
      component.use = static_cast<float>(use[c]);
      component.words = words_of(level, c, options);
      component.labels = labels_of(h, c, options.labels);
      for (std::size_t other = 0; other < use.size(); ++other) {
        if (other != c && level.correlation(c, other) >= kNearCopy) {
          component.near_copies.push_back(other + 1);
        }
      }
    }
    return components;
  }

  std::vector<std::pair<std::string, float>> words_of(const ComponentSums& level, std::size_t c,
                                                      const ComponentsOptions& options) const {
    std::vector<std::size_t> words;
    std::vector<double> nearness;
    for (std::size_t word = Vocabulary::kUnknown + 1; word < occurrences_.size(); ++word) {
      if (occurrences_[word] < options.occurrences) continue;
      words.push_back(word);
      nearness.push_back(level.nearness(word, c, occurrences_[word]));
    }
    std::vector<std::pair<std::string, float>> best;
    for (const std::size_t i : greatest_first(nearness, options.words)) {
      best.emplace_back(model_.vocabulary.word(static_cast<std::int32_t>(words[i])),
                        static_cast<float>(nearness[i]));
    }
    return best;
  }

  std::vector<std::pair<std::string, float>> labels_of(std::size_t h, std::size_t c,
                                                       std::size_t most) const {
    const ComponentSums& level = levels_[h];
    std::vector<float> association;
    for (std::size_t i = c; i < level.association().size(); i += level.num_components()) {
      association.push_back(level.association()[i]);
    }
    std::vector<std::pair<std::string, float>> best;
    for (const std::size_t label : greatest_first(association, most)) {
      best.emplace_back(
          model_.hierarchy.name(model_.hierarchy.level_begin(h) + static_cast<LabelId>(label)),
          association[label]);
    }
    return best;
  }

  const LoadedModel& model_;
  std::vector<std::size_t> occurrences_;  // of each word of the vocabulary
  std::vector<ComponentSums> levels_;
  std::size_t num_documents_ = 0;
};

void check_components(const LoadedModel& model) {
  Corpus one_word;
  const std::int32_t unknown[] = {Vocabulary::kUnknown};
  one_word.append({}, unknown, {});
  if (!components_of(model, one_word).empty()) return;
  throw Error(ErrorKind::kUsage,
              "expected a model with components (la-hcn, la-hcn-l, la-hcn-g), "
              "found " +
                  model.config.model.name);
}

}  // namespace

ComponentsReport describe_components(Explainer& explainer, const std::string& file,
                                     const ComponentsOptions& options) {
  check_components(explainer.model());
  CorpusSums sums(explainer);
  JsonlReader reader(file, DocumentParser::Labels::kOptional);
  Document document;
  std::size_t count = 0;
  while ((options.documents == 0 || count < options.documents) && reader.next(document)) {
    const PlacedText text = explainer.read(document);
    if (text.words.empty()) continue;
    sums.add(text);
    ++count;
    if (options.progress) options.progress(count);
  }
  if (count == 0) {
    throw input_error({file}, {"a document with a word", "none", "give other documents"});
  }
  return sums.report(options);
}

}  // namespace hmtc
