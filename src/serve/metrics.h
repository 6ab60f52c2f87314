#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "serve/http_types.h"

namespace hmtc {

/// Counts of values by upper bounds, as Prometheus has them.
class Histogram {
 public:
  /// `bounds` ascend and outlive the object.
  explicit Histogram(std::span<const double> bounds) : bounds_(bounds), counts_(bounds.size()) {}

  void observe(double value);
  /// Its lines; `labels` as in `route="/",` with a comma at the end, or empty.
  void append_to(std::string& out, const std::string& name, const std::string& labels) const;

 private:
  std::span<const double> bounds_;
  std::vector<std::uint64_t> counts_;  ///< of each bound and below the next lower one
  std::uint64_t count_ = 0;
  double sum_ = 0;
};

/// What can be seen at the moment of asking.
struct ServerGauges {
  bool is_ready = false;
  std::size_t connections = 0;
  std::size_t queue_requests = 0;
  std::size_t queue_documents = 0;
};

/// What the server counts. For all threads.
class Metrics {
 public:
  Metrics();

  void add_exchange(const Exchange& exchange);
  void add_batch(std::size_t documents, double seconds);
  void add_model_load(const std::string& model, bool is_ok);

  /// Prometheus' text format.
  std::string text(const ServerGauges& gauges) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, std::uint64_t> requests_;  ///< by route and status
  std::map<std::string, Histogram> seconds_;                       ///< by route
  std::map<std::pair<std::string, bool>, std::uint64_t> model_loads_;
  Histogram batch_documents_;
  Histogram batch_seconds_;
  std::uint64_t documents_ = 0;
};

}  // namespace hmtc
