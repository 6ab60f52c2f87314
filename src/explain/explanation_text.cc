#include "explain/explanation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "explain/greatest_first.h"
#include "explain/label_facts.h"
#include "text/unicode.h"

namespace hmtc {
namespace {

constexpr const char* kReset = "\x1b[0m";
constexpr const char* kBold = "\x1b[1m";
constexpr const char* kQuiet = "\x1b[2m";

/// Shades of the 256 colours that terminals have, the faintest first, each with black letters.
constexpr int kFor[] = {230, 229, 228, 221, 214, 208};
constexpr int kAgainst[] = {195, 159, 123, 117, 75, 69};

/// What makes a word light up by its share of the greatest weight; nothing for little ones.
std::string shade(float share) {
  constexpr float kFaintest = 0.08F;
  if (std::abs(share) < kFaintest) return {};
  const auto step = std::min<std::size_t>(static_cast<std::size_t>(std::abs(share) * 6), 5);
  return fmt::format("\x1b[38;5;16;48;5;{}m", (share > 0 ? kFor : kAgainst)[step]);
}

std::string lit_text(const Explanation& explanation, const std::vector<float>& weights) {
  const float greatest = greatest_amount(weights);
  std::string out;
  std::size_t done = 0;
  for (std::size_t i = 0; i < explanation.words.size(); ++i) {
    const WordPlace place = explanation.words[i];
    out += printable(std::string_view(explanation.text).substr(done, place.begin - done));
    const std::string colour = greatest > 0 ? shade(weights[i] / greatest) : "";
    out += colour;
    out += printable(explanation.word(i));
    if (!colour.empty()) out += kReset;
    done = place.end;
  }
  return out + printable(std::string_view(explanation.text).substr(done));
}

/// "yoga 0.31, spiritual 0.12": each word once, with the sum of its places.
std::string word_list(const Explanation& explanation, const std::vector<float>& weights,
                      std::size_t most) {
  std::vector<std::string_view> words;
  std::vector<float> sums;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto found = std::find(words.begin(), words.end(), explanation.word(i));
    const auto place = static_cast<std::size_t>(found - words.begin());
    if (found == words.end()) {
      words.push_back(explanation.word(i));
      sums.push_back(0);
    }
    sums[place] += weights[i];
  }
  std::string out;
  for (const std::size_t i : best_words(sums, most)) {
    out += fmt::format("{}{} {:.2f}", out.empty() ? "" : ", ", printable(words[i]), sums[i]);
  }
  return out.empty() ? "no word" : out;
}

}  // namespace

std::vector<std::size_t> best_words(const std::vector<float>& weights, std::size_t most) {
  std::vector<std::size_t> order = greatest_first(weights, most);
  std::erase_if(order, [&](std::size_t word) { return !(weights[word] > 0); });
  return order;
}

std::string explanation_text(const Explanation& explanation,
                             const ExplanationTextOptions& options) {
  const auto styled = [&](const char* style, const std::string& text) {
    return options.colours ? style + text + kReset : text;
  };
  std::string out;
  if (!explanation.id.empty()) out += styled(kBold, printable(explanation.id)) + "\n";
  if (explanation.labels.empty()) out += "no label\n";
  std::size_t level = 0;
  for (const LabelExplanation& label : explanation.labels) {
    if (label.level != level) {
      level = label.level;
      out += styled(kQuiet, fmt::format("level {}", level)) + "\n";
    }
    const std::string parts = parts_text(label);
    out += fmt::format(
        "  {:.3f}  {}{}{}\n", label.score, styled(kBold, printable(full_name(label))),
        parts.empty() ? "" : "  (" + parts + ")", label.predicted ? "" : "  not predicted");
    if (!label.votes.empty()) out += fmt::format("         votes: {}\n", votes_text(label));
    out += fmt::format("         {}: {}\n", name_of(explanation.method),
                       word_list(explanation, label.weights, options.most_words));
    if (!label.evidence.empty()) {
      out += fmt::format("         evidence: {}\n",
                         word_list(explanation, label.evidence, options.most_words));
    }
    if (!label.linear_weights.empty()) {
      out += fmt::format("         linear, {:.0f} % of the vote: {}\n",
                         100 * label.linear_share.value_or(0),
                         word_list(explanation, label.linear_weights, options.most_words));
    }
    if (options.colours) out += lit_text(explanation, label.weights) + "\n\n";
  }
  return out;
}

}  // namespace hmtc
