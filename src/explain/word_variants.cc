#include "explain/word_variants.h"

#include <numeric>

#include "base/logistic.h"

namespace hmtc {

WordNumbers all_words(std::size_t count) {
  WordNumbers numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

void append_some(const ReadDocument& document, const WordNumbers& numbers, Corpus& corpus) {
  std::vector<std::int32_t> words;
  for (const std::size_t number : numbers) words.push_back(document.words[number]);
  std::vector<std::int32_t> sentences;
  auto next = numbers.begin();
  std::size_t end = 0;
  for (const std::int32_t length : document.sentences) {
    end += static_cast<std::size_t>(length);
    const auto first = next;
    while (next != numbers.end() && *next < end) ++next;
    if (next != first) sentences.push_back(static_cast<std::int32_t>(next - first));
  }
  corpus.append({}, words, {}, sentences);
}

void VariantScores::add(const WordNumbers& words) {
  constexpr std::size_t kMostDocuments = 512;
  constexpr std::size_t kMostWords = 1 << 18;
  append_some(document_, words, waiting_);
  if (waiting_.size() >= kMostDocuments || waiting_.words.size() >= kMostWords) score_waiting();
}

std::vector<float> VariantScores::take() {
  score_waiting();
  return std::move(scores_);
}

void VariantScores::score_waiting() {
  if (waiting_.size() == 0) return;
  waiting_.max_words = model_.config.words_read();
  const ScoreSet set = model_.scorer->score(waiting_);
  for (std::size_t i = 0; i < set.num_documents; ++i) {
    for (const LabelId label : labels_) {
      scores_.push_back(set.combined[i * set.num_labels + static_cast<std::size_t>(label)]);
    }
  }
  waiting_ = {};
}

std::vector<std::vector<float>> leave_one_out(const LoadedModel& model,
                                              const ReadDocument& document,
                                              std::span<const LabelId> labels) {
  const WordNumbers all = all_words(document.words.size());
  VariantScores variants(model, document, labels);
  variants.add(all);
  for (std::size_t word = 0; word < all.size(); ++word) {
    WordNumbers others = all;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(word));
    variants.add(others);
  }
  const std::vector<float> scores = variants.take();
  std::vector<std::vector<float>> losses(labels.size());
  for (std::size_t label = 0; label < labels.size(); ++label) {
    const float whole = bounded_logit(scores[label]);
    for (std::size_t word = 0; word < all.size(); ++word) {
      losses[label].push_back(whole - bounded_logit(scores[(word + 1) * labels.size() + label]));
    }
  }
  return losses;
}

}  // namespace hmtc
