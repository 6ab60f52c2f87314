#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <memory>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "base/parallel.h"
#include "base/strings.h"
#include "checks.h"
#include "output.h"
#include "serve/loaded_backend.h"
#include "serve/server.h"
#include "signals.h"
#include "verbs.h"

namespace hmtc {
namespace {

constexpr std::chrono::milliseconds kLookEvery{20};

struct ServeArguments {
  std::vector<std::filesystem::path> models;
  ServeOptions options;
  std::string token_file;
  bool quiet = false;
  int threads = 0;
};

/// A token on the command line could be read by everybody on the machine, so it stands in a file.
std::string read_token(const std::string& path) {
  if (path.empty()) return {};
  std::string token(trim(read_file(path)));
  if (token.empty()) {
    throw input_error({path, 0}, {"a token", "an empty file", "write one, say 32 random letters"});
  }
  return token;
}

/// An option in seconds for a limit in milliseconds.
void add_seconds(CLI::App& verb, const std::string& name, std::chrono::milliseconds& to,
                 const std::string& meaning) {
  const auto set = [&to](const double& seconds) {
    to = std::chrono::milliseconds(std::llround(seconds * 1000));
  };
  verb.add_option_function<double>(name, set, meaning)
      ->check(number_from(0.001, 86400))
      ->default_str(fmt::format("{}", static_cast<double>(to.count()) / 1000));
}

void add_count(CLI::App& verb, const std::string& name, std::size_t& to, const std::string& meaning,
               std::uint64_t most = std::uint64_t{1} << 31) {
  verb.add_option(name, to, meaning)->check(whole_number_from(1, most))->capture_default_str();
}

void add_limits(CLI::App& verb, ServeOptions& options) {
  add_count(verb, "--max-body", options.http.body_bytes, "bytes of a request's body");
  add_count(verb, "--max-header-bytes", options.http.head_bytes, "bytes of a request's headers");
  add_count(verb, "--max-headers", options.http.headers, "headers of a request");
  add_count(verb, "--max-connections", options.http.connections, "connections at a time");
  add_count(verb, "--max-memory", options.http.large_bytes,
            "bytes of the large requests and unread answers of all connections");
  add_count(verb, "--max-documents", options.requests.documents, "documents of a request");
  add_count(verb, "--max-words", options.requests.words, "words of a document");
  add_count(verb, "--queue", options.batches.queue_requests,
            "requests that may wait for a model, a thread each; above it 429", 4096);
  add_count(verb, "--queue-documents", options.batches.queue_documents, "and their documents");
  add_count(verb, "--batch", options.batches.documents,
            "documents of a batch; there are as many batches as threads");
  verb.add_option_function<double>(
          "--window",
          [&options](const double& milliseconds) {
            options.batches.window = std::chrono::microseconds(std::llround(milliseconds * 1000));
          },
          "milliseconds that a request may wait for others to share its batch")
      ->check(number_from(0, 1000))
      ->default_str(fmt::format("{}", static_cast<double>(options.batches.window.count()) / 1000));
  add_seconds(verb, "--deadline", options.requests.deadline, "seconds from request to answer");
  add_seconds(verb, "--head-timeout", options.http.head_timeout, "seconds to send the headers");
  add_seconds(verb, "--read-timeout", options.http.read_timeout, "seconds to send a request");
  add_seconds(verb, "--write-timeout", options.http.write_timeout, "seconds to read an answer");
  add_seconds(verb, "--idle-timeout", options.http.idle_timeout, "seconds between two requests");
  add_seconds(verb, "--drain-timeout", options.drain_timeout,
              "seconds to finish after SIGTERM or SIGINT");
}

/// Until SIGTERM or SIGINT. A SIGHUP has the models loaded anew.
void serve_until_told(Server& server) {
  // Meanwhile /health/live answers, and the program can be told to stop.
  std::future<void> loading = std::async(std::launch::async, [&server] { server.load(); });
  while (!stop_token().is_set()) {
    if (loading.valid() && loading.wait_for(kLookEvery) == std::future_status::ready) {
      loading.get();
      spdlog::info("ready");
    } else if (!loading.valid()) {
      std::this_thread::sleep_for(kLookEvery);
    }
    if (!loading.valid() && take_hangup()) server.reload();
  }
  spdlog::info("signal {}: finishing what is under way", caught_signal());
  server.drain();
}

void check(const HttpLimits& limits) {
  if (limits.body_bytes <= limits.large_bytes) return;
  throw Error(ErrorKind::kUsage,
              fmt::format("--max-body {}: expected no more than --max-memory, {}; raise that, or "
                          "lower this",
                          limits.body_bytes, limits.large_bytes));
}

void serve(ServeArguments& arguments) {
  check(arguments.options.http);
  arguments.options.token = read_token(arguments.token_file);
  arguments.options.logs_exchanges = !arguments.quiet;
  const int threads = arguments.threads > 0 ? arguments.threads : hardware_threads();
  BatchOptions& batches = arguments.options.batches;
  batches.at_once = std::min(static_cast<std::size_t>(threads), batches.queue_requests);
  Server server(arguments.options, arguments.models,
                [threads](const std::filesystem::path& directory) {
                  return load_served_model(directory, threads);
                });
  const std::string& host = arguments.options.host;
  if (!is_loopback(host) && arguments.options.token.empty()) {
    spdlog::warn("{}: everybody who can reach this machine can use the server; see --token-file",
                 host);
  }
  catch_signals();
  catch_hangups();
  const bool is_ipv6 = host.find(':') != std::string::npos;
  print_result(
      fmt::format("listening on http://{}:{}\n", is_ipv6 ? "[" + host + "]" : host, server.port()));
  flush_results();
  serve_until_told(server);
}

}  // namespace

void add_serve_verb(CLI::App& program) {
  CLI::App* verb = program.add_subcommand("serve", "Answer requests over HTTP, with a page to try");
  const auto arguments = std::make_shared<ServeArguments>();
  ServeOptions& options = arguments->options;
  options.port = 8080;
  verb->add_option("models", arguments->models, "model directories; the first is the default")
      ->required();
  verb->add_option("--host", options.host, "address to listen on")->capture_default_str();
  verb->add_option("--port", options.port, "0: any that is free")
      ->check(whole_number_from(0, 65535))
      ->capture_default_str();
  verb->add_option("--token-file", arguments->token_file,
                   "requests must carry the token in this file");
  verb->add_option("--examples", options.examples, "JSON lines with texts that the page offers");
  verb->add_option("--threads", arguments->threads,
                   "of the models and of batches; 0: as many as the machine has")
      ->check(whole_number_from(0, 4096));
  verb->add_flag("--quiet", arguments->quiet, "do not log requests");
  add_limits(*verb, options);
  verb->callback([arguments] { serve(*arguments); });
}

}  // namespace hmtc
