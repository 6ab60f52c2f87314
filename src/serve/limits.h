#pragma once

#include <chrono>
#include <cstddef>

namespace hmtc {

/// What a connection may cost. Every one of them is bounded; docs/serving.md has the table.
struct HttpLimits {
  /// Above it the connection that has been idle longest makes room.
  std::size_t connections = 512;
  std::size_t request_line_bytes = 8000;  // cpp-httplib takes 8192
  std::size_t head_bytes = 16 * 1024;     ///< request line and headers
  std::size_t headers = 100;
  std::size_t body_bytes = 4 << 20;
  /// Of the large requests and unread answers of all connections together; small ones (64 KiB) do
  /// not count, so that claims of large bodies never keep small requests out.
  std::size_t large_bytes = 64 << 20;
  std::size_t requests_per_connection = 100'000;
  std::chrono::milliseconds head_timeout{10'000};   ///< from a request's first byte
  std::chrono::milliseconds read_timeout{30'000};   ///< the whole request, from its first byte
  std::chrono::milliseconds write_timeout{30'000};  ///< the whole answer
  std::chrono::milliseconds idle_timeout{60'000};   ///< between two requests
};

/// What a request may ask of a model.
struct RequestLimits {
  std::size_t documents = 256;
  std::size_t words = 20'000;  ///< of a document: tokens, or most_words_in() its text
  std::chrono::milliseconds deadline{30'000};  ///< from the request's arrival to its answer
};

struct BatchOptions {
  /// How long a request waits for others when its batch would be smaller than those under way.
  std::chrono::microseconds window{2'000};
  std::size_t documents = 64;  ///< of a batch
  std::size_t at_once = 2;     ///< batches; as many as a model has threads
  std::size_t queue_requests = 128;
  std::size_t queue_documents = 4096;
};

}  // namespace hmtc
