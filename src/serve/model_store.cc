#include "serve/model_store.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>

#include <ctime>

#include "base/json_text.h"
#include "text/unicode.h"

namespace hmtc {
namespace {

namespace fs = std::filesystem;

std::string name_of(const fs::path& directory) {
  const fs::path whole = fs::absolute(directory).lexically_normal();
  return printable((whole.has_filename() ? whole : whole.parent_path()).filename().string());
}

std::string now_in_utc() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

std::string labels_json(const std::string& name, const ModelFacts& facts) {
  std::string out = R"({"model":)";
  append_json_string(out, name);
  out += R"(,"labels":[)";
  const char* separator = "";
  for (const LabelFacts& label : facts.labels) {
    append_json_string((out += separator) += R"({"label":)", label.label);
    if (!label.name.empty()) append_json_string(out += R"(,"name":)", label.name);
    out += fmt::format(R"(,"level":{},"parents":[)", label.level);
    for (std::size_t i = 0; i < label.parents.size(); ++i) {
      append_json_string(out += i == 0 ? "" : ",", label.parents[i]);
    }
    out += "]}";
    separator = ",";
  }
  return out + "]}";
}

}  // namespace

ModelStore::ModelStore(const std::vector<fs::path>& directories, ModelLoader loader,
                       Metrics& metrics)
    : loader_(std::move(loader)), metrics_(metrics) {
  for (const fs::path& directory : directories) {
    const std::string name = name_of(directory);
    for (const Place& place : places_) {
      if (place.name != name) continue;
      throw Error(ErrorKind::kUsage,
                  fmt::format("{} and {}: expected models with names of their own, found \"{}\" "
                              "twice; rename one directory",
                              place.directory.string(), directory.string(), name));
    }
    places_.push_back({directory, name, {}, {}, nullptr});
  }
}

void ModelStore::load() {
  for (Place& place : places_) {
    auto model = load_from(place);
    const std::lock_guard lock(mutex_);
    place.current = std::move(model);
  }
  const std::lock_guard lock(mutex_);
  is_ready_ = true;
}

void ModelStore::look_for_changes() {
  for (Place& place : places_) {
    Signature now = signature_of(place.directory);
    const bool is_settled = now == place.seen;
    place.seen = std::move(now);
    if (is_settled && place.seen != place.loaded) replace(place);
  }
}

void ModelStore::reload() {
  for (Place& place : places_) replace(place);
}

bool ModelStore::is_ready() const {
  const std::lock_guard lock(mutex_);
  return is_ready_;
}

std::vector<std::shared_ptr<const StoredModel>> ModelStore::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<const StoredModel>> models;
  if (!is_ready_) return models;
  for (const Place& place : places_) models.push_back(place.current);
  return models;
}

std::shared_ptr<const StoredModel> ModelStore::find(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  for (const Place& place : places_) {
    if (is_ready_ && (name.empty() || place.name == name)) return place.current;
  }
  return nullptr;
}

ModelStore::Signature ModelStore::signature_of(const fs::path& directory) {
  Signature signature;
  std::error_code failure;
  for (fs::directory_iterator it(directory, failure), end; !failure && it != end;
       it.increment(failure)) {
    struct stat status {};
    // Folders do not count: a training run writes its checkpoints into one.
    if (::stat(it->path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    signature[it->path().filename().string()] =
        fmt::format("{} {} {}.{}", status.st_ino, status.st_size, status.st_mtim.tv_sec,
                    status.st_mtim.tv_nsec);
  }
  return signature;
}

std::shared_ptr<const StoredModel> ModelStore::load_from(Place& place) {
  // Before it is read: what changes meanwhile is seen by the next look.
  place.loaded = signature_of(place.directory);
  try {
    auto model = loader_(place.directory);
    std::string labels = labels_json(place.name, model->facts());
    metrics_.add_model_load(place.name, true);
    return std::make_shared<const StoredModel>(
        StoredModel{place.name, std::move(model), now_in_utc(), std::move(labels)});
  } catch (...) {
    metrics_.add_model_load(place.name, false);
    throw;
  }
}

void ModelStore::replace(Place& place) {
  try {
    auto model = load_from(place);
    {
      const std::lock_guard lock(mutex_);
      place.current.swap(model);
    }
    spdlog::info("model {}: loaded anew from {}", place.name, place.directory.string());
  } catch (const std::exception& error) {
    spdlog::error("model {}: not replaced, the one in use stays: {}", place.name, error.what());
  }
}

}  // namespace hmtc
