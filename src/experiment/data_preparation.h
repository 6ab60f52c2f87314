#pragma once

#include <filesystem>
#include <mutex>

#include "experiment/runner.h"

namespace hmtc {

/// A data directory and the digest of what it was made of.
struct PreparedData {
  std::filesystem::path directory;
  std::string digest;
};

/// Makes the data directories of an experiment when they are first asked for. May be asked by
/// several threads.
class DataPreparation {
 public:
  /// The request must outlive this.
  explicit DataPreparation(const ExperimentRequest& request) : request_(request) {}

  /// Throws kIo, kInput unless a data directory that is not imported has what the plan reads.
  void require_directory() const;

  /// Throws kInput, kIo; or what the import failed with, with its messages.
  PreparedData data_for(std::int64_t seed);

  /// Whether it is a directory that is used as it is, and is there.
  bool is_at_hand() const;

 private:
  std::string resolved(std::string text) const;
  /// What data are made of, a line each; kept beside them.
  std::string source() const;
  std::filesystem::path source_file() const;
  /// Data that were made of something else must not be used: `out` is refused.
  void require_same_source() const;
  /// The directory itself and nothing made of it.
  bool is_used_as_it_is() const;
  std::filesystem::path made_for(std::int64_t seed) const;
  void import_to(const std::filesystem::path& directory, std::int64_t seed) const;

  const ExperimentRequest& request_;
  std::mutex mutex_;
  std::string digest_;  // of a directory that is used as it is
};

}  // namespace hmtc
