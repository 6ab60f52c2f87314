#include "explain/label_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hmtc {

namespace {

/// "name 0.500, other 0.250"; `format` is that of a number.
std::string listed(const std::vector<NamedNumber>& numbers,
                   fmt::format_string<const float&> format) {
  std::string text;
  for (const NamedNumber& one : numbers) {
    text += fmt::format("{}{} ", text.empty() ? "" : ", ", one.name);
    text += fmt::format(format, one.number);
  }
  return text;
}

}  // namespace

std::vector<NamedNumber> parts_of(const LabelExplanation& label) {
  std::vector<NamedNumber> parts;
  const auto add = [&](const char* name, const std::optional<float>& score) {
    if (score) parts.push_back({name, *score});
  };
  add("local", label.local);
  add("global", label.global);
  add("linear", label.linear);
  return parts;
}

std::string parts_text(const LabelExplanation& label) { return listed(parts_of(label), "{:.3f}"); }

std::string votes_text(const LabelExplanation& label) { return listed(label.votes, "{:+.2f}"); }

std::string full_name(const LabelExplanation& label) {
  return label.description.empty() ? label.label : label.label + " – " + label.description;
}

float greatest_amount(const std::vector<float>& weights) {
  float greatest = 0;
  for (const float weight : weights) greatest = std::max(greatest, std::abs(weight));
  return greatest;
}

}  // namespace hmtc
