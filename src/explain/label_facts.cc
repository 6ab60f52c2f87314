#include "explain/label_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hmtc {

std::vector<NamedScore> parts_of(const LabelExplanation& label) {
  std::vector<NamedScore> parts;
  const auto add = [&](const char* name, const std::optional<float>& score) {
    if (score) parts.push_back({name, *score});
  };
  add("local", label.local);
  add("global", label.global);
  add("linear", label.linear);
  return parts;
}

std::string parts_text(const LabelExplanation& label) {
  std::string text;
  for (const NamedScore& part : parts_of(label)) {
    text += fmt::format("{}{} {:.3f}", text.empty() ? "" : ", ", part.name, part.score);
  }
  return text;
}

std::string full_name(const LabelExplanation& label) {
  return label.description.empty() ? label.label : label.label + " – " + label.description;
}

float greatest_amount(const std::vector<float>& weights) {
  float greatest = 0;
  for (const float weight : weights) greatest = std::max(greatest, std::abs(weight));
  return greatest;
}

}  // namespace hmtc
