#pragma once

#include <string>
#include <vector>

#include "explain/explanation.h"

namespace hmtc {

/// The scores that the label's own score comes from, as far as the model has them.
std::vector<NamedNumber> parts_of(const LabelExplanation& label);

/// "local 0.500, global 0.250"
std::string parts_text(const LabelExplanation& label);

/// "local +1.90, linear -0.27, shift +0.10"
std::string votes_text(const LabelExplanation& label);

/// The label and what the hierarchy calls it.
std::string full_name(const LabelExplanation& label);

/// The greatest weight by amount; 0 where there is none.
float greatest_amount(const std::vector<float>& weights);

}  // namespace hmtc
