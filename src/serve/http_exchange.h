#pragma once

#include <memory>

#include "serve/http_types.h"
#include "serve/large_bytes.h"
#include "serve/request_head.h"

namespace hmtc {

/// A request as it came in.
struct IncomingRequest {
  RequestHead head;
  std::string body;
  Clock::time_point arrived;
  GoneFlag client_gone;
  LargeBytes::Claim claim = {};  ///< of the body
};

struct OutgoingAnswer {
  std::string bytes;  ///< status line, headers and body
  Exchange exchange;
};

/// Between bytes and handlers: reads the request line and writes the answer, by cpp-httplib, of
/// which nothing is seen outside. Its reading of connections is not used: it gives each a thread,
/// bounds neither the number of headers nor the time of a request, and unpacks compressed bodies
/// of any size. One object per thread.
class HttpExchange {
 public:
  /// `handler` outlives the object.
  HttpExchange(const HttpHandler& handler, const HttpLimits& limits);
  ~HttpExchange();

  OutgoingAnswer answer(IncomingRequest request);

 private:
  class Grammar;
  std::unique_ptr<Grammar> grammar_;
};

}  // namespace hmtc
