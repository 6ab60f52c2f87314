#include "experiment/provenance.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/strings.h"
#include "config/config.h"
#include "experiment/plan.h"

namespace hmtc {
namespace {

using Strings = std::vector<std::string>;

/// What programs did that did not know these settings, whose results do not name them.
const std::pair<std::string, std::string> kBeforeTheyWereSettings[] = {
    {"train.teacher_splices", "0"},
    {"fusion.by_frequency", "false"},
};

Strings recipe_parts(std::string_view recipe) {
  Strings parts;
  for (const std::string_view field : split_fields(recipe, ',')) {
    const std::string_view part = trim(field);
    if (!part.starts_with("defaults: ")) {
      parts.emplace_back(part);
      continue;
    }
    for (const std::string_view setting : split_words(part)) parts.emplace_back(setting);
  }
  return parts;
}

/// The first part of each that the other has not at the same place, in quotes.
std::pair<std::string, std::string> first_difference(const Strings& a, const Strings& b) {
  const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return {in_a == a.end() ? "nothing" : in_quotes(*in_a),
          in_b == b.end() ? "nothing" : in_quotes(*in_b)};
}

/// Another version may have had other defaults.
void require_same_defaults(const RunResult& result, const Strings& now, const std::string& file) {
  Settings then(std::begin(kBeforeTheyWereSettings), std::end(kBeforeTheyWereSettings));
  for (const std::string& setting : result.all_settings) {
    const auto [key, value] = parse_assignment(setting);
    then[key] = value;
  }
  for (const std::string& setting : now) {
    const auto [key, value] = parse_assignment(setting);
    const auto found = then.find(key);
    if (found == then.end() || found->second == value) continue;
    throw Error(ErrorKind::kUsage,
                fmt::format("{} was made with {}={}, now it is {}; choose another --out, delete it "
                            "to run it again, or name the value in the experiment",
                            file, key, found->second, in_quotes(value)));
  }
}

}  // namespace

void require_same_provenance(const RunResult& result, const Provenance& now,
                             const std::string& file) {
  const auto require_same = [&](const char* reason, const Strings& then, const Strings& wanted) {
    if (then == wanted) return;
    const auto [thens, wants] = first_difference(then, wanted);
    throw Error(ErrorKind::kUsage,
                fmt::format("{} was made {} ({}, now {}); choose another --out, or delete it to "
                            "run it again",
                            file, reason, thens, wants));
  };
  require_same("by another experiment", {result.experiment}, {now.experiment});
  require_same("by another model", {result.model}, {now.model});
  require_same("with other settings", result.settings, now.settings);
  // Results of older versions have no recipe, or one without the model's defaults.
  if (!result.recipe.empty() && result.recipe != now.recipe_without_defaults)
    require_same("from other data or defaults", recipe_parts(result.recipe),
                 recipe_parts(now.recipe));
  require_same_defaults(result, now.all_settings, file);
}

}  // namespace hmtc
