#include "base/json_text.h"
#include "explain/explanation.h"
#include "explain/label_facts.h"

namespace hmtc {
namespace {

void append_member(std::string& out, const char* name, float value) {
  append_json_number(((out += '"') += name) += "\":", value);
}

void append_numbers(std::string& out, const std::vector<float>& values) {
  const char* separator = "[";
  if (values.empty()) out += '[';
  for (const float value : values) {
    append_json_number(out += separator, value);
    separator = ",";
  }
  out += ']';
}

/// A member that is an object of numbers; nothing where there is none.
void append_named(std::string& out, const char* name, const std::vector<NamedNumber>& numbers) {
  if (numbers.empty()) return;
  ((out += ",\"") += name) += "\":";
  const char* separator = "{";
  for (const NamedNumber& one : numbers) {
    append_member(out += separator, one.name, one.number);
    separator = ",";
  }
  out += '}';
}

void append_label(std::string& out, const LabelExplanation& label) {
  append_json_string(out += R"({"label":)", label.label);
  if (!label.description.empty()) append_json_string(out += R"(,"name":)", label.description);
  (out += R"(,"level":)") += std::to_string(label.level);
  (out += R"(,"predicted":)") += label.predicted ? "true" : "false";
  append_member(out += ',', "score", label.score);
  append_named(out, "parts", parts_of(label));
  append_named(out, "votes", label.votes);
  if (label.linear_share) append_member(out += ',', "linear_share", *label.linear_share);
  append_numbers(out += R"(,"weights":)", label.weights);
  if (!label.evidence.empty()) append_numbers(out += R"(,"evidence_weights":)", label.evidence);
  if (!label.linear_weights.empty()) {
    append_numbers(out += R"(,"linear_weights":)", label.linear_weights);
  }
  out += '}';
}

void append_component(std::string& out, const ComponentExplanation& component) {
  (out += R"({"level":)") += std::to_string(component.level);
  (out += R"(,"component":)") += std::to_string(component.component);
  append_member(out += ',', "use", component.use);
  out += R"(,"words":[)";
  const char* separator = "[";
  for (const auto& [word, relevance] : component.words) {
    append_json_number(((out += separator) += std::to_string(word)) += ',', relevance);
    out += ']';
    separator = ",[";
  }
  out += R"(],"labels":[)";
  separator = "[";
  for (const auto& [label, association] : component.labels) {
    append_json_string(out += separator, label);
    append_json_number(out += ',', association);
    out += ']';
    separator = ",[";
  }
  out += "]}";
}

/// "name":[ … ] of the items, each appended by `append`.
template <typename Items, typename Append>
void append_array(std::string& out, const char* name, const Items& items, const Append& append) {
  ((out += ",\"") += name) += "\":[";
  const char* separator = "";
  for (const auto& item : items) {
    append(out += separator, item);
    separator = ",";
  }
  out += ']';
}

}  // namespace

std::string explanation_json(const Explanation& explanation, const std::string& model) {
  std::string out = "{";
  if (!model.empty()) {
    append_json_string(out += R"("model":)", model);
    out += ',';
  }
  append_json_string(out += R"("id":)", explanation.id);
  append_json_string(out += R"(,"text":)", explanation.text);
  ((out += R"(,"method":")") += name_of(explanation.method)) += '"';
  append_array(out, "words", explanation.words, [](std::string& to, const WordPlace& word) {
    to += '[' + std::to_string(word.begin) + ',' + std::to_string(word.end) + ']';
  });
  append_array(out, "labels", explanation.labels, append_label);
  if (!explanation.scores.empty()) {
    const char* separator = R"(,"scores":{)";
    for (const auto& [label, score] : explanation.scores) {
      append_json_string(out += separator, label);
      append_json_number(out += ':', score);
      separator = ",";
    }
    out += '}';
  }
  if (!explanation.components.empty()) {
    append_array(out, "components", explanation.components, append_component);
  }
  return out += '}';
}

}  // namespace hmtc
