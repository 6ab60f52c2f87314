#include <gtest/gtest.h>

#include "serve/http_exchange.h"

namespace hmtc {
namespace {

/// cpp-httplib makes a table when it reads its first request line. That is safe, but Debian's build
/// of it is not one for the thread sanitizer, which then takes two threads for rivals. So the table
/// is made before there are threads.
class HttplibEnvironment : public testing::Environment {
 public:
  void SetUp() override {
    const HttpHandler handler = [](const HttpRequest&) { return HttpResponse(); };
    IncomingRequest request;
    request.head.request_line = "GET / HTTP/1.1";
    HttpExchange(handler, HttpLimits()).answer(std::move(request));
  }
};

[[maybe_unused]] const testing::Environment* const kEnvironment =
    testing::AddGlobalTestEnvironment(new HttplibEnvironment);

}  // namespace
}  // namespace hmtc
