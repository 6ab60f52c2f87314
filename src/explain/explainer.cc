#include "explain/explainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/logistic.h"
#include "explain/components_of_text.h"
#include "explain/linear_words.h"
#include "explain/network_words.h"
#include "explain/word_variants.h"
#include "predict/predict_stream.h"

namespace hmtc {
namespace {

/// All that the corpus has of it, of which a network may read less than a linear model.
ReadDocument whole_document(const Corpus& corpus, std::size_t document) {
  const auto sentences = corpus.sentences_of(document);
  const auto place = [&](std::size_t i) {
    return corpus.words.begin() + static_cast<std::ptrdiff_t>(corpus.word_offsets[i]);
  };
  return {{place(document), place(document + 1)}, {sentences.begin(), sentences.end()}};
}

/// One row of weights per label, one weight per word.
void fill_up(WordWeights& weights, std::size_t num_words) {
  for (auto& row : weights) row.resize(num_words, 0.0F);
}

void check_size(std::size_t weights, std::size_t most) {
  if (most == 0 || weights <= most) return;
  throw TooManyWeights(
      ErrorKind::kInput,
      fmt::format("expected an explanation of at most {} weights (labels times words), found {}; "
                  "ask for fewer labels, or send a part of the text",
                  most, weights));
}

std::optional<float> entry(const std::vector<float>& scores, LabelId label) {
  if (scores.empty()) return {};
  return scores[static_cast<std::size_t>(label)];
}

}  // namespace

Explainer::Explainer(const LoadedModel& model)
    : model_(model),
      splitter_(
          model.config.text,
          [&model](std::string_view word) { return model.vocabulary.find(word); },
          model.read_options().sentences),
      own_method_(WordMethod::kCoefficient),
      has_evidence_(false) {
  const Ensemble* networks = model.scorer->parts().networks;
  if (networks == nullptr) return;
  const Network& network = *networks->members().front();
  own_method_ = network.has_attention() ? WordMethod::kAttention : WordMethod::kLeaveOneOut;
  has_evidence_ = network.has_evidence();
}

bool Explainer::has(WordMethod method) const {
  const ScorerParts parts = model_.scorer->parts();
  if (method == WordMethod::kCoefficient) return parts.linear != nullptr;
  if (method == WordMethod::kLeaveOneOut) return true;
  if (method == WordMethod::kEvidence) return has_evidence_;
  return own_method_ == WordMethod::kAttention;
}

PlacedText Explainer::read(const Document& document) {
  return splitter_.split_with_places(document, model_.read_options().words_kept());
}

std::vector<std::vector<float>> Explainer::word_weights(WordMethod method, const Corpus& corpus,
                                                        std::size_t document,
                                                        std::span<const LabelId> labels) {
  const ScorerParts parts = model_.scorer->parts();
  const std::size_t begin = corpus.word_offsets[document];
  const std::size_t num_words = corpus.word_offsets[document + 1] - begin;
  WordWeights weights;
  switch (method) {
    case WordMethod::kAttention:
      weights = attention_words(parts.networks->members(), corpus, document, labels).attention;
      break;
    case WordMethod::kEvidence:
      weights = attention_words(parts.networks->members(), corpus, document, labels).evidence;
      break;
    case WordMethod::kLeaveOneOut:
      weights = leave_one_out(model_, whole_document(corpus, document), labels);
      break;
    case WordMethod::kCoefficient:
      weights =
          linear_words(*parts.linear, std::span(corpus.words).subspan(begin, num_words), labels);
      break;
  }
  fill_up(weights, num_words);
  return weights;
}

std::vector<LabelId> Explainer::labels_to_explain(std::span<const float> scores,
                                                  const ExplainOptions& options) const {
  const Hierarchy& hierarchy = model_.hierarchy;
  if (options.level && (*options.level < 1 || *options.level > hierarchy.num_levels())) {
    throw Error(ErrorKind::kUsage, fmt::format("expected a level from 1 to {}, found {}",
                                               hierarchy.num_levels(), *options.level));
  }
  std::vector<LabelId> ids =
      options.labels.empty() ? predicted_labels(scores, options.predicted) : asked_labels(options);
  if (options.level) {
    std::erase_if(ids, [&](LabelId id) { return hierarchy.level_of(id) + 1 != *options.level; });
  }
  std::stable_sort(ids.begin(), ids.end(), [&](LabelId a, LabelId b) {
    const auto level_a = hierarchy.level_of(a), level_b = hierarchy.level_of(b);
    if (level_a != level_b) return level_a < level_b;
    return scores[static_cast<std::size_t>(a)] > scores[static_cast<std::size_t>(b)];
  });
  return ids;
}

std::vector<LabelId> Explainer::asked_labels(const ExplainOptions& options) const {
  const Hierarchy& hierarchy = model_.hierarchy;
  std::vector<LabelId> ids;
  for (const std::string& name : options.labels) {
    const LabelId id = hierarchy.find(name);
    if (id < 0) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("expected a label of the model, found {}; `hmtc inspect MODEL` shows "
                              "its labels",
                              in_quotes(name)));
    }
    if (const std::size_t level = hierarchy.level_of(id) + 1;
        level != options.level.value_or(level)) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("expected labels of level {}, found {} of level {}; leave out one of "
                              "the two",
                              *options.level, in_quotes(name), level));
    }
    ids.push_back(id);
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

