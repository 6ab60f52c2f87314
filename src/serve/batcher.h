#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "serve/backend.h"
#include "serve/limits.h"
#include "serve/metrics.h"

namespace hmtc {

/// On whose behalf a model works.
struct ModelCall {
  std::shared_ptr<ServedModel> model;  ///< the one that the request began with
  Clock::time_point deadline;
  GoneFlag client_gone;
};

/// Puts the documents of several requests together and gives them to their model, on a few threads
/// of its own: models share their work among the processors themselves.
///
/// A batch leaves as soon as a thread is free. Only when that thread's batch before it held several
/// requests it waits up to the window for as many documents again, because their senders are likely
/// to come back. Requests share a batch evenly, so that a large one does not keep small ones
/// waiting.
class Batcher {
 public:
  /// `metrics` outlives the object.
  Batcher(const BatchOptions& options, Metrics& metrics);
  ~Batcher();  ///< the requests that still wait are refused

  /// The answer of each document. Waits for it. Throws HttpError: 429 when the queue is full, 503
  /// when the deadline has passed before a batch took all documents, 504 when the model did not
  /// answer in time, 499 when the client has gone; and what the model throws.
  std::vector<std::string> predict(const ModelCall& call, std::vector<Document> documents,
                                   const PredictAnswer& answer);
  /// Throws the same.
  std::string explain(const ModelCall& call, Document document, const ExplainAnswer& answer);

  std::size_t num_requests() const;
  std::size_t num_waiting_documents() const;

 private:
  struct Job;
  using JobPointer = std::shared_ptr<Job>;
  using Lock = std::unique_lock<std::mutex>;

  /// Consecutive documents of a job, and what came of them.
  struct Piece {
    JobPointer job;
    std::size_t begin = 0;
    std::size_t count = 0;
    std::vector<std::string> answers;
    std::exception_ptr failure;
  };

  std::vector<std::string> run_to_end(const JobPointer& job);
  void wait_for_answer(Lock& lock, const JobPointer& job);
  int retry_after_seconds() const;

  /// What a thread has served last.
  struct LastBatch {
    std::size_t requests = 0;
    std::size_t documents = 0;
  };

  void serve();
  void wait_for_company(Lock& lock, const LastBatch& last);
  void drop_jobs_without_client();
  void drop(const JobPointer& job, std::exception_ptr why);
  std::vector<Piece> take_batch();
  void take(const JobPointer& job, std::size_t most, std::vector<Piece>& batch);
  static void compute(std::vector<Piece>& batch);
  static std::vector<std::string> answers_of(std::span<const Piece> pieces);
  LastBatch deliver(std::vector<Piece>& batch, double seconds);
  static void finish(Job& job, std::exception_ptr failure);

  const BatchOptions options_;
  Metrics& metrics_;
  mutable std::mutex mutex_;
  std::condition_variable work_waits_;
  std::deque<JobPointer> queue_;  ///< jobs with documents that no batch has taken
  std::size_t num_requests_ = 0;
  std::size_t waiting_documents_ = 0;
  double seconds_per_document_ = 0;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace hmtc
