#include "serve/api_requests.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <functional>
#include <set>

#include "base/error.h"
#include "text/word_bound.h"

namespace hmtc {
namespace {

namespace json = simdjson::dom;

HttpError bad_request(const std::string& message) { return HttpError(400, message); }

/// Members by name with what to do with each; whatever else an object holds is an error.
class ObjectReader {
 public:
  using Read = std::function<void(json::element)>;

  ObjectReader(std::string what, std::vector<std::pair<std::string, Read>> members)
      : what_(std::move(what)), members_(std::move(members)) {}

  void read(json::element value) const {
    json::object object;
    if (value.get(object) != simdjson::SUCCESS) {
      throw bad_request(fmt::format("{}: expected a JSON object, found another value", what_));
    }
    std::set<std::string_view> seen;
    for (const auto& [key, member] : object) {
      const auto found =
          std::find_if(members_.begin(), members_.end(),
                       [name = key](const auto& known) { return known.first == name; });
      if (found == members_.end()) throw unknown_member(std::string(key));
      if (!seen.insert(found->first).second) {
        throw bad_request(fmt::format("{}: \"{}\" stands there twice", what_, found->first));
      }
      found->second(member);
    }
  }

 private:
  HttpError unknown_member(const std::string& name) const {
    std::string known;
    for (const auto& member : members_) known += (known.empty() ? "" : ", ") + member.first;
    return bad_request(
        fmt::format("{}: expected only the members {}, found {}", what_, known, in_quotes(name)));
  }

  std::string what_;
  std::vector<std::pair<std::string, Read>> members_;
};

template <typename T>
T value_of(json::element value, const char* name, const char* expected) {
  T result;
  if (value.get(result) != simdjson::SUCCESS) {
    throw bad_request(fmt::format("\"{}\": expected {}, found another value", name, expected));
  }
  return result;
}

std::string string_of(json::element value, const char* name) {
  return std::string(value_of<std::string_view>(value, name, "a string"));
}

/// A list may have at most `most` items: looked at before anything is made of them.
struct Bound {
  std::size_t most = 0;
  const char* what = "";
  const char* remedy = "";
};

void check_bound(std::size_t found, const Bound& bound) {
  if (found <= bound.most) return;
  throw HttpError(413, fmt::format("expected at most {} {}, found {}; {}", bound.most, bound.what,
                                   found, bound.remedy));
}

Bound documents_bound(const RequestLimits& limits) {
  return {limits.documents, "documents in a request", "send them in several requests"};
}

Bound words_bound(const RequestLimits& limits) {
  return {limits.words, "words in a document", "send a part of it"};
}

constexpr Bound kLabelsBound = {10'000, "labels in a request", "ask for fewer"};

json::array list_of(json::element value, const char* name, const Bound& bound) {
  const auto list = value_of<json::array>(value, name, "a list");
  check_bound(list.size(), bound);
  return list;
}

/// Identifiers may be numbers, as they may in data files.
std::string id_of(json::element value) {
  if (value.is_number()) return simdjson::minify(value);
  return std::string(value_of<std::string_view>(value, "id", "a string or number"));
}

ObjectReader::Read read_string(std::string& to, const char* name) {
  return [&to, name](json::element value) { to = string_of(value, name); };
}

ObjectReader::Read read_bool(bool& to, const char* name) {
  return [&to, name](json::element value) { to = value_of<bool>(value, name, "true or false"); };
}

ObjectReader::Read read_strings(std::vector<std::string>& to, const char* name,
                                const Bound& bound) {
  return [&to, name, bound](json::element value) {
    for (const json::element item : list_of(value, name, bound)) {
      to.push_back(string_of(item, name));
    }
  };
}

ObjectReader::Read read_top(PredictOptions& to) {
  return [&to](json::element value) {
    const auto top = value_of<std::int64_t>(value, "top", "a whole number from 1");
    if (top < 1) throw bad_request("\"top\": expected a whole number from 1, found less");
    to.top = static_cast<std::size_t>(top);
  };
}

ObjectReader::Read read_threshold(PredictOptions& to) {
  return [&to](json::element value) {
    const auto threshold = value_of<double>(value, "threshold", "a number from 0 to 1");
    if (!(threshold >= 0 && threshold <= 1)) {
      throw bad_request(
          fmt::format("\"threshold\": expected a number from 0 to 1, found {}", threshold));
    }
    to.threshold = threshold;
  };
}

std::string text_of(json::element value, const char* name, const RequestLimits& limits) {
  std::string text = string_of(value, name);
  check_bound(most_words_in(text), words_bound(limits));
  return text;
}

ObjectReader::Read read_text(Document& to, const RequestLimits& limits) {
  return [&to, &limits](json::element value) { to.text = text_of(value, "text", limits); };
}

ObjectReader::Read read_tokens(Document& to, const RequestLimits& limits) {
  return [&to, bound = words_bound(limits)](json::element value) {
    read_strings(to.tokens.emplace(), "tokens", bound)(value);
  };
}

void check_has_one_content(const Document& document, const std::string& what) {
  if (document.text.has_value() == document.tokens.has_value()) {
    throw bad_request(fmt::format("{}: expected \"text\" or \"tokens\", found {}", what,
                                  document.text ? "both" : "neither"));
  }
}

json::element parse_json(json::parser& parser, const std::string& body) {
  json::element root;
  const auto code = parser.parse(body).get(root);
  if (code == simdjson::UTF8_ERROR) {
    throw bad_request("the body: expected UTF-8, found other bytes; send the JSON as UTF-8");
  }
  if (code != simdjson::SUCCESS) {
    throw bad_request(fmt::format("the body: expected JSON, found something else ({})",
                                  simdjson::error_message(code)));
  }
  return root;
}

/// The three forms in which documents come: one text, texts, documents with ids.
struct DocumentForms {
  const RequestLimits& limits;
  Document one = {};
  std::vector<Document> texts = {};
  std::vector<Document> documents = {};
  int num_forms = 0;

  ObjectReader::Read form(ObjectReader::Read read) {
    return [this, read = std::move(read)](json::element value) {
      ++num_forms;
      read(value);
    };
  }

  void read_texts(json::element value) {
    for (const json::element item : list_of(value, "texts", documents_bound(limits))) {
      texts.emplace_back().text = text_of(item, "texts", limits);
    }
  }

  void read_documents(json::element value) {
    for (const json::element item : list_of(value, "documents", documents_bound(limits))) {
      Document& document = documents.emplace_back();
      const std::string what = fmt::format("document {}", documents.size());
      ObjectReader(what, {{"id", [&](json::element id) { document.id = id_of(id); }},
                          {"text", read_text(document, limits)},
                          {"tokens", read_tokens(document, limits)}})
          .read(item);
      check_has_one_content(document, what);
    }
  }

  std::vector<Document> take() {
    if (num_forms != 1) {
      throw bad_request(
          fmt::format("expected one of \"text\", \"texts\" and \"documents\", found {}",
                      num_forms == 0 ? "none" : "several"));
    }
    if (one.text) texts.push_back(std::move(one));
    std::vector<Document> all = texts.empty() ? std::move(documents) : std::move(texts);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].id.empty()) all[i].id = std::to_string(i + 1);
    }
    return all;
  }
};

}  // namespace

