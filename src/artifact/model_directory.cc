#include "artifact/model_directory.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "artifact/checksum.h"
#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "base/version.h"
#include "hierarchy/hierarchy_file.h"

namespace hmtc {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormatVersion = 1;
constexpr const char* kManifest = "manifest.json";
constexpr const char* kConfig = "config.json";
constexpr const char* kHierarchy = "hierarchy.tsv";
constexpr const char* kVocabulary = "vocabulary.txt";
constexpr const char* kTensors = "model.safetensors";
constexpr const char* kRun = "run";

/// A member that should be a string, "none" where it is missing or something else.
std::string text_member(const Json& object, const char* name) {
  const auto member = object.find(name);
  return member != object.end() && member->is_string() ? member->get<std::string>() : "none";
}

Json read_manifest(const fs::path& path) {
  const std::string file = path.string();
  const auto wrong = [&](const std::string& expected, const std::string& found) {
    return model_error({file}, {expected, found, "restore the model or train again"});
  };
  const std::string text = read_file(path);
  Json manifest;
  try {
    manifest = parse_json<Json>(text);
  } catch (const std::exception& error) {
    throw wrong("the manifest of an hmtc model", error.what());
  }
  if (!manifest.is_object() || text_member(manifest, "format") != "hmtc-model") {
    throw wrong("the manifest of an hmtc model", "something else");
  }
  if (!manifest.contains("format_version") || manifest["format_version"] != kFormatVersion) {
    throw wrong(fmt::format("format version {}", kFormatVersion),
                manifest.value("format_version", Json()).dump());
  }
  if (!manifest.contains("sha256") || !manifest["sha256"].is_object()) {
    throw wrong("a checksum for every part", "none");
  }
  return manifest;
}

/// A part's content, its checksum compared with the manifest's.
std::string read_part(const fs::path& directory, const Json& manifest, const char* name) {
  const fs::path path = directory / name;
  if (!fs::is_regular_file(path)) {
    throw model_error({path.string()},
                      {"a part of the model", "no such file", "restore the model or train again"});
  }
  std::string content = read_file(path);
  const std::string expected = text_member(manifest["sha256"], name);
  const std::string found = sha256_hex(content);
  if (found != expected) {
    throw model_error({path.string()}, {"sha256 " + expected, found + " (the file has changed)",
                                        "restore the model or train again"});
  }
  return content;
}

/// What a parser of user files calls bad usage or input is damage when it stands in a model.
template <typename Parse>
auto as_model_part(const fs::path& path, const Parse& parse) {
  try {
    return parse();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kModel) throw;
    throw Error(ErrorKind::kModel, fmt::format("{}: {}", path.string(), error.what()));
  }
}

ModelParts read_parts(const fs::path& directory) {
  const Json manifest = read_manifest(directory / kManifest);
  Config config;
  as_model_part(directory / kConfig, [&] {
    set_from_json(config, read_part(directory, manifest, kConfig), kConfig);
    return 0;
  });
  read_part(directory, manifest, kHierarchy);
  read_part(directory, manifest, kVocabulary);
  return ModelParts{
      config,
      as_model_part(directory / kHierarchy,
                    [&] { return read_hierarchy((directory / kHierarchy).string()); }),
      as_model_part(directory / kVocabulary,
                    [&] { return read_vocabulary((directory / kVocabulary).string()); }),
      parse_tensor_file(read_part(directory, manifest, kTensors), (directory / kTensors).string())};
}

}  // namespace

void save_model(const fs::path& directory, const ModelParts& parts) {
  const auto fill = [&](const fs::path& folder) {
    Json manifest = {{"format", "hmtc-model"},
                     {"format_version", kFormatVersion},
                     {"program_version", kVersion},
                     {"sha256", Json::object()}};
    const auto write = [&](const char* name, const std::string& content) {
      write_file_atomically(folder / name, content);
      manifest["sha256"][name] = sha256_hex(content);
    };
    write(kConfig, to_json(parts.config));
    write(kHierarchy, to_tsv(parts.hierarchy));
    write(kVocabulary, parts.vocabulary.to_text());
    write(kTensors, to_bytes(parts.tensors));
    write_file_atomically(folder / kManifest, manifest.dump(2) + "\n");
  };
  write_directory_atomically(directory, fill, {.kept = kRun, .last = kManifest});
}

void require_model_directory(const fs::path& directory) {
  if (!fs::is_directory(directory)) {
    throw Error(ErrorKind::kIo,
                fmt::format("{}: expected a model directory, found {}; train one with "
                            "`hmtc train --data DIR --out MODEL`",
                            directory.string(), fs::exists(directory) ? "a file" : "nothing"));
  }
  if (!is_model_directory(directory)) {
    const bool is_unfinished = fs::exists(directory / kRun / "checkpoint.safetensors");
    throw model_error({directory.string()},
                      {"a model directory with manifest.json",
                       is_unfinished ? "an unfinished run" : "a directory without one",
                       is_unfinished ? "go on with it with `hmtc train --resume`"
                                     : "give the directory that `hmtc train --out` wrote"});
  }
}

ModelParts load_model(const fs::path& directory) {
  require_model_directory(directory);
  // Parts are read one after the other; when a new model took the place meanwhile, they may be of
  // two models, so the reading begins anew.
  constexpr int kMostAttempts = 10;
  for (int attempt = 1;; ++attempt) {
    const std::string before = read_file(directory / kManifest);
    const auto is_unchanged = [&] {
      return attempt == kMostAttempts || read_file(directory / kManifest) == before;
    };
    try {
      ModelParts parts = read_parts(directory);
      if (is_unchanged()) return parts;
    } catch (const Error&) {
      if (is_unchanged()) throw;
    }
  }
}

void recover_model(const fs::path& directory) {
  recover_directory(directory, {.kept = kRun, .last = kManifest});
}

std::string foreign_entry(const fs::path& directory) {
  const std::set<std::string> own = {kManifest, kConfig, kHierarchy,  kVocabulary,
                                     kTensors,  kRun,    kStagingName};
  std::set<std::string> foreign;
  if (fs::is_directory(directory)) {
    for (const auto& entry : fs::directory_iterator(directory)) {
      const std::string name = entry.path().filename().string();
      if (own.count(name) == 0) foreign.insert(name);
    }
  }
  return foreign.empty() ? std::string() : *foreign.begin();
}

bool is_model_directory(const fs::path& directory) { return fs::exists(directory / kManifest); }

}  // namespace hmtc
