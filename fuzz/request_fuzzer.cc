// What a client sends to the server: a request with its head and body, and the bodies of both calls
// by themselves.
#include "fuzz.h"
#include "serve/api_requests.h"
#include "serve/http_exchange.h"

namespace {

template <typename Read>
void read_or_answer(const Read& read) {
  try {
    read();
    ++hmtc::num_accepted;
  } catch (const hmtc::HttpError&) {  // has a status and a message for the client
  }
}

/// Throws HttpError 408 for bytes that are no whole head.
void answer(std::string_view bytes) {
  static const hmtc::HttpLimits limits;
  static const hmtc::HttpHandler handler = [](const hmtc::HttpRequest& request) {
    hmtc::HttpResponse response;
    response.body = request.method + request.path + request.body;
    for (const auto& [name, value] : request.query) response.body += name + value;
    return response;
  };
  static hmtc::HttpExchange exchange(handler, limits);
  std::optional<std::size_t> end;
  std::size_t searched = 0;
  for (std::size_t arrived = 1; arrived <= bytes.size() && !end; ++arrived) {
    end = hmtc::find_head_end(bytes.substr(0, arrived), searched, limits);
  }
  if (!end) throw hmtc::HttpError(408, "half a head");
  exchange.answer({hmtc::parse_head(bytes.substr(0, *end), limits), std::string(bytes.substr(*end)),
                   hmtc::Clock::now(), nullptr});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = hmtc::as_text(data, size);
  const std::string body(bytes);
  read_or_answer([&] { answer(bytes); });
  read_or_answer([&] { hmtc::parse_predict_request(body, {}); });
  read_or_answer([&] { hmtc::parse_explain_request(body, {}); });
  return 0;
}
