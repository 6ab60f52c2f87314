#include "config/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/files.h"
#include "base/json.h"
#include "base/strings.h"

namespace hmtc {
namespace {

using Json = nlohmann::ordered_json;

/// Levenshtein distance, for "did you mean".
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

Json value_as_json(const Field& field) {
  return std::visit(
      [&](const auto& value) -> Json {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, Choice>) {
          return value.names[value.get()];
        } else if constexpr (std::is_same_v<Value, std::optional<std::int64_t>*>) {
          return *value ? Json(**value) : Json(to_text(field));
        } else {
          return *value;
        }
      },
      field.value);
}

/// A single value as the text that a user would write.
std::string as_text(const std::string& key, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_structured()) return value.dump();
  throw Error(ErrorKind::kUsage,
              fmt::format("configuration key {}: expected a value or a list of values, found "
                          "something nested; see `hmtc config`",
                          key));
}

/// A comment begins with # at the beginning of the line or behind a blank.
std::string_view without_comment(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '#' && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t')) {
      return line.substr(0, i);
    }
  }
  return line;
}

void set_from_lines(Config& config, const std::string& content, const std::string& path) {
  std::istringstream lines(content);
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    const std::string assignment(trim(without_comment(line)));
    if (assignment.empty()) continue;
    try {
      config.set(assignment);
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("{}:{}: {}", path, number, error.what()));
    }
  }
}

struct ModelDefault {
  const char* model;
  const char* key;
  const char* value;
};

constexpr ModelDefault kModelDefaults[] = {
    {"la-hcn", "model.profile", "plus"},          {"capsule", "encoder.kind", "embedding"},
    {"capsule", "train.learning_rate", "0.0005"}, {"capsule", "train.max_words", "100"},
    {"han", "encoder.kind", "embedding"},         {"harnn", "train.clip_norm", "1.25"},
    {"harnn", "train.decay_steps", "500"},        {"linear", "train.refit", "true"},
};

/// What the profile `plus` changes beside the equations, which are those of `reference`.
constexpr std::pair<const char*, const char*> kPlusDefaults[] = {
    // A narrow Bi-LSTM beside the words' own vectors: it adds their order, and takes nothing away.
    {"encoder.lstm_width", "64"},
    {"encoder.residual", "true"},
    {"encoder.dropout_place", "embedding"},
    {"encoder.subword_vectors", "true"},
    {"train.average", "0.999"},
    {"train.word_dropout", "0.1"},
    {"train.refit", "true"},
    {"fusion.wide", "true"},
    {"fusion.calibrate", "true"},
    {"fusion.by_frequency", "true"},
};

}  // namespace

Config default_config(const std::string& model, std::optional<Profile> profile) {
  Config config;
  config.model.name = model;
  for (const ModelDefault& own : kModelDefaults) {
    if (own.model == model) config.set(own.key, own.value);
  }
  if (profile) config.model.profile = *profile;
  if (config.model.profile == Profile::kPlus && model != "linear") {  // which has no network
    for (const auto& [key, value] : kPlusDefaults) config.set(key, value);
  }
  return config;
}

std::vector<std::string> all_settings(Config config) {
  std::vector<std::string> settings;
  for (const Field& field : config.fields()) settings.push_back(field.key + ("=" + to_text(field)));
  return settings;
}

std::vector<std::string> changed_settings(const Config& config) {
  const std::vector<std::string> all = all_settings(config);
  const std::vector<std::string> plain = all_settings({});
  std::vector<std::string> changed;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] != plain[i]) changed.push_back(all[i]);
  }
  return changed;
}

std::vector<Field> Config::fields() {
  std::vector<Field> all;
  const auto append = [&all](std::vector<Field> part) {
    std::move(part.begin(), part.end(), std::back_inserter(all));
  };
  append(data.fields());
  append(text.fields());
  append(encoder.fields());
  append(model.fields());
  append(hmcn.fields());
  append(capsule.fields());
  append(han.fields());
  append(train.fields());
  append(linear.fields());
  append(fusion.fields());
  return all;
}

void Config::set(const std::string& key, const std::string& text_value) {
  std::vector<Field> all = fields();
  set_from_text(find_field(all, key, text_value), text_value);
}