PredictRequest parse_predict_request(const std::string& body, const RequestLimits& limits) {
  PredictRequest request;
  DocumentForms forms{limits};
  json::parser parser;
  ObjectReader(
      "the body",
      {{"text", forms.form(read_text(forms.one, limits))},
       {"texts", forms.form([&](json::element value) { forms.read_texts(value); })},
       {"documents", forms.form([&](json::element value) { forms.read_documents(value); })},
       {"model", read_string(request.model, "model")},
       {"top", read_top(request.answer.labels)},
       {"threshold", read_threshold(request.answer.labels)},
       {"all_scores", read_bool(request.answer.all_scores, "all_scores")}})
      .read(parse_json(parser, body));
  request.documents = forms.take();
  return request;
}

ExplainRequest parse_explain_request(const std::string& body, const RequestLimits& limits) {
  ExplainRequest request;
  json::parser parser;
  ObjectReader("the body", {{"text", read_text(request.document, limits)},
                            {"tokens", read_tokens(request.document, limits)},
                            {"model", read_string(request.model, "model")},
                            {"labels", read_strings(request.answer.labels, "labels", kLabelsBound)},
                            {"top", read_top(request.answer.predicted)},
                            {"threshold", read_threshold(request.answer.predicted)},
                            {"all_scores", read_bool(request.answer.all_scores, "all_scores")},
                            {"components", read_bool(request.answer.components, "components")}})
      .read(parse_json(parser, body));
  check_has_one_content(request.document, "the body");
  return request;
}

}  // namespace hmtc
