#include "explain/components.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/jsonl_reader.h"
#include "explain/network_words.h"
#include "model/ensemble.h"
#include "predict/predict_stream.h"

namespace hmtc {
namespace {

/// Two components are near copies when their relevances correlate at least so much.
constexpr double kNearCopy = 0.95;

template <typename Value>
std::vector<std::size_t> greatest_first(const std::vector<Value>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
  return order;
}

/// Sums over the words of a corpus for one level. C components, V words of the vocabulary.
class LevelSums {
 public:
  LevelSums(std::size_t num_components, std::size_t vocabulary_size, std::vector<float> association)
      : C_(num_components),
        association_(std::move(association)),
        use_(C_, 0.0),
        by_word_(vocabulary_size * C_, 0.0F),
        sums_(C_, 0.0),
        products_(C_ * C_, 0.0) {}

  void add_words(const std::vector<float>& relevance, std::span<const std::int32_t> words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const float* row = relevance.data() + i * C_;
      float* of_word = by_word_.data() + static_cast<std::size_t>(words[i]) * C_;
      for (std::size_t c = 0; c < C_; ++c) {
        of_word[c] += row[c];
        sums_[c] += static_cast<double>(row[c]);
        for (std::size_t e = 0; e <= c; ++e) {
          products_[c * C_ + e] += static_cast<double>(row[c]) * static_cast<double>(row[e]);
        }
      }
    }
    num_places_ += words.size();
  }

  void add_label(std::size_t label_of_level) {
    for (std::size_t c = 0; c < C_; ++c) {
      use_[c] += static_cast<double>(association_[label_of_level * C_ + c]);
    }
    ++num_labels_;
  }

  double use(std::size_t c) const {
    return num_labels_ == 0 ? 0 : use_[c] / static_cast<double>(num_labels_);
  }

  /// Pearson's correlation of the relevances of two components over all places.
  double correlation(std::size_t a, std::size_t b) const {
    const auto n = static_cast<double>(std::max<std::size_t>(num_places_, 1));
    const auto covariance = [&](std::size_t c, std::size_t e) {
      return products_[std::max(c, e) * C_ + std::min(c, e)] / n - sums_[c] / n * (sums_[e] / n);
    };
    const double scale = std::sqrt(covariance(a, a) * covariance(b, b));
    return scale > 0 ? covariance(a, b) / scale : 0;
  }

  /// How much nearer a word is to this component than to the others, relative to other words: the
  /// mean relevance without the mean of the component and that of the word.
  double nearness(std::size_t word, std::size_t c, std::size_t occurrences) const {
    const auto n = static_cast<double>(std::max<std::size_t>(num_places_, 1));
    const auto count = static_cast<double>(occurrences);
    double of_word = 0;
    for (std::size_t e = 0; e < C_; ++e) {
      of_word += static_cast<double>(by_word_[word * C_ + e]) / count - sums_[e] / n;
    }
    return static_cast<double>(by_word_[word * C_ + c]) / count - sums_[c] / n -
           of_word / static_cast<double>(C_);
  }

  std::size_t num_components() const { return C_; }
  const std::vector<float>& association() const { return association_; }

 private:
  std::size_t C_;
  std::vector<float> association_;  // (labels of the level, C)
  std::vector<double> use_;
  std::vector<float> by_word_;  // (V, C)
  std::vector<double> sums_;
  std::vector<double> products_;  // (C, C), lower half
  std::size_t num_places_ = 0;
  std::size_t num_labels_ = 0;
};

class CorpusSums {
 public:
  explicit CorpusSums(Explainer& explainer)
      : model_(explainer.model()), occurrences_(model_.vocabulary.size(), 0) {}

  void add(const PlacedText& text) {
    Corpus corpus;
    corpus.max_words = model_.config.words_read();
    corpus.append({}, text.words, {}, text.sentences);
    const auto words = corpus.words_of(0);
    std::vector<LevelComponents> levels =
        document_components(model_.scorer->parts().networks->members(), corpus, 0);
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
    const LevelSums& level = levels_[h];
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

  std::vector<std::pair<std::string, float>> words_of(const LevelSums& level, std::size_t c,
                                                      const ComponentsOptions& options) const {
    std::vector<std::size_t> words;
    std::vector<double> nearness;
    for (std::size_t word = Vocabulary::kUnknown + 1; word < occurrences_.size(); ++word) {
      if (occurrences_[word] < options.occurrences) continue;
      words.push_back(word);
      nearness.push_back(level.nearness(word, c, occurrences_[word]));
    }
    std::vector<std::pair<std::string, float>> best;
    for (const std::size_t i : greatest_first(nearness)) {
      if (best.size() == options.words) break;
      best.emplace_back(model_.vocabulary.word(static_cast<std::int32_t>(words[i])),
                        static_cast<float>(nearness[i]));
    }
    return best;
  }

  std::vector<std::pair<std::string, float>> labels_of(std::size_t h, std::size_t c,
                                                       std::size_t most) const {
    const LevelSums& level = levels_[h];
    std::vector<float> association;
    for (std::size_t i = c; i < level.association().size(); i += level.num_components()) {
      association.push_back(level.association()[i]);
    }
    std::vector<std::pair<std::string, float>> best;
    for (const std::size_t label : greatest_first(association)) {
      if (best.size() == most) break;
      best.emplace_back(
          model_.hierarchy.name(model_.hierarchy.level_begin(h) + static_cast<LabelId>(label)),
          association[label]);
    }
    return best;
  }

  LoadedModel& model_;
  std::vector<std::size_t> occurrences_;  // of each word of the vocabulary
  std::vector<LevelSums> levels_;
  std::size_t num_documents_ = 0;
};

void check_components(LoadedModel& model) {
  const Ensemble* networks = model.scorer->parts().networks;
  Corpus one_word;
  const std::int32_t unknown[] = {Vocabulary::kUnknown};
  one_word.append({}, unknown, {});
  if (networks != nullptr && !document_components(networks->members(), one_word, 0).empty()) return;
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
  for (std::size_t count = 0;
       (options.documents == 0 || count < options.documents) && reader.next(document);) {
    const PlacedText text = explainer.read(document);
    if (text.words.empty()) continue;
    sums.add(text);
    ++count;
    if (options.progress) options.progress(count);
  }
  return sums.report(options);
}

}  // namespace hmtc
