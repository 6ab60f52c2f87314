#include "serve/request_head.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/strings.h"
#include "serve/http_types.h"

namespace hmtc {
namespace {

constexpr std::string_view kLineEnd = "\r\n";

HttpError line_too_long(const HttpLimits& limits) {
  return HttpError(414, fmt::format("expected a request line of at most {} bytes, found a longer "
                                    "one; shorten the URL",
                                    limits.request_line_bytes));
}

/// RFC 9110: the characters of a token.
bool is_token_character(char c) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         kMarks.find(c) != std::string_view::npos;
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t') || byte == 0x7F;
}

struct Header {
  std::string name;  ///< in lower case
  std::string_view value;
};

Header split_header(std::string_view line) {
  const std::size_t colon = line.find(':');
  const std::string_view name = line.substr(0, colon);
  if (colon == std::string_view::npos || name.empty() ||
      !std::all_of(name.begin(), name.end(), is_token_character)) {
    throw HttpError(400, "expected headers as lines \"name: value\", found another line");
  }
  return {lower_ascii(name), trim(line.substr(colon + 1))};
}

std::size_t parse_length(std::string_view value) {
  std::size_t length = 0;
  const char* end = value.data() + value.size();
  const auto [rest, failure] = std::from_chars(value.data(), end, length);
  if (!is_digits(value) || rest != end) {
    throw HttpError(400, "expected one Content-Length of digits, found another value");
  }
  // More digits than the type holds: as large as can be said.
  return failure == std::errc() ? length : static_cast<std::size_t>(-1);
}

bool has_word(std::string_view list, std::string_view word) {
  const std::string lower = lower_ascii(list);
  const auto items = split_fields(lower, ',');
  return std::any_of(items.begin(), items.end(),
                     [&](std::string_view item) { return trim(item) == word; });
}

/// The request line with the path alone: RFC 9112 has servers accept "GET http://host/path
/// HTTP/1.1" too.
std::string with_path_alone(std::string_view request_line) {
  std::string line(request_line);
  const std::size_t begin = line.find(' ') + 1;
  const std::size_t authority = line.find("://", begin);
  const std::size_t end = line.find(' ', begin);
  if (begin == 0 || end == std::string::npos || authority > end) return line;
  const std::string scheme = lower_ascii(std::string_view(line).substr(begin, authority - begin));
  if (scheme != "http" && scheme != "https") return line;
  const std::size_t path = std::min(line.find_first_of("/?", authority + 3), end);
  line.replace(begin, path - begin, line[path] == '/' ? "" : "/");
  return line;
}

/// What the headers say, gathered one by one.
class HeadBuilder {
 public:
  explicit HeadBuilder(std::string_view request_line)
      : is_http_1_1_(request_line.ends_with("HTTP/1.1")) {
    head_.request_line = with_path_alone(request_line);
    head_.keep_alive = is_http_1_1_;
  }

  void add(const Header& header) {
    if (header.name == "content-length") {
      if (has_length_) throw HttpError(400, "expected one Content-Length, found several");
      has_length_ = true;
      head_.body_bytes = parse_length(header.value);
    } else if (header.name == "transfer-encoding") {
      throw HttpError(411,
                      "expected a body of known length, found Transfer-Encoding; send "
                      "Content-Length instead");
    } else if (header.name == "content-encoding" && lower_ascii(header.value) != "identity") {
      throw HttpError(415,
                      "expected a body that is not compressed; send it without "
                      "Content-Encoding");
    } else if (header.name == "connection") {
      if (has_word(header.value, "close")) closes_ = true;
      if (has_word(header.value, "keep-alive")) head_.keep_alive = true;
    } else if (header.name == "host") {
      ++hosts_;
      head_.host = header.value;
    } else if (header.name == "expect") {
      head_.expects_continue = is_http_1_1_ && lower_ascii(header.value) == "100-continue";
    } else if (header.name == "authorization") {
      head_.authorization = header.value;
    } else if (header.name == "if-none-match") {
      head_.if_none_match = header.value;
    }
  }

  RequestHead take() {
    if (hosts_ > 1 || (is_http_1_1_ && hosts_ == 0)) {
      throw HttpError(
          400, fmt::format("expected one Host header, found {}", hosts_ == 0 ? "none" : "several"));
    }
    if (closes_) head_.keep_alive = false;
    return std::move(head_);
  }

 private:
  const bool is_http_1_1_;
  RequestHead head_;
  bool has_length_ = false;
  bool closes_ = false;
  std::size_t hosts_ = 0;
};

}  // namespace

std::optional<std::size_t> find_head_end(std::string_view bytes, std::size_t& searched,
                                         const HttpLimits& limits) {
  constexpr std::string_view kHeadEnd = "\r\n\r\n";
  const std::size_t from = searched < kHeadEnd.size() ? 0 : searched - kHeadEnd.size() + 1;
  const std::size_t end = bytes.find(kHeadEnd, from);
  searched = bytes.size();
  const std::size_t known = end == std::string_view::npos ? bytes.size() : end + kHeadEnd.size();
  if (known > limits.request_line_bytes &&
      bytes.substr(0, limits.request_line_bytes).find(kLineEnd) == std::string_view::npos) {
    throw line_too_long(limits);
  }
  if (known > limits.head_bytes) {
    throw HttpError(
        431, fmt::format("expected headers of at most {} bytes, found more", limits.head_bytes));
  }
  if (end == std::string_view::npos) return std::nullopt;
  return known;
}

RequestHead parse_head(std::string_view head, const HttpLimits& limits) {
  const std::size_t line_end = head.find(kLineEnd);
  HeadBuilder builder(head.substr(0, line_end));
  std::size_t headers = 0;
  for (std::string_view rest = head.substr(line_end + 2); !rest.starts_with(kLineEnd);) {
    const std::size_t end = rest.find(kLineEnd);
    const std::string_view line = rest.substr(0, end);
    if (std::any_of(line.begin(), line.end(), is_control)) {
      throw HttpError(400,
                      "expected headers without control characters, in lines that end with "
                      "CR LF");
    }
    if (++headers > limits.headers) {
      throw HttpError(431, fmt::format("expected at most {} headers, found more", limits.headers));
    }
    builder.add(split_header(line));
    rest.remove_prefix(end + kLineEnd.size());
  }
  RequestHead result = builder.take();
  if (std::any_of(result.request_line.begin(), result.request_line.end(), is_control)) {
    throw HttpError(400, "expected a request line without control characters");
  }
  if (result.body_bytes > limits.body_bytes) {
    throw HttpError(413, fmt::format("expected a body of at most {} bytes, found more; send fewer "
                                     "documents at a time",
                                     limits.body_bytes));
  }
  return result;
}

}  // namespace hmtc
