#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/limits.h"

namespace hmtc {

/// The head of a request as far as it decides how to go on: where the request ends, whether the
/// connection stays open, and the headers that an answer may depend on.
struct RequestHead {
  std::string request_line;  ///< without its end and the host in it; cpp-httplib reads it
  std::size_t body_bytes = 0;
  bool keep_alive = true;
  bool expects_continue = false;
  std::string host;  ///< the header's value
  std::string authorization;
  std::string if_none_match;
};

/// Where the head ends, its empty line included; nothing while it is not all there. `searched`
/// remembers how far earlier calls have looked.
/// Throws HttpError (414, 431) as soon as it can only become too long.
std::optional<std::size_t> find_head_end(std::string_view bytes, std::size_t& searched,
                                         const HttpLimits& limits);

/// Reads a whole head. It is strict, so that no proxy in front can see the requests end elsewhere:
/// lines end with CR LF, nothing is folded, there is one length or none, and one host.
/// Throws HttpError: 400 malformed, 411 chunked, 413 body too large, 414 and 431 too long,
/// 415 compressed.
RequestHead parse_head(std::string_view head, const HttpLimits& limits);

}  // namespace hmtc
