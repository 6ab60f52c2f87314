#pragma once

#include <condition_variable>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "serve/backend.h"
#include "serve/http_types.h"

namespace hmtc {

/// On whose behalf a model works.
struct ModelCall {
  std::shared_ptr<ServedModel> model;  ///< the one that the request began with
  Clock::time_point deadline;
  GoneFlag client_gone;
};

/// A request's documents on their way through a model. What follows `explain` is guarded by the
/// Batcher.
struct BatchJob {
  ModelCall call;
  std::vector<Document> documents;  ///< its own: its sender may have stopped waiting
  PredictAnswer predict;
  std::optional<ExplainAnswer> explain;

  Clock::time_point queued_at;
  std::size_t taken = 0;  ///< documents that batches have taken
  std::size_t answered = 0;
  std::vector<std::string> answers;
  std::exception_ptr failure;
  bool is_done = false;
  std::condition_variable done;

  std::size_t left() const { return documents.size() - taken; }
};

/// Consecutive documents of a job, and what came of them.
struct BatchPiece {
  std::shared_ptr<BatchJob> job;
  std::size_t begin = 0;
  std::size_t count = 0;
  std::vector<std::string> answers;
  std::exception_ptr failure;
};

/// Has the documents answered by their model, the same for all pieces; an explanation is alone. A
/// document that the model cannot take fails its own piece only. Never throws.
void compute_batch(std::vector<BatchPiece>& batch);

}  // namespace hmtc
