#include "experiment/search_space.h"

#include <set>

#include "base/random.h"
#include "config/config.h"

namespace hmtc {
namespace {

/// Values of a setting to draw from; a value that stands there twice is drawn twice as often.
struct Dimension {
  const char* models;  // that have the setting: a beginning of their names; "": all networks
  const char* key;
  std::vector<const char*> values;
};

const std::vector<Dimension>& dimensions() {
  static const std::vector<Dimension> kAll = {
      {"", "train.learning_rate", {"0.0003", "0.0005", "0.001", "0.001", "0.002", "0.003"}},
      {"", "encoder.dropout", {"0.1", "0.2", "0.3", "0.4", "0.5", "0.5", "0.6"}},
      {"la-hcn", "encoder.kind", {"auto", "auto", "embedding"}},
      {"harnn", "encoder.kind", {"auto", "auto", "embedding"}},
      {"hmcn", "encoder.kind", {"auto", "auto", "embedding"}},
      {"flat", "encoder.kind", {"auto", "auto", "embedding"}},
      {"", "train.word_dropout", {"0", "0.1", "0.1", "0.2"}},
      {"", "train.batch_size", {"16", "32", "32", "64"}},
      {"la-hcn", "model.components", {"25", "50", "50", "100"}},
      {"la-hcn", "model.document_width", {"256", "512", "512"}},
      {"la-hcn", "model.global_dropout", {"0.3", "0.5", "0.5"}},
      {"harnn", "model.attention_width", {"100", "200", "200"}},
      {"harnn", "model.document_width", {"256", "512", "512"}},
      {"hmcn", "hmcn.width", {"256", "384", "512"}},
      {"hmcn", "hmcn.dropout", {"0.3", "0.5", "0.5"}},
      {"capsule", "capsule.kinds", {"25", "55", "55"}},
      {"han", "han.gru_width", {"50", "50", "100"}},
      {"linear", "linear.term_frequency", {"sublinear", "binary"}},
      {"linear", "linear.word_pairs", {"0", "30000", "100000", "300000"}},
  };
  return kAll;
}

/// What a trial trains with, as a text: two that spell it differently are one.
std::string effect_of(const std::string& model, const Settings& fixed, const Settings& drawn) {
  return to_json(config_of(model, merged(fixed, drawn)));
}

}  // namespace

std::vector<Settings> draw_trials(const std::string& model, const Settings& fixed,
                                  std::size_t count, std::uint64_t seed) {
  constexpr std::uint64_t kMostDraws = 100'000;  // a small space has fewer trials than asked for
  std::vector<Settings> trials = {Settings()};
  std::set<Settings> drawn;
  std::set<std::string> effects = {effect_of(model, fixed, {})};
  for (std::uint64_t draw = 0; trials.size() < count && draw < kMostDraws; ++draw) {
    Random random(mix_seed(seed, draw));
    Settings settings;
    for (const Dimension& dimension : dimensions()) {
      const char* const value = dimension.values[random.below(dimension.values.size())];
      const bool is_for_networks = *dimension.models == '\0';
      const bool has = is_for_networks ? model != "linear" : model.starts_with(dimension.models);
      if (has && !fixed.contains(dimension.key)) settings[dimension.key] = value;
    }
    const bool is_new = drawn.insert(settings).second;
    if (is_new && effects.insert(effect_of(model, fixed, settings)).second) {
      trials.push_back(settings);
    }
  }
  return trials;
}

}  // namespace hmtc
