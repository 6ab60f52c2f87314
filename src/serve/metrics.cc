#include "serve/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/version.h"

namespace hmtc {
namespace {

constexpr double kSeconds[] = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
                               0.25,  0.5,    1,     2.5,  5,     10,   30};
constexpr double kDocuments[] = {1, 2, 4, 8, 16, 32, 64, 128, 256};

void append_head(std::string& out, const char* name, const char* type, const char* help) {
  fmt::format_to(std::back_inserter(out), "# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help);
}

void append_gauge(std::string& out, const char* name, const char* help, std::size_t value) {
  append_head(out, name, "gauge", help);
  fmt::format_to(std::back_inserter(out), "{} {}\n", name, value);
}

/// The name of a directory can hold any character.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

void Histogram::observe(double value) {
  const auto bound = std::lower_bound(bounds_.begin(), bounds_.end(), value);
  if (bound != bounds_.end()) ++counts_[static_cast<std::size_t>(bound - bounds_.begin())];
  ++count_;
  sum_ += value;
}

void Histogram::append_to(std::string& out, const std::string& name,
                          const std::string& labels) const {
  const auto to = std::back_inserter(out);
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < bounds_.size(); ++i) {
    below += counts_[i];
    fmt::format_to(to, "{}_bucket{{{}le=\"{}\"}} {}\n", name, labels, bounds_[i], below);
  }
  fmt::format_to(to, "{}_bucket{{{}le=\"+Inf\"}} {}\n", name, labels, count_);
  const std::string alone =
      labels.empty() ? "" : "{" + labels.substr(0, labels.size() - 1) + "}";  // without the comma
  fmt::format_to(to, "{0}_sum{1} {2}\n{0}_count{1} {3}\n", name, alone, sum_, count_);
}

Metrics::Metrics() : batch_documents_(kDocuments), batch_seconds_(kSeconds) {}

void Metrics::add_exchange(const Exchange& exchange) {
  const std::lock_guard lock(mutex_);
  ++requests_[{exchange.route, exchange.status}];
  seconds_.try_emplace(exchange.route, kSeconds).first->second.observe(exchange.seconds);
}

void Metrics::add_batch(std::size_t documents, double seconds) {
  const std::lock_guard lock(mutex_);
  batch_documents_.observe(static_cast<double>(documents));
  batch_seconds_.observe(seconds);
  documents_ += documents;
}

void Metrics::add_model_load(const std::string& model, bool is_ok) {
  const std::lock_guard lock(mutex_);
  ++model_loads_[{model, is_ok}];
}

std::string Metrics::text(const ServerGauges& gauges) const {
  const std::lock_guard lock(mutex_);
  std::string out;
  const auto to = std::back_inserter(out);
  append_head(out, "hmtc_build_info", "gauge", "The program's version.");
  fmt::format_to(to, "hmtc_build_info{{version=\"{}\"}} 1\n", kVersion);
  append_gauge(out, "hmtc_ready", "Whether requests are answered.", gauges.is_ready ? 1 : 0);
  append_gauge(out, "hmtc_connections", "Open connections.", gauges.connections);
  append_gauge(out, "hmtc_queue_requests", "Requests at a model or waiting for it.",
               gauges.queue_requests);
  append_gauge(out, "hmtc_queue_documents", "Their documents that no batch has taken yet.",
               gauges.queue_documents);
  append_head(out, "hmtc_requests_total", "counter",
              "Answers by route and status; route - : refused before it was read.");
  for (const auto& [key, count] : requests_) {
    fmt::format_to(to, "hmtc_requests_total{{route=\"{}\",status=\"{}\"}} {}\n", key.first,
                   key.second, count);
  }
  append_head(out, "hmtc_request_seconds", "histogram",
              "Time from a request's first byte to its answer.");
  for (const auto& [route, histogram] : seconds_) {
    histogram.append_to(out, "hmtc_request_seconds", fmt::format("route=\"{}\",", route));
  }
  append_head(out, "hmtc_documents_total", "counter", "Documents that models have classified.");
  fmt::format_to(to, "hmtc_documents_total {}\n", documents_);
  append_head(out, "hmtc_batch_documents", "histogram", "Documents of a batch.");
  batch_documents_.append_to(out, "hmtc_batch_documents", "");
  append_head(out, "hmtc_batch_seconds", "histogram", "Time that a model took for a batch.");
  batch_seconds_.append_to(out, "hmtc_batch_seconds", "");
  append_head(out, "hmtc_model_loads_total", "counter", "Attempts to load a model.");
  for (const auto& [key, count] : model_loads_) {
    fmt::format_to(to, "hmtc_model_loads_total{{model=\"{}\",result=\"{}\"}} {}\n",
                   escaped(key.first), key.second ? "ok" : "failed", count);
  }
  return out;
}

}  // namespace hmtc
