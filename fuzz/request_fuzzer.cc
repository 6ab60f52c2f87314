// What a client sends to the server: the head of a request, and the bodies of both calls.
#include "fuzz.h"
#include "serve/api_requests.h"
#include "serve/request_head.h"

namespace {

template <typename Read>
void read_or_answer(const Read& read) {
  try {
    read();
  } catch (const hmtc::HttpError&) {  // has a status and a message for the client
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = hmtc::as_text(data, size);
  const hmtc::HttpLimits limits;
  read_or_answer([&] {
    std::size_t searched = 0;
    const auto end = hmtc::find_head_end(bytes, searched, limits);
    if (end) hmtc::parse_head(bytes.substr(0, *end), limits);
  });
  const std::string body(bytes);
  read_or_answer([&] { hmtc::parse_predict_request(body, {}); });
  read_or_answer([&] { hmtc::parse_explain_request(body, {}); });
  return 0;
}
