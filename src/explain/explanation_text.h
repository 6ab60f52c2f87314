#pragma once

#include <string>

#include "explain/explanation.h"

namespace hmtc {

struct ExplanationTextOptions {
  bool colours = false;        ///< the text of each label with its words lit up
  std::size_t most_words = 8;  ///< to be listed for a label
};

/// An explanation for a terminal.
std::string explanation_text(const Explanation& explanation, const ExplanationTextOptions& options);

/// The words with the greatest weights, the greatest first; those without weight are left out.
std::vector<std::size_t> best_words(const std::vector<float>& weights, std::size_t most);

}  // namespace hmtc
