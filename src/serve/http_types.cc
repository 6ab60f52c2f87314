#include "serve/http_types.h"

#include <fmt/format.h>

#include "base/json_text.h"
#include "base/strings.h"

namespace hmtc {
namespace {

/// The statuses that are answered without cpp-httplib, which knows the phrases of the others.
const char* reason_phrase(int status) {
  switch (status) {
    case 408:
      return "Request Timeout";
    case 411:
      return "Length Required";
    case 413:
      return "Payload Too Large";
    case 414:
      return "URI Too Long";
    case 415:
      return "Unsupported Media Type";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    default:
      return "Bad Request";
  }
}

}  // namespace

HttpResponse error_response(const HttpError& error) {
  HttpResponse response;
  response.status = error.status();
  response.body = fmt::format(R"({{"error":{{"status":{},"message":)", error.status());
  // A message may quote what a client has sent.
  const std::string message = error.what();
  append_json_string(response.body, is_utf8(message) ? message : "bytes that are not UTF-8");
  response.body += "}}";
  if (error.retry_after_seconds() > 0) {
    response.headers.emplace_back("Retry-After", std::to_string(error.retry_after_seconds()));
  }
  if (error.status() == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

std::string error_bytes(const HttpError& error) {
  const HttpResponse response = error_response(error);
  std::string bytes =
      fmt::format("HTTP/1.1 {} {}\r\n", error.status(), reason_phrase(error.status()));
  for (const auto& [name, value] : response.headers) bytes += name + ": " + value + "\r\n";
  bytes += fmt::format(
      "Content-Type: {}\r\nContent-Length: {}\r\nX-Content-Type-Options: nosniff\r\n"
      "Connection: close\r\n\r\n",
      response.content_type, response.body.size());
  return bytes + response.body;
}

}  // namespace hmtc
