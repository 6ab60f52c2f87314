#include "experiment/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "config/config.h"

namespace hmtc {
namespace {

using Json = nlohmann::json;

/// Whether the value is one of that type; nlohmann would make -1 and 1.7 into any number.
template <typename Value>
bool holds(const Json& json) {
  if constexpr (std::is_same_v<Value, Json>) {
    return true;
  } else if constexpr (std::is_same_v<Value, std::string>) {
    return json.is_string();
  } else if constexpr (std::is_same_v<Value, bool>) {
    return json.is_boolean();
  } else if constexpr (std::is_same_v<Value, double>) {
    return json.is_number();
  } else if constexpr (std::is_integral_v<Value>) {
    if (json.is_number_unsigned()) return std::in_range<Value>(json.get<std::uint64_t>());
    return json.is_number_integer() && std::is_signed_v<Value>;
  } else {
    return json.is_array() &&
           std::all_of(json.begin(), json.end(), holds<typename Value::value_type>);
  }
}

/// An object of the file: every key is asked for once, and a key that nobody asks for is a mistake.
class Section {
 public:
  Section(const Json& json, std::string name, std::string file)
      : json_(json), name_(std::move(name)), file_(std::move(file)) {
    if (!json.is_object()) throw complain("", "an object", json);
  }

  /// The value, or `otherwise` when the file does not have it.
  template <typename Value>
  Value get(const std::string& key, const char* expected, Value otherwise) {
    const Json* value = find(key);
    return value == nullptr ? otherwise : convert<Value>(key, expected, *value);
  }

  template <typename Value>
  Value require(const std::string& key, const char* expected) {
    const Json* value = find(key);
    if (value == nullptr) {
      throw input_error({file_}, {path(key) + ", " + expected, "no such key", "add it"});
    }
    return convert<Value>(key, expected, *value);
  }

  const Json* find(const std::string& key) {
    known_.insert(key);
    const auto found = json_.find(key);
    return found == json_.end() ? nullptr : &*found;
  }

  /// Configuration keys with their values, checked against what a model accepts.
  Settings settings(const std::string& key) {
    const Json* value = find(key);
    return value == nullptr ? Settings() : settings_of(*value, key);
  }

  std::vector<Settings> trials(const std::string& key) {
    const Json* list = find(key);
    std::vector<Settings> trials;
    if (list == nullptr) return trials;
    if (!list->is_array()) throw complain(key, "a list of settings", *list);
    for (const Json& trial : *list) trials.push_back(settings_of(trial, key));
    return trials;
  }

  void refuse_other_keys() const {
    for (const auto& [key, value] : json_.items()) {
      if (known_.contains(key)) continue;
      throw input_error({file_}, {fmt::format("one of the keys {}", fmt::join(known_, ", ")),
                                  path(key), "see docs/formats.md"});
    }
  }

 private:
  std::string path(const std::string& key) const {
    return name_.empty() || key.empty() ? name_ + key : name_ + "." + key;
  }

  Error complain(const std::string& key, const std::string& expected, const Json& found) const {
    const std::string place = path(key);
    return input_error({file_}, {place.empty() ? expected : place + " to be " + expected,
                                 in_quotes(found.dump()), "see docs/formats.md"});
  }

  template <typename Value>
  Value convert(const std::string& key, const char* expected, const Json& value) const {
    if (!holds<Value>(value)) throw complain(key, expected, value);
    return value.get<Value>();
  }

  void refuse_what_the_file_decides(const std::string& key, const std::string& name) const {
    for (const auto& [setting, instead] :
         {std::pair{"train.seed", "seeds"}, {"train.threads", "threads"}}) {
      if (name != setting) continue;
      throw input_error({file_}, {path(key) + " without what is one for all rows", name,
                                  fmt::format("give it as \"{}\" of the file", instead)});
    }
  }

