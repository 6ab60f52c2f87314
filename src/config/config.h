#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "config/options.h"

namespace hmtc {

/// Everything that can be set for a run; saved as config.json inside the model.
struct Config {
  DataOptions data;
  TextOptions text;
  EncoderOptions encoder;
  ModelOptions model;
  HmcnOptions hmcn;
  CapsuleOptions capsule;
  HanOptions han;
  TrainOptions train;
  LinearOptions linear;
  FusionOptions fusion;

  /// All keys, bound to this object: valid as long as it stays where it is.
  std::vector<Field> fields();

  /// Sets one key. Throws kUsage; for an unknown key it names the nearest one.
  void set(const std::string& key, const std::string& text);
  /// Sets a list, whose items may hold commas.
  void set_list(const std::string& key, const std::vector<std::string>& items);
  /// Sets from "key=value", as --set has it. Throws as above, and as parse_assignment().
  void set(const std::string& assignment);

  /// Whether the model knows sentences.
  bool reads_sentences() const { return model.name == "han"; }

  /// How many words of a document the model reads; 0: all. The linear model has no reason to cut.
  std::size_t words_read() const;

 private:
  static Field& find_field(std::vector<Field>& all, const std::string& key,
                           const std::string& text_value);
};

/// The key and the value of "key=value", without blanks around them. Throws kUsage without a "=".
std::pair<std::string, std::string> parse_assignment(const std::string& assignment);

/// The defaults for a model: those of its authors where they differ from LA-HCN's. A profile of
/// LA-HCN brings defaults of its own; `plus` unless another is named.
Config default_config(const std::string& model, std::optional<Profile> profile = {});

/// "key=value" for every key.
std::vector<std::string> all_settings(Config config);

/// The same for the keys that have another value than in a plain Config.
std::vector<std::string> changed_settings(const Config& config);

/// Nested JSON ({"train": {"epochs": 30, …}, …}) with every key.
std::string to_json(Config config);

/// Sets the keys that a JSON text has. Throws kUsage for unknown keys and bad values.
void set_from_json(Config& config, const std::string& text, const std::string& file);

/// The defaults of model and profile, and over them the settings of a user's file (JSON, or lines
/// "key = value" with # comments) and of "key=value" assignments, which may name both. `model` and
/// `file` may be empty. Throws kUsage, kIo.
Config config_from(const std::string& model, const std::string& file,
                   const std::vector<std::string>& assignments = {});

}  // namespace hmtc
