#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "serve/backend.h"
#include "serve/metrics.h"

namespace hmtc {

/// A model in use. Requests keep it until they are answered, also when another takes its place.
struct StoredModel {
  std::string name;
  std::shared_ptr<ServedModel> model;
  std::string loaded;       ///< when, as 2026-11-16T13:00:00Z
  std::string labels_json;  ///< the answer of GET /v1/labels
};

using ModelLoader = std::function<std::shared_ptr<ServedModel>(const std::filesystem::path&)>;

/// The models of some directories, each under its directory's name. load(), reload() and
/// look_for_changes() are called by one thread at a time, the others by any.
class ModelStore {
 public:
  /// Throws kUsage when two directories have the same name. `metrics` outlives the object.
  ModelStore(const std::vector<std::filesystem::path>& directories, ModelLoader loader,
             Metrics& metrics);

  /// Loads all; throws what the loader throws.
  void load();

  /// Loads the models of directories that have changed, once they have been left alone for a call:
  /// whoever copies files is not done yet. A model that cannot be loaded is reported, and the one
  /// that is in use stays.
  void look_for_changes();
  /// The same for all, changed or not.
  void reload();

  bool is_ready() const;
  /// All in the order of the directories; none before load() has ended.
  std::vector<std::shared_ptr<const StoredModel>> all() const;
  /// An empty name: the first. Nothing when there is no such model.
  std::shared_ptr<const StoredModel> find(const std::string& name) const;

 private:
  /// What tells one state of a directory from another.
  using Signature = std::map<std::string, std::string>;

  struct Place {
    std::filesystem::path directory;
    std::string name;
    Signature loaded;  ///< of what was last loaded or refused
    Signature seen;    ///< by the last look
    std::shared_ptr<const StoredModel> current;
  };

  static Signature signature_of(const std::filesystem::path& directory);
  std::shared_ptr<const StoredModel> load_from(Place& place);
  void replace(Place& place);

  const ModelLoader loader_;
  Metrics& metrics_;
  mutable std::mutex mutex_;  ///< of each place's `current` and of is_ready_
  std::vector<Place> places_;
  bool is_ready_ = false;
};

}  // namespace hmtc
