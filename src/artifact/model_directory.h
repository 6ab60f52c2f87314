#pragma once

#include <filesystem>
#include <string>

#include "artifact/safetensors.h"
#include "config/config.h"
#include "hierarchy/hierarchy.h"
#include "text/vocabulary.h"

namespace hmtc {

/// Finishes a save_model() that was cut off.
void recover_model(const std::filesystem::path& directory);

/// Everything a model directory holds (docs/formats.md).
struct ModelParts {
  Config config;
  Hierarchy hierarchy;
  Vocabulary vocabulary;
  TensorFile tensors;
};

/// Writes the directory so that a reader sees the old model or the new one. The folder `run` of a
/// training run inside it is carried over.
void save_model(const std::filesystem::path& directory, const ModelParts& parts);

/// Throws kIo when there is no such directory, kModel when it holds no model.
void require_model_directory(const std::filesystem::path& directory);

/// Reads and checks a model directory: manifest, version, checksums, then each part.
/// Throws kIo when there is none, kModel when a part is missing, damaged or of another version.
ModelParts load_model(const std::filesystem::path& directory);

/// The first entry of an existing directory that is no part of a model, or empty: replacing the
/// directory by a model would delete it.
std::string foreign_entry(const std::filesystem::path& directory);

/// Whether the directory holds a model (a manifest), whole or not.
bool is_model_directory(const std::filesystem::path& directory);

}  // namespace hmtc
