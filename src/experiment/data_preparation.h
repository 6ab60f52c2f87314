#pragma once

#include <filesystem>
#include <mutex>

#include "experiment/runner.h"

namespace hmtc {

/// Makes the data directories of an experiment when they are first asked for. May be asked by
/// several threads.
class DataPreparation {
 public:
  /// The request must outlive this.
  explicit DataPreparation(const ExperimentRequest& request) : request_(request) {}

  /// Throws kInput, kIo; or what the import failed with, with its messages.
  std::filesystem::path directory_for(std::int64_t seed);

  /// Whether directory_for() can do without an import.
  bool is_at_hand() const;

 private:
  std::string resolved(std::string text) const;
  /// Data that were made of something else must not be used: `out` is refused.
  void require_same_source() const;
  void import_to(const std::filesystem::path& directory, std::int64_t seed) const;

  const ExperimentRequest& request_;
  std::mutex mutex_;
};

}  // namespace hmtc
