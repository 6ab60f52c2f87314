#include "serve/api.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <string_view>
#include <unordered_set>

#include "base/error.h"
#include "base/json_text.h"
#include "explain/explanation.h"
#include "serve/api_requests.h"
#include "serve/listening_socket.h"
#include "serve/web_files.h"

namespace hmtc {
namespace {

constexpr std::string_view kWebFolder = "/web/";

HttpResponse json_response(std::string body) {
  HttpResponse response;
  response.body = std::move(body);
  // An answer holds what somebody's text says.
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

/// Takes as long wherever the two differ.
bool is_same_secret(const std::string& given, const std::string& secret) {
  unsigned char difference = given.size() == secret.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i) {
    difference |= static_cast<unsigned char>(given[i] ^ secret[i % secret.size()]);
  }
  return difference == 0;
}

void check_labels(const ModelFacts& facts, const std::vector<std::string>& asked) {
  std::unordered_set<std::string_view> known;
  if (!asked.empty()) {
    for (const LabelFacts& label : facts.labels) known.insert(label.label);
  }
  for (const std::string& label : asked) {
    if (known.contains(label)) continue;
    throw HttpError(400, fmt::format("\"labels\": expected labels of the model (see /v1/labels), "
                                     "found {}",
                                     in_quotes(label)));
  }
}

HttpResponse file_response(const EmbeddedFile& file, const HttpRequest& request) {
  HttpResponse response;
  response.content_type = content_type_of(file.name);
  response.headers = {
      {"Content-Security-Policy",
       "default-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'; "
       "object-src 'none'"},
      {"Referrer-Policy", "no-referrer"},
      {"Cache-Control", "no-cache"},  // asks each time, and mostly hears 304
      {"ETag", std::string(file.etag)}};
  if (request.if_none_match == file.etag) {
    response.status = 304;
  } else {
    response.body = file.content;
  }
  return response;
}

}  // namespace

const std::vector<Api::Route>& Api::table() {
  static const std::vector<Route> routes = {
      {"POST", "/v1/predict", &Api::predict, false},  {"POST", "/v1/explain", &Api::explain, false},
      {"GET", "/v1/labels", &Api::labels, false},     {"GET", "/v1/models", &Api::models, false},
      {"GET", "/v1/examples", &Api::examples, false}, {"GET", "/metrics", &Api::metrics, false},
      {"GET", "/openapi.json", &Api::openapi, false}, {"GET", "/health/live", &Api::live, true},
      {"GET", "/health/ready", &Api::ready, true},    {"GET", "/", &Api::page, true},
      {"GET", "/web/{name}", &Api::page, true},
  };
  return routes;
}

std::vector<std::string> Api::routes() const {
  std::vector<std::string> names;
  for (const Route& route : table()) names.push_back(std::string(route.method) + " " + route.path);
  return names;
}

Api::Api(ApiSettings settings, const ApiParts& parts)
    : settings_(std::move(settings)),
      models_(parts.models),
      batcher_(parts.batcher),
      metrics_(parts.metrics),
      num_connections_(parts.num_connections) {}

HttpResponse Api::answer(const HttpRequest& request) const {
  std::string route = "other";
  HttpResponse response;
  try {
    response = dispatch(request, route);
  } catch (const HttpError& error) {
    response = error_response(error);
  } catch (const TooManyWeights& error) {
    response = error_response(HttpError(413, error.what()));
  } catch (const Error& error) {
    // What a model says about a document; its other errors are ours.
    const bool is_input = error.kind() == ErrorKind::kInput;
    if (!is_input) spdlog::error("{}: {}", route, error.what());
    response = error_response(is_input ? HttpError(400, error.what())
                                       : HttpError(500, "internal error; see the server's log"));
  } catch (const std::exception& error) {
    spdlog::error("{}: {}", route, error.what());
    response = error_response(HttpError(500, "internal error; see the server's log"));
  }
  response.route = route;
  return response;
}

HttpResponse Api::dispatch(const HttpRequest& request, std::string& route) const {
  const bool is_file = request.path.starts_with(kWebFolder);
  const std::string path = is_file ? "/web/{name}" : request.path;
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  std::string allowed;
  for (const Route& each : table()) {
    if (path != each.path) continue;
    route = each.path;
    if (method == each.method) {
      if (!each.is_open) {
        check_token(request);
        check_host(request);
      }
      return (this->*each.answer)(request);
    }
    allowed = each.method;
  }
  if (allowed.empty()) throw HttpError(404, "there is no such page; see /openapi.json");
  if (allowed == "GET") allowed = "GET, HEAD";
  HttpResponse response =
      error_response(HttpError(405, fmt::format("expected {}, found another method", allowed)));
  response.headers.emplace_back("Allow", allowed);
  return response;
}

void Api::check_token(const HttpRequest& request) const {
  if (settings_.token.empty()) return;
  constexpr std::string_view kScheme = "Bearer ";
  const std::string& header = request.authorization;
  if (header.starts_with(kScheme) &&
      is_same_secret(header.substr(kScheme.size()), settings_.token)) {
    return;
  }
  throw HttpError(401,
                  "expected the header \"Authorization: Bearer TOKEN\" with the server's token");
}

/// A page of another site can have its own name lead to this machine, and would then be asking in
/// the browser of whoever reads it (DNS rebinding); it cannot have the browser send another name.
void Api::check_host(const HttpRequest& request) const {
  if (!settings_.for_this_machine || request.host.empty()) return;
  if (is_loopback(host_without_port(request.host))) return;
  throw HttpError(421, fmt::format("expected the Host header to name this machine (localhost), "
                                   "found {}; a proxy is to set it, or use --token-file",
                                   in_quotes(request.host)));
}

std::shared_ptr<const StoredModel> Api::model_named(const std::string& name) const {
  if (!models_.is_ready()) throw HttpError(503, "the models are being loaded; try again soon", 1);
  if (auto model = models_.find(name)) return model;
  std::string names;
  for (const auto& model : models_.all()) names += (names.empty() ? "" : ", ") + model->name;
  throw HttpError(404, fmt::format("there is no model {}; there is {}", in_quotes(name), names));
}

ModelCall Api::call_of(const HttpRequest& request, const StoredModel& model) const {
  return {model.model, request.arrived + settings_.limits.deadline, request.client_gone};
}

HttpResponse Api::predict(const HttpRequest& request) const {
  PredictRequest parsed = parse_predict_request(request.body, settings_.limits);
  const auto model = model_named(parsed.model);
  const std::vector<std::string> documents =
      batcher_.predict(call_of(request, *model), std::move(parsed.documents), parsed.answer);
  std::string body = R"({"model":)";
  append_json_string(body, model->name);
  body += R"(,"documents":[)";
  for (std::size_t i = 0; i < documents.size(); ++i) (body += i == 0 ? "" : ",") += documents[i];
  return json_response(body + "]}");
}

HttpResponse Api::explain(const HttpRequest& request) const {
  ExplainRequest parsed = parse_explain_request(request.body, settings_.limits);
  const auto model = model_named(parsed.model);
  check_labels(model->model->facts(), parsed.answer.labels);
  const std::string explanation =
      batcher_.explain(call_of(request, *model), std::move(parsed.document), parsed.answer);
  std::string body = R"({"model":)";
  append_json_string(body, model->name);
  const bool is_empty = explanation == "{}";
  return json_response(body + (is_empty ? "" : ",") + explanation.substr(1));
}

HttpResponse Api::labels(const HttpRequest& request) const {
  const auto name = request.query.find("model");
  return json_response(
      model_named(name == request.query.end() ? std::string() : name->second)->labels_json);
}

HttpResponse Api::models(const HttpRequest& /*request*/) const {
  std::string body = R"({"models":[)";
  bool is_first = true;
  for (const auto& model : models_.all()) {
    const ModelFacts& facts = model->model->facts();
    append_json_string(body += is_first ? R"({"name":)" : R"(,{"name":)", model->name);
    append_json_string(body += R"(,"kind":)", facts.kind);
    body += fmt::format(R"(,"labels":{},"levels":[{}],"loaded":"{}","default":{}}})",
                        facts.labels.size(), fmt::join(facts.levels, ","), model->loaded, is_first);
    is_first = false;
  }
  return json_response(body + "]}");
}

HttpResponse Api::examples(const HttpRequest& /*request*/) const {
  return json_response(settings_.examples);
}

HttpResponse Api::live(const HttpRequest& /*request*/) const {
  return json_response(R"({"status":"ok"})");
}

HttpResponse Api::ready(const HttpRequest& /*request*/) const {
  if (is_ready()) return json_response(R"({"status":"ok"})");
  throw HttpError(503, is_draining_ ? "the server is stopping" : "the models are being loaded", 1);
}

HttpResponse Api::metrics(const HttpRequest& /*request*/) const {
  HttpResponse response = json_response(metrics_.text(
      {is_ready(), num_connections_(), batcher_.num_requests(), batcher_.num_waiting_documents()}));
  response.content_type = "text/plain; version=0.0.4; charset=utf-8";
  return response;
}

HttpResponse Api::openapi(const HttpRequest& /*request*/) const {
  return json_response(std::string(openapi_json()));
}

HttpResponse Api::page(const HttpRequest& request) const {
  const std::string name =
      request.path == "/" ? "index.html" : request.path.substr(kWebFolder.size());
  for (const EmbeddedFile& file : web_files()) {
    if (file.name == name) return file_response(file, request);
  }
  throw HttpError(404, "the page has no such file");
}

}  // namespace hmtc
