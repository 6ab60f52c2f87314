#include "serve/batcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "serve/start_threads.h"

namespace hmtc {

Batcher::Batcher(const BatchOptions& options, Metrics& metrics)
    : options_(options), metrics_(metrics) {
  start_threads(
      threads_, options_.at_once, [this] { serve(); }, [this] { close(); });
}

Batcher::~Batcher() { close(); }

void Batcher::close() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  work_waits_.notify_all();
  company_came_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

std::size_t Batcher::num_requests() const {
  const std::lock_guard lock(mutex_);
  return num_requests_;
}

std::size_t Batcher::num_waiting_documents() const {
  const std::lock_guard lock(mutex_);
  return waiting_documents_;
}

std::vector<std::string> Batcher::predict(const ModelCall& call, std::vector<Document> documents,
                                          const PredictAnswer& answer) {
  if (documents.empty()) return {};
  const auto job = std::make_shared<BatchJob>();
  job->call = call;
  job->documents = std::move(documents);
  job->predict = answer;
  return run_to_end(job);
}

std::string Batcher::explain(const ModelCall& call, Document document,
                             const ExplainAnswer& answer) {
  const auto job = std::make_shared<BatchJob>();
  job->call = call;
  job->documents.push_back(std::move(document));
  job->explain = answer;
  return run_to_end(job).front();
}

std::vector<std::string> Batcher::run_to_end(const JobPointer& job) {
  Lock lock(mutex_);
  const std::size_t documents = job->documents.size();
  if (num_requests_ >= options_.queue_requests ||
      (waiting_documents_ > 0 && waiting_documents_ + documents > options_.queue_documents)) {
    throw HttpError(429,
                    fmt::format("{} requests with {} documents wait already; try again later",
                                num_requests_, waiting_documents_),
                    retry_after_seconds());
  }
  job->answers.resize(documents);
  job->queued_at = Clock::now();
  queue_.push_back(job);
  waiting_documents_ += documents;
  ++num_requests_;
  wake_a_thread();
  wait_for_answer(lock, job);
  if (--num_requests_ == 1) company_came_.notify_one();
  if (job->failure) std::rethrow_exception(job->failure);
  return std::move(job->answers);
}

void Batcher::wait_for_answer(Lock& lock, const JobPointer& job) {
  if (job->done.wait_until(lock, job->call.deadline, [&] { return job->is_done; })) return;
  const HttpError too_busy(503,
                           "the model was too busy to answer in time; try again later, or send "
                           "fewer documents",
                           retry_after_seconds());
  const HttpError too_slow(504,
                           "the model did not answer in time; send fewer or shorter documents");
  drop(job, std::make_exception_ptr(job->left() > 0 ? too_busy : too_slow));
}

int Batcher::retry_after_seconds() const {
  const double seconds = seconds_per_document_ * static_cast<double>(waiting_documents_) /
                         static_cast<double>(options_.at_once);
  return static_cast<int>(std::clamp(std::ceil(seconds), 1.0, 60.0));
}

/// To be woken for nothing costs more than much of what a request needs.
void Batcher::wake_a_thread() {
  if (company_is_there()) company_came_.notify_one();
  if (next_job()) work_waits_.notify_one();
}

void Batcher::serve() {
  Lock lock(mutex_);
  for (;;) {
    work_waits_.wait(lock, [&] { return closing_ || next_job(); });
    if (!closing_) wait_for_company(lock, *next_job());
    if (closing_) break;
    drop_jobs_without_client();
    if (const JobPointer job = next_job()) serve_batch(lock, job);
  }
  for (const JobPointer& job : queue_) {
    finish(*job, std::make_exception_ptr(HttpError(503, "the server is stopping", 1)));
    job->done.notify_all();
  }
  queue_.clear();
}

/// The one that has waited longest, but a model explains one document at a time.
Batcher::JobPointer Batcher::next_job() const {
  for (const JobPointer& job : queue_) {
    if (!job->explain || !explaining_.contains(job->call.model.get())) return job;
  }
  return nullptr;
}

void Batcher::wait_for_company(Lock& lock, const BatchJob& job) {
  if (job.explain) return;
  company_came_.wait_until(lock, job.queued_at + options_.window,
                           [&] { return closing_ || company_is_there(); });
}

/// Whether nobody else will come, or as many documents wait as a thread has if all have the same.
bool Batcher::company_is_there() const {
  return num_requests_ <= 1 ||
         waiting_documents_ >= (waiting_documents_ + batched_documents_) / options_.at_once;
}

/// An even share: of what waits, for the threads that are free, and of all, for all threads.
std::size_t Batcher::room() const {
  const auto share = [](std::size_t documents, std::size_t threads) {
    return (documents + threads - 1) / threads;
  };
  return std::min({share(waiting_documents_, options_.at_once - batches_),
                   share(waiting_documents_ + batched_documents_, options_.at_once),
                   options_.documents});
}

void Batcher::serve_batch(Lock& lock, const JobPointer& first) {
  const ServedModel* explains = first->explain ? first->call.model.get() : nullptr;
  if (explains) explaining_.insert(explains);
  std::vector<BatchPiece> batch = take_batch(first);
  std::size_t documents = 0;
  for (const BatchPiece& piece : batch) documents += piece.count;
  ++batches_;
  batched_documents_ += documents;
  wake_a_thread();  // for what is left
  lock.unlock();
  const Clock::time_point start = Clock::now();
  compute_batch(batch);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  lock.lock();
  --batches_;
  batched_documents_ -= documents;
  if (explains) explaining_.erase(explains);
  std::vector<JobPointer> done = deliver(batch, seconds);
  // Who is woken wants the lock; and what is let go may be large.
  lock.unlock();
  for (const JobPointer& job : done) job->done.notify_all();
  done.clear();
  batch.clear();
  lock.lock();
}

void Batcher::drop_jobs_without_client() {
  std::vector<JobPointer> gone;
  for (const JobPointer& job : queue_) {
    if (job->call.client_gone->load()) gone.push_back(job);
  }
  for (const JobPointer& job : gone) {
    drop(job, std::make_exception_ptr(HttpError(499, "the client has gone")));
  }
}

void Batcher::drop(const JobPointer& job, std::exception_ptr why) {
  waiting_documents_ -= job->left();
  job->taken = job->documents.size();
  std::erase(queue_, job);
  if (finish(*job, std::move(why))) job->done.notify_all();
}

/// The first job, and those that can go with it.
std::vector<BatchPiece> Batcher::take_batch(const JobPointer& first) {
  std::vector<BatchPiece> batch;
  if (first->explain) {
    take(first, 1, batch);
    return batch;
  }
  std::size_t places = room();
  std::vector<JobPointer> jobs;
  for (const JobPointer& job : queue_) {
    const bool fits = job->call.model == first->call.model && !job->explain;
    if (fits && jobs.size() < places) jobs.push_back(job);
  }
  // An even share of the places for each; what the small ones leave over the others have.
  std::stable_sort(jobs.begin(), jobs.end(),
                   [](const JobPointer& a, const JobPointer& b) { return a->left() < b->left(); });
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    take(jobs[i], places / (jobs.size() - i), batch);
    places -= batch.back().count;
  }
  return batch;
}