void Config::set_list(const std::string& key, const std::vector<std::string>& items) {
  std::vector<Field> all = fields();
  set_from_items(find_field(all, key, ""), items);
}

Field& Config::find_field(std::vector<Field>& all, const std::string& key,
                          const std::string& text_value) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Field& field) { return field.key == key; });
  if (found == all.end() && key == "model.name") {
    throw Error(
        ErrorKind::kUsage,
        fmt::format("model.name is no key to set; name the model with --model {}", text_value));
  }
  if (found == all.end()) {
    const auto nearest =
        std::min_element(all.begin(), all.end(), [&](const Field& a, const Field& b) {
          return distance(a.key, key) < distance(b.key, key);
        });
    throw Error(
        ErrorKind::kUsage,
        fmt::format("unknown configuration key {}; did you mean {}? `hmtc config` lists all",
                    in_quotes(key), nearest->key));
  }
  return *found;
}

std::pair<std::string, std::string> parse_assignment(const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos) {
    throw Error(ErrorKind::kUsage, fmt::format("expected key=value, found {}; for example "
                                               "train.epochs=10",
                                               in_quotes(assignment)));
  }
  const std::string_view whole(assignment);
  return {std::string(trim(whole.substr(0, equals))), std::string(trim(whole.substr(equals + 1)))};
}

void Config::set(const std::string& assignment) {
  const auto [key, value] = parse_assignment(assignment);
  set(key, value);
}

std::size_t Config::words_read() const {
  return model.name == "linear" ? 0 : static_cast<std::size_t>(train.max_words);
}

std::string to_json(Config config) {
  Json json;
  json["model"]["name"] = config.model.name;
  for (const Field& field : config.fields()) {
    const std::size_t dot = field.key.find('.');
    json[field.key.substr(0, dot)][field.key.substr(dot + 1)] = value_as_json(field);
  }
  return json.dump(2) + "\n";
}

void set_from_json(Config& config, const std::string& text, const std::string& file) {
  Json json;
  try {
    json = parse_json<Json>(text);
  } catch (const std::exception& error) {
    throw Error(ErrorKind::kUsage,
                fmt::format("{}: expected JSON, found an error: {}; mend it", file, error.what()));
  }
  const bool nested =
      json.is_object() &&
      std::all_of(json.begin(), json.end(), [](const Json& part) { return part.is_object(); });
  if (!nested) {
    throw Error(ErrorKind::kUsage,
                file +
                    ": expected a JSON object of objects, found something else; write "
                    "{\"train\": {\"epochs\": 10}}");
  }
  for (const auto& [group, part] : json.items()) {
    for (const auto& [name, value] : part.items()) {
      if (group == "model" && name == "name" && value.is_string()) {
        config.model.name = value.get<std::string>();
        continue;
      }
      try {
        const std::string key = group + "." + name;
        if (value.is_array()) {
          std::vector<std::string> items;
          for (const Json& item : value) items.push_back(as_text(key, item));
          config.set_list(key, items);
        } else {
          config.set(key, as_text(key, value));
        }
      } catch (const Error& error) {
        throw Error(error.kind(), file + ": " + error.what());
      }
    }
  }
}

namespace {

void set_from_text(Config& config, std::string_view content, const std::string& path) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (content.starts_with(kByteOrderMark)) content.remove_prefix(kByteOrderMark.size());
  if (trim(content).starts_with("{")) {
    set_from_json(config, std::string(content), path);
  } else {
    set_from_lines(config, std::string(content), path);
  }
}

}  // namespace

Config config_from(const std::string& model, const std::string& file,
                   const std::vector<std::string>& assignments) {
  const std::string content = file.empty() ? "" : read_file(file);  // once: it may be a pipe
  const auto with_settings = [&](Config config) {
    if (!file.empty()) set_from_text(config, content, file);
    for (const std::string& assignment : assignments) config.set(assignment);
    if (!model.empty()) config.model.name = model;
    return config;
  };
  // The name decides the profile unless that is set, and both decide the defaults.
  const std::string name =
      model.empty() ? with_settings(default_config(Config().model.name)).model.name : model;
  const Profile profile = with_settings(default_config(name)).model.profile;
  return with_settings(default_config(name, profile));
}

}  // namespace hmtc
