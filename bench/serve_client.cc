// Sends documents to `hmtc serve` over connections that stay open, and says how it went as one line
// of JSON. bench/serve_load runs it.
//
// It shares the processors with the server, so it is made to cost little: one thread looks after
// all connections, the requests are made before the clock starts, and an answer is compared with
// the ids that it must have instead of being parsed.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;

struct Settings {
  int port = 0;
  std::string documents;
  std::size_t clients = 32;
  std::size_t texts_per_request = 1;
  double seconds = 20;  ///< at most
};

struct Request {
  std::string bytes;
  std::vector<std::string> ids;  ///< as its answer must have them, in this order
};

constexpr int kMostSilenceMs = 60'000;
constexpr const char* kBroken = "broken";  ///< instead of a status: the connection has ended
constexpr const char* kWrong = "wrong";    ///< 200, but not the answer to this request

/// Whether the body has an object for each of the documents.
bool answers(std::string_view body, const Request& request) {
  std::size_t at = 0;
  for (const std::string& id : request.ids) {
    at = body.find(id, at);
    if (at == std::string_view::npos) return false;
    at += id.size();
  }
  return body.ends_with("]}");
}

/// A connection that has one request under way at a time.
class Connection {
 public:
  explicit Connection(int port) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    const int on = 1;
    ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
      throw std::runtime_error("cannot connect");
    }
  }
  ~Connection() { ::close(fd_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  int fd() const { return fd_; }
  Clock::time_point started() const { return started_; }

  /// A connection that breaks here is seen when the answer is read.
  void send(const Request& request) {
    request_ = &request;
    answer_.clear();
    whole_ = 0;
    started_ = Clock::now();
    for (std::size_t sent = 0; sent < request.bytes.size();) {
      const ssize_t count =
          ::send(fd_, request.bytes.data() + sent, request.bytes.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) return;
      sent += static_cast<std::size_t>(count);
    }
  }

  /// Takes what has come; gives the status when that is all.
  std::optional<std::string> receive() {
    std::array<char, 65536> piece;
    const ssize_t count = ::recv(fd_, piece.data(), piece.size(), MSG_DONTWAIT);
    if (count < 0 && errno == EAGAIN) return std::nullopt;
    if (count <= 0) return kBroken;
    answer_.append(piece.data(), static_cast<std::size_t>(count));
    if (whole_ == 0) find_length();
    if (whole_ == 0 || answer_.size() < whole_) return std::nullopt;
    const std::string status = answer_.substr(std::string_view("HTTP/1.1 ").size(), 3);
    const std::string_view body = std::string_view(answer_).substr(body_begin_);
    if (status == "200" && (answer_.size() > whole_ || !answers(body, *request_))) return kWrong;
    return status;
  }

 private:
  void find_length() {
    constexpr std::string_view kLength = "Content-Length: ";
    const std::size_t end = answer_.find("\r\n\r\n");
    const std::size_t length = answer_.find(kLength);
    if (end == std::string::npos || length > end) return;
    body_begin_ = end + 4;
    whole_ = body_begin_ + std::stoul(answer_.substr(length + kLength.size(), 20));
  }

  int fd_;
  const Request* request_ = nullptr;
  Clock::time_point started_;
  std::string answer_;
  std::size_t body_begin_ = 0;
  std::size_t whole_ = 0;  ///< bytes of the answer; 0: not known yet
};

std::vector<Request> make_requests(const Settings& settings) {
  std::ifstream in(settings.documents);
  if (!in) throw std::runtime_error("cannot read " + settings.documents);
  std::vector<Request> requests;
  json documents = json::array();
  std::vector<std::string> ids;
  const auto add_request = [&] {
    const std::string body = json{{"documents", documents}}.dump();
    requests.push_back({"POST /v1/predict HTTP/1.1\r\nHost: localhost\r\nContent-Length: " +
                            std::to_string(body.size()) + "\r\n\r\n" + body,
                        ids});
    documents.clear();
    ids.clear();
  };
  for (std::string line; std::getline(in, line);) {
    json document = json::parse(line);
    document.erase("labels");
    document.emplace("id", std::to_string(documents.size() + 1));  // unless it has one
    ids.push_back("{\"id\":" + document["id"].dump() + ",\"labels\":[");
    documents.push_back(std::move(document));
    if (documents.size() == settings.texts_per_request) add_request();
  }
  if (requests.empty()) throw std::runtime_error("too few documents in " + settings.documents);
  return requests;
}

struct Results {
  std::vector<double> milliseconds;  ///< of answers with status 200
  std::map<std::string, std::size_t> statuses;
};

/// All clients: each sends its next request as soon as it has its answer.
class Load {
 public:
  explicit Load(const Settings& settings)
      : settings_(settings), requests_(make_requests(settings)), epoll_(::epoll_create1(0)) {}
  ~Load() { ::close(epoll_); }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

  Results run() {
    end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                              std::chrono::duration<double>(settings_.seconds));
    connections_.resize(settings_.clients);
    for (std::size_t i = 0; i < settings_.clients; ++i) {
      connect(i);
      send(i);
    }
    while (under_way_ > 0) {
      std::array<epoll_event, 256> events;
      const int count = ::epoll_wait(epoll_, events.data(), events.size(), kMostSilenceMs);
      if (count == 0) throw std::runtime_error("the server has answered nothing for a minute");
      for (int i = 0; i < count; ++i) receive(events[static_cast<std::size_t>(i)].data.u64);
    }
    return std::move(results_);
  }

 private:
  void connect(std::size_t client) {
    connections_[client] = std::make_unique<Connection>(settings_.port);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = client;
    ::epoll_ctl(epoll_, EPOLL_CTL_ADD, connections_[client]->fd(), &event);
  }

  void send(std::size_t client) {
    connections_[client]->send(requests_[next_++ % requests_.size()]);
    ++under_way_;
  }

  void receive(std::size_t client) {
    Connection& connection = *connections_[client];
    const auto status = connection.receive();
    if (!status) return;
    const Clock::time_point now = Clock::now();
    --under_way_;
    ++results_.statuses[*status];
    if (*status == "200") {
      results_.milliseconds.push_back(
          std::chrono::duration<double, std::milli>(now - connection.started()).count());
    }
    if (*status == kBroken) connect(client);
    if (now < end_) send(client);
  }

  const Settings& settings_;
  const std::vector<Request> requests_;
  const int epoll_;
  Clock::time_point end_;
  std::vector<std::unique_ptr<Connection>> connections_;
  std::size_t next_ = 0;
  std::size_t under_way_ = 0;
  Results results_;
};

/// The value that a share of all is not above.
double quantile(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0;
  const auto at = static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1) + 0.5);
  return sorted[at];
}

json run(const Settings& settings) {
  Load load(settings);
  const auto start = Clock::now();
  Results results = load.run();
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();

  std::vector<double>& times = results.milliseconds;
  std::sort(times.begin(), times.end());
  const double documents = static_cast<double>(times.size() * settings.texts_per_request);
  return {{"documents_per_second", documents / seconds},
          {"seconds", seconds},
          {"statuses", results.statuses},
          {"p50_ms", quantile(times, 0.5)},
          {"p99_ms", quantile(times, 0.99)},
          {"max_ms", quantile(times, 1)}};
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App program("Sends documents to hmtc serve on this machine");
  program.add_option("port", settings.port)->required();
  program.add_option("documents", settings.documents, "JSON lines")->required();
  program.add_option("--clients", settings.clients)->check(CLI::Range(1, 4096));
  program.add_option("--texts-per-request", settings.texts_per_request)->check(CLI::Range(1, 4096));
  program.add_option("--seconds", settings.seconds)->check(CLI::Range(0.1, 600.0));
  CLI11_PARSE(program, argc, argv);
  try {
    std::cout << run(settings).dump() << '\n';
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