/// What is left of the job waits behind the others.
void Batcher::take(const JobPointer& job, std::size_t most, std::vector<BatchPiece>& batch) {
  const std::size_t count = std::min(most, job->left());
  batch.push_back({job, job->taken, count, {}, nullptr});
  job->taken += count;
  waiting_documents_ -= count;
  std::erase(queue_, job);
  if (job->left() > 0) queue_.push_back(job);
}

/// Gives those that now have all their answers.
std::vector<Batcher::JobPointer> Batcher::deliver(std::vector<BatchPiece>& batch, double seconds) {
  std::vector<JobPointer> done;
  std::size_t documents = 0;
  for (BatchPiece& piece : batch) {
    BatchJob& job = *piece.job;
    documents += piece.count;
    job.answered += piece.count;
    if (piece.failure) {
      drop(piece.job, piece.failure);
      continue;
    }
    std::move(piece.answers.begin(), piece.answers.end(),
              job.answers.begin() + static_cast<std::ptrdiff_t>(piece.begin));
    if (job.answered == job.documents.size() && finish(job, nullptr)) done.push_back(piece.job);
  }
  const double each = seconds / static_cast<double>(documents);
  seconds_per_document_ =
      seconds_per_document_ == 0 ? each : 0.8 * seconds_per_document_ + 0.2 * each;
  metrics_.add_batch(documents, seconds);
  return done;
}

/// False when it had ended already. Whoever waits for it is still to be woken.
bool Batcher::finish(BatchJob& job, std::exception_ptr failure) {
  if (job.is_done) return false;
  job.failure = std::move(failure);
  job.is_done = true;
  return true;
}

}  // namespace hmtc