  Settings settings_of(const Json& json, const std::string& key) const {
    if (!json.is_object()) throw complain(key, "an object of configuration keys", json);
    Settings settings;
    for (const auto& [name, value] : json.items()) {
      if (value.is_structured()) throw complain(key + "." + name, "a single value", value);
      refuse_what_the_file_decides(key, name);
      settings[name] = value.is_string() ? value.get<std::string>() : value.dump();
      try {
        Config().set(name, settings[name]);
      } catch (const Error& error) {
        throw Error(ErrorKind::kInput, fmt::format("{}: {}: {}", file_, path(key), error.what()));
      }
    }
    return settings;
  }

  const Json& json_;
  std::string name_;
  std::string file_;
  std::set<std::string> known_;
};

PlanData read_data(const Json& json, const std::string& file) {
  Section section(json, "data", file);
  PlanData data;
  data.description = section.require<std::string>("description", "a sentence");
  data.directory = section.get<std::string>("directory", "a path", "");
  data.import = section.get<std::vector<std::string>>("import", "a list of arguments", {});
  data.seed_decides_split = section.get<bool>("seed_decides_split", "true or false", false);
  data.train_documents = section.get<std::size_t>("train_documents", "a whole number", 0);
  section.refuse_other_keys();
  if (data.directory.empty() == data.import.empty()) {
    throw input_error({file}, {"data.directory or data.import, one of the two",
                               data.directory.empty() ? "neither" : "both", "keep one"});
  }
  return data;
}

PlanRow read_row(const Json& json, std::size_t number, const std::vector<Settings>& trials,
                 const std::string& file) {
  Section section(json, fmt::format("rows[{}]", number), file);
  PlanRow row;
  row.name = section.require<std::string>("name", "a text");
  row.model = section.require<std::string>("model", "the name of a model");
  row.settings = section.settings("settings");
  row.trials = section.trials("trials");
  const bool is_neural = row.model != "linear";  // which chooses its own strength
  if (row.trials.empty() && is_neural) row.trials = trials;
  if (section.find("paper") != nullptr) row.paper = section.require<double>("paper", "a number");
  row.note = section.get<std::string>("note", "a text", "");
  row.teacher = section.get<std::string>("teacher", "the name of a row", "");
  section.refuse_other_keys();
  if (file_name_of(row.name).empty()) {
    throw input_error({file}, {fmt::format("rows[{}].name with a letter or digit", number),
                               in_quotes(row.name), "name it otherwise"});
  }
  return row;
}

/// A teacher is a row that learns from labels alone, so that there is no circle.
void check_teacher(const Plan& plan, const PlanRow& row, const std::string& file) {
  if (row.teacher.empty()) return;
  if (row.model == "linear") {
    throw input_error({file}, {"a teacher for networks alone", in_quotes(row.name),
                               "leave its teacher out: the linear model learns from labels"});
  }
  const auto teacher = std::find_if(plan.rows.begin(), plan.rows.end(), [&](const PlanRow& other) {
    return other.name == row.teacher;
  });
  if (teacher != plan.rows.end() && teacher->teacher.empty()) return;
  throw input_error(
      {file}, {fmt::format("the teacher of {} to be a row without a teacher", in_quotes(row.name)),
               in_quotes(row.teacher), "name another row"});
}

void check_rows(const Plan& plan, const std::string& file) {
  if (plan.rows.empty()) throw input_error({file}, {"at least one row", "none", "add one"});
  std::set<std::string> names;
  const PlanRow* first = nullptr;  // the first neural one
  for (const PlanRow& row : plan.rows) {
    if (!names.insert(file_name_of(row.name)).second) {
      throw input_error({file}, {"rows with names of their own", in_quotes(row.name) + " twice",
                                 "name one otherwise"});
    }
    if (row.model == "linear") continue;
    if (first == nullptr) first = &row;
    if (row.trials.size() != first->trials.size()) {
      throw input_error({file}, {"as many trials for every neural row",
                                 fmt::format("{} for {} and {} for {}", row.trials.size(), row.name,
                                             first->trials.size(), first->name),
                                 "give each as many, so that the comparison is fair"});
    }
  }
  for (const PlanRow& row : plan.rows) check_teacher(plan, row, file);
  const bool has_reference = std::any_of(plan.rows.begin(), plan.rows.end(), [&](const auto& row) {
    return row.name == plan.reference;
  });
  if (!has_reference) {
    throw input_error({file}, {"reference to be the name of a row", in_quotes(plan.reference),
                               "name one of the rows"});
  }
}

}  // namespace

Plan read_plan(const std::filesystem::path& file) {
  const std::string text = read_file(file);
  Json json;
  try {
    json = parse_json<Json>(text, /*comments=*/true);
  } catch (const std::exception& error) {
    throw input_error({file.string()}, {"JSON (comments are allowed)", error.what(), "mend it"});
  }
  Section section(json, "", file.string());
  Plan plan;
  plan.title = section.require<std::string>("title", "a text");
  plan.data = read_data(section.require<Json>("data", "an object"), file.string());
  plan.wants_embeddings = section.get<bool>("embeddings", "true or false", false);
  plan.settings = section.settings("settings");
  plan.seeds = section.require<std::vector<std::int64_t>>("seeds", "a list of whole numbers");
  plan.threads = section.get<std::int64_t>("threads", "a whole number", 1);
  plan.minutes = section.get<double>("minutes", "a number", 0);
  const std::vector<Settings> trials = section.trials("trials");
  const auto rows = section.require<std::vector<Json>>("rows", "a list");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    plan.rows.push_back(read_row(rows[i], i, trials, file.string()));
  }
  plan.reference = section.get<std::string>("reference", "the name of a row",
                                            plan.rows.empty() ? "" : plan.rows.front().name);
  section.refuse_other_keys();
  if (plan.seeds.empty()) {
    throw input_error({file.string()}, {"at least one seed", "none", "add one"});
  }
  if (std::set(plan.seeds.begin(), plan.seeds.end()).size() < plan.seeds.size()) {
    throw input_error({file.string()}, {"seeds that differ", "one twice", "remove one"});
  }
  for (const std::int64_t seed : plan.seeds) {
    try {
      Config().set("train.seed", std::to_string(seed));
    } catch (const Error& error) {
      throw Error(ErrorKind::kInput, fmt::format("{}: seeds: {}", file.string(), error.what()));
    }
  }
  if (plan.threads < 1) {
    throw input_error({file.string()},
                      {"threads of a run, 1 or more", std::to_string(plan.threads), "set it to 1"});
  }
  if (plan.minutes < 0) {
    throw input_error({file.string()}, {"minutes for a run, 0 for no limit",
                                        fmt::format("{}", plan.minutes), "leave it out"});
  }
  check_rows(plan, file.string());
  return plan;
}

Settings merged(Settings settings, const Settings& over) {
  for (const auto& [key, value] : over) settings[key] = value;
  return settings;
}

Config defaults_under(const std::string& model, const Settings& settings) {
  const auto profile = settings.find("model.profile");
  if (profile == settings.end()) return default_config(model);
  Config config;
  config.set("model.profile", profile->second);
  return default_config(model, config.model.profile);
}

Config config_of(const std::string& model, const Settings& settings) {
  Config config = defaults_under(model, settings);
  for (const auto& [key, value] : settings) config.set(key, value);
  return config;
}

std::string file_name_of(const std::string& name) {
  std::string safe;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const bool capital = c >= 'A' && c <= 'Z';
    if (letter) {
      safe += c;
    } else if (capital) {
      safe += static_cast<char>(c - 'A' + 'a');
    } else if (!safe.empty() && safe.back() != '-') {
      safe += '-';
    }
  }
  while (!safe.empty() && safe.back() == '-') safe.pop_back();
  return safe;
}

}  // namespace hmtc