std::vector<LabelId> Explainer::predicted_labels(std::span<const float> scores,
                                                 const PredictOptions& options) const {
  std::vector<LabelId> ids;
  for (const LabelScore& label : chosen_labels(model_, scores, options)) {
    ids.push_back(model_.hierarchy.find(label.label));
  }
  return ids;
}

std::vector<LabelExplanation> Explainer::described(std::span<const LabelId> labels,
                                                   const ScoreSet& scores,
                                                   std::span<const float> final_scores,
                                                   const PredictOptions& options) const {
  std::vector<bool> is_predicted(final_scores.size(), false);
  for (const LabelId id : predicted_labels(final_scores, options)) {
    is_predicted[static_cast<std::size_t>(id)] = true;
  }
  std::vector<LabelExplanation> explanations;
  for (const LabelId id : labels) {
    const auto place = static_cast<std::size_t>(id);
    explanations.push_back({.id = id,
                            .label = model_.hierarchy.name(id),
                            .description = model_.hierarchy.description(id),
                            .level = model_.hierarchy.level_of(id) + 1,
                            .predicted = is_predicted[place],
                            .score = final_scores[place],
                            .local = entry(scores.local, id),
                            .global = entry(scores.global, id),
                            .linear = entry(scores.wide, id),
                            .votes = {},
                            .linear_share = {},
                            .weights = {},
                            .evidence = {},
                            .linear_weights = {}});
  }
  return explanations;
}

void Explainer::add_words(const Corpus& corpus, std::span<const LabelId> labels,
                          bool with_components, Explanation& explanation) {
  AttentionWords words;
  if (own_method_ == WordMethod::kAttention) {
    words = attention_words(model_.scorer->parts().networks->members(), corpus, 0, labels);
  }
  WordWeights weights = own_method_ == WordMethod::kAttention
                            ? std::move(words.attention)
                            : word_weights(own_method_, corpus, 0, labels);
  fill_up(weights, explanation.words.size());
  fill_up(words.evidence, explanation.words.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    explanation.labels[i].weights = std::move(weights[i]);
    if (has_evidence_) explanation.labels[i].evidence = std::move(words.evidence[i]);
  }
  if (with_components) {
    explanation.components = components_of_text(words.components, model_.hierarchy, explanation);
  }
}

void Explainer::add_votes(std::span<const LabelId> labels, const ScoreSet& scores,
                          Explanation& explanation) const {
  const Fusion* const fusion = model_.scorer->parts().fusion;
  if (fusion == nullptr) return;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    LabelExplanation& label = explanation.labels[i];
    const auto id = static_cast<std::size_t>(labels[i]);
    const auto weights = fusion->weights_of(id);
    const float shift = fusion->shifts[id];
    if (label.local && label.global) {
      label.votes.push_back({"local", weights[0] * bounded_logit(*label.local)});
      label.votes.push_back({"global", weights[1] * bounded_logit(*label.global)});
    }
    std::optional<float> of_linear;
    if (label.linear) of_linear = weights.back() * bounded_logit(*label.linear);
    if (label.votes.empty()) {  // a network of one classifier, whose own score was fused away
      const float all = bounded_logit(scores.combined[id]);
      label.votes.push_back({"network", all - shift - of_linear.value_or(0)});
    }
    if (of_linear) {
      float of_network = 0;
      for (const NamedNumber& vote : label.votes) of_network += vote.number;
      const float sum = std::abs(*of_linear) + std::abs(of_network);
      label.linear_share = sum > 0 ? std::abs(*of_linear) / sum : 0.0F;
      label.votes.push_back({"linear", *of_linear});
    }
    label.votes.push_back({"shift", shift});
  }
}

void Explainer::add_linear_words(const Corpus& corpus, std::span<const LabelId> labels,
                                 Explanation& explanation) const {
  const ScorerParts parts = model_.scorer->parts();
  if (parts.fusion == nullptr || parts.linear == nullptr) return;
  WordWeights words = linear_words(*parts.linear, corpus.words, labels);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    // The linear model is the last of the classifiers of a level.
    const float weight = parts.fusion->weights_of(static_cast<std::size_t>(labels[i])).back();
    for (float& of_word : words[i]) of_word *= weight;
    explanation.labels[i].linear_weights = std::move(words[i]);
  }
}

Explanation Explainer::explain(const Document& document, const ExplainOptions& options) {
  PlacedText text = read(document);
  Corpus corpus;
  corpus.max_words = model_.config.words_read();
  corpus.append(document.id, text.words, {}, text.sentences);
  const ScoreSet scores = model_.scorer->score(corpus);
  std::vector<float> final_scores = scores.combined;
  if (options.predicted.coherent) model_.hierarchy.make_coherent(final_scores);
  const std::vector<LabelId> labels = labels_to_explain(final_scores, options);
  check_size(labels.size() * text.words.size(), options.most_weights);

  Explanation explanation{.id = document.id,
                          .text = text_of(document),
                          .method = own_method_,
                          .words = std::move(text.places),
                          .labels = described(labels, scores, final_scores, options.predicted),
                          .scores = {},
                          .components = {}};
  add_words(corpus, labels, options.components, explanation);
  add_votes(labels, scores, explanation);
  add_linear_words(corpus, labels, explanation);
  if (options.all_scores) {
    for (std::size_t id = 0; id < final_scores.size(); ++id) {
      explanation.scores.emplace_back(model_.hierarchy.name(static_cast<LabelId>(id)),
                                      final_scores[id]);
    }
  }
  return explanation;
}

}  // namespace hmtc
