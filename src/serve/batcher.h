#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "serve/batch.h"
#include "serve/limits.h"
#include "serve/metrics.h"

namespace hmtc {

/// Puts the documents of several requests together and gives them to their model, on threads of
/// its own, each of which has one batch at a time.
///
/// A batch is an even share of all documents that are here, so that every thread has work. One that
/// would be smaller leaves when its first request has waited for the window: the clients that have
/// just been answered are likely to come back together. A lone client never waits. Requests share a
/// batch evenly, and what is left of one waits behind the others, so that a large one does not keep
/// small ones waiting. A model explains one document at a time.
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
  using JobPointer = std::shared_ptr<BatchJob>;
  using Lock = std::unique_lock<std::mutex>;

  std::vector<std::string> run_to_end(const JobPointer& job);
  void wait_for_answer(Lock& lock, const JobPointer& job);
  int retry_after_seconds() const;

  void close();
  void serve();
  JobPointer next_job() const;
  void wait_for_company(Lock& lock, const BatchJob& job);
  bool company_is_there() const;
  std::size_t room() const;
  void serve_batch(Lock& lock, const JobPointer& first);
  void wake_a_thread();
  void drop_jobs_without_client();
  void drop(const JobPointer& job, std::exception_ptr why);
  std::vector<BatchPiece> take_batch(const JobPointer& first);
  void take(const JobPointer& job, std::size_t most, std::vector<BatchPiece>& batch);
  std::vector<JobPointer> deliver(std::vector<BatchPiece>& batch, double seconds);
  static bool finish(BatchJob& job, std::exception_ptr failure);

  const BatchOptions options_;
  Metrics& metrics_;
  mutable std::mutex mutex_;
  std::condition_variable work_waits_;
  std::condition_variable company_came_;
  std::deque<JobPointer> queue_;       ///< jobs with documents that no batch has taken
  std::size_t batches_ = 0;            ///< that are computed now
  std::size_t batched_documents_ = 0;  ///< in them
  std::set<const ServedModel*> explaining_;
  std::size_t num_requests_ = 0;
  std::size_t waiting_documents_ = 0;
  double seconds_per_document_ = 0;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace hmtc
