#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hmtc/document.h"
#include "hmtc/export.h"
#include "hmtc/label.h"
#include "hmtc/predict_options.h"

namespace hmtc {

/// Labels times words of an explanation that an answer over a network has room for: 20 MB of JSON.
inline constexpr std::size_t kMostWeights = 500'000;

/// What is to be explained.
struct ExplainOptions {
  std::vector<std::string> labels = {};     ///< by name; none: those that predict gives
  PredictOptions predicted = {};            ///< which those are
  std::optional<std::size_t> level = {};    ///< labels of this level only, counted from 1
  bool all_scores = false;                  ///< the scores of all labels beside
  bool components = false;                  ///< those of LA-HCN beside
  std::size_t most_weights = kMostWeights;  ///< labels times words; 0: any number
};

/// How words get their weights for a label.
enum class WordMethod {
  kAttention,    ///< what the network gives each word; from 0 on, the sum is 1
  kEvidence,     ///< what the word adds to the logit of the network's local classifier; signed
  kLeaveOneOut,  ///< what the logit of the label's score loses without the word; signed
  kCoefficient,  ///< what the word adds to the logit of a linear model; signed
};

/// As JSON has it.
constexpr const char* name_of(WordMethod method) {
  switch (method) {
    case WordMethod::kAttention:
      return "attention";
    case WordMethod::kEvidence:
      return "evidence";
    case WordMethod::kLeaveOneOut:
      return "leave-one-out";
    case WordMethod::kCoefficient:
      return "coefficient";
  }
  return "";
}

/// What a part of the model says of a label.
struct NamedNumber {
  const char* name = "";
  float number = 0;
};

/// One label of a document, and which words speak for it.
struct LabelExplanation {
  LabelId id = 0;
  std::string label;
  std::string description;  ///< empty where the hierarchy has none
  std::size_t level = 1;    ///< counted from 1
  bool predicted = false;   ///< among the labels that predict gives
  float score = 0;          ///< as predict gives it
  /// What the classifiers say one by one, where the model has them.
  std::optional<float> local, global, linear;
  /// What "local" and "global" or else "network", "linear", and the "shift" add to the logit of the
  /// score before the max constraint; empty unless the model puts them together by weights.
  std::vector<NamedNumber> votes;
  /// Of the logits that network and linear model put together, by amount, the linear model's part.
  std::optional<float> linear_share;
  std::vector<float> weights;         ///< one per word, by the explanation's method
  std::vector<float> evidence;        ///< one per word, WordMethod::kEvidence; or empty
  std::vector<float> linear_weights;  ///< one per word, in logits of the score; or empty
};

/// A component of a level and what of this document is near it.
struct ComponentExplanation {
  std::size_t level = 1;
  std::size_t component = 1;  ///< counted from 1
  float use = 0;              ///< its share in the explained labels of the level
  std::vector<std::pair<std::size_t, float>>
      words;  ///< number of the word and relevance, best first
  std::vector<std::pair<std::string, float>> labels;  ///< label and association, best first
};

/// Why a document got its labels.
struct Explanation {
  std::string id;
  std::string text;  ///< as it came; tokens joined by a blank
  WordMethod method = WordMethod::kAttention;
  std::vector<WordPlace> words;                       ///< in the text, of the words that were read
  std::vector<LabelExplanation> labels;               ///< level by level, the best first
  std::vector<std::pair<std::string, float>> scores;  ///< of every label, if asked for
  std::vector<ComponentExplanation> components;       ///< if asked for and the model has them

  /// The bytes of a word as they stand in the text.
  std::string_view word(std::size_t number) const {
    const WordPlace place = words[number];
    return std::string_view(text).substr(place.begin, place.end - place.begin);
  }
};

/// One line of JSON, without the line's end, as `hmtc explain --json` prints it (docs/formats.md).
HMTC_API std::string to_json(const Explanation& explanation);

}  // namespace hmtc
