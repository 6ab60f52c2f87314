#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace hmtc {

/// An answer as it came over the wire.
struct RawAnswer {
  int status = 0;
  std::string head;  ///< status line and headers
  std::string body;

  nlohmann::json json() const { return nlohmann::json::parse(body); }
  /// {"error": {"message": …}}, after a check of the status that stands there.
  std::string message() const;
};

/// A connection to a port of this machine that sends any bytes.
class RawClient {
 public:
  explicit RawClient(int port);
  ~RawClient();
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  /// False when the other side has gone.
  bool send(std::string_view bytes) const;
  void end_sending() const;

  /// The next answer; nothing when the connection ends before there is a whole one, or after ten
  /// seconds of silence.
  std::optional<RawAnswer> receive(bool is_head_request = false);
  /// send() and receive() that must succeed.
  RawAnswer exchange(std::string_view bytes);
  RawAnswer get(const std::string& path, const std::string& headers = {});
  RawAnswer post(const std::string& path, const std::string& body, const std::string& headers = {});

  /// Whether the other side has closed the connection; waits for it up to `patience`.
  bool is_closed(std::chrono::milliseconds patience = std::chrono::seconds(10));
  /// Ends at once, without a word to the other side but a reset.
  void kill();

 private:
  bool read_more(std::chrono::milliseconds patience);

  int fd_ = -1;
  std::string input_;
};

/// The bytes of a POST request.
std::string post_bytes(const std::string& path, const std::string& body,
                       const std::string& headers = {});

}  // namespace hmtc
