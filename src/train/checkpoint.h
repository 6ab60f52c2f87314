#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "artifact/safetensors.h"

namespace hmtc {

/// Where a run stands. Random numbers need no state of their own: those of a step follow from the
/// seed and the step's number, the order of an epoch from the seed and the epoch's.
struct RunState {
  std::int64_t member = 0;  ///< the running one; what follows is about it
  /// 0 while validation looks on; then the steps that it learns anew from all documents.
  std::int64_t refit_steps = 0;
  std::int64_t step = 0;   ///< steps done
  std::int64_t epoch = 0;  ///< epochs done
  std::int64_t batch = 0;  ///< batches done of the running epoch
  std::int64_t validations_without_gain = 0;
  double best_score = -1;
  std::int64_t best_step = 0;
  double loss_sum = 0;  ///< since the last validation
  std::int64_t loss_documents = 0;
};

/// All that is needed to go on with a run.
struct Checkpoint {
  RunState state;
  std::string config;         ///< JSON, as config.json has it
  std::string fingerprint;    ///< of the data
  std::string all_documents;  ///< the same of what a refit learns from; empty before the first
  std::string engine;         ///< what computed the steps, and its version
  TensorFile tensors;         ///< parameters, moments, the best parameters so far
};

/// Tensors of several parts of a run stand side by side in a checkpoint, each behind its prefix.
void add_behind_prefix(const TensorFile& from, const std::string& prefix, TensorFile& to);

/// Those behind the prefix, without it, in memory of their own: the rest of the file need not stay.
TensorFile copy_without_prefix(const TensorFile& from, const std::string& prefix);

/// Writes it so that a reader sees the old checkpoint or the new one.
void save_checkpoint(const std::filesystem::path& path, Checkpoint checkpoint);

/// The checkpoint, or nothing when there is none. Throws kModel when it is damaged.
std::optional<Checkpoint> load_checkpoint(const std::filesystem::path& path);

}  // namespace hmtc
