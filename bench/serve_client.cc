// Sends documents to `hmtc serve` over connections that stay open, and says how it went as one line
// of JSON. bench/serve_load runs it.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

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

/// A connection that sends a request and waits for the answer.
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

  /// The status; 0 when the connection broke.
  int exchange(const std::string& request) {
    for (std::size_t sent = 0; sent < request.size();) {
      const ssize_t count = ::send(fd_, request.data() + sent, request.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) return 0;
      sent += static_cast<std::size_t>(count);
    }
    std::string answer;
    std::size_t whole = 0;
    std::array<char, 65536> piece;
    while (whole == 0 || answer.size() < whole) {
      const ssize_t count = ::recv(fd_, piece.data(), piece.size(), 0);
      if (count <= 0) return 0;
      answer.append(piece.data(), static_cast<std::size_t>(count));
      const std::size_t end = answer.find("\r\n\r\n");
      const std::size_t length = answer.find("Content-Length: ");
      if (end != std::string::npos && length < end) {
        whole = end + 4 + std::stoul(answer.substr(length + 16));
      }
    }
    return std::stoi(answer.substr(9));
  }

 private:
  int fd_;
};

std::vector<std::string> make_requests(const Settings& settings) {
  std::ifstream in(settings.documents);
  if (!in) throw std::runtime_error("cannot read " + settings.documents);
  std::vector<std::string> requests;
  json documents = json::array();
  const auto add_request = [&] {
    const std::string body = json{{"documents", documents}}.dump();
    requests.push_back("POST /v1/predict HTTP/1.1\r\nHost: localhost\r\nContent-Length: " +
                       std::to_string(body.size()) + "\r\n\r\n" + body);
    documents.clear();
  };
  for (std::string line; std::getline(in, line);) {
    json document = json::parse(line);
    document.erase("labels");
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

void run_client(const Settings& settings, const std::vector<std::string>& requests,
                std::atomic<std::size_t>& next, Results& results) {
  const auto end = Clock::now() + std::chrono::duration<double>(settings.seconds);
  auto connection = std::make_unique<Connection>(settings.port);
  for (std::size_t i = next++; Clock::now() < end; i = next++) {
    const auto start = Clock::now();
    const int status = connection->exchange(requests[i % requests.size()]);
    ++results.statuses[std::to_string(status)];
    if (status == 200) {
      results.milliseconds.push_back(
          std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    }
    if (status == 0) connection = std::make_unique<Connection>(settings.port);
  }
}

/// The value that a share of all is not above.
double quantile(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0;
  const auto at = static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1) + 0.5);
  return sorted[at];
}

json run(const Settings& settings) {
  const std::vector<std::string> requests = make_requests(settings);
  std::atomic<std::size_t> next = 0;
  std::vector<Results> results(settings.clients);
  const auto start = Clock::now();
  std::vector<std::thread> threads;
  for (Results& each : results) {
    threads.emplace_back([&] { run_client(settings, requests, next, each); });
  }
  for (std::thread& thread : threads) thread.join();
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();

  std::vector<double> times;
  std::map<std::string, std::size_t> statuses;
  for (const Results& each : results) {
    times.insert(times.end(), each.milliseconds.begin(), each.milliseconds.end());
    for (const auto& [status, count] : each.statuses) statuses[status] += count;
  }
  std::sort(times.begin(), times.end());
  const double documents = static_cast<double>(times.size() * settings.texts_per_request);
  return {{"documents_per_second", documents / seconds},
          {"seconds", seconds},
          {"statuses", statuses},
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
