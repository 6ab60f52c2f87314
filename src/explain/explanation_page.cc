#include "explain/explanation_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "explain/label_facts.h"
#include "explain/page_style.h"
#include "report/escape.h"

namespace hmtc {
namespace {

/// The text with its words marked by their share of the greatest weight.
std::string marked_text(const Explanation& explanation, const std::vector<float>& weights) {
  const float greatest = greatest_amount(weights);
  std::string html;
  std::size_t done = 0;
  for (std::size_t i = 0; i < explanation.words.size(); ++i) {
    const float share = greatest > 0 ? weights[i] / greatest : 0;
    constexpr float kFaintest = 0.02F;
    if (std::abs(share) < kFaintest) continue;
    const WordPlace place = explanation.words[i];
    html += html_escaped(std::string_view(explanation.text).substr(done, place.begin - done));
    html += fmt::format(R"(<mark{} style="--w:{:.2f}" title="{:.4f}">{}</mark>)",
                        share < 0 ? " class=\"against\"" : "", std::abs(share), weights[i],
                        html_escaped(explanation.word(i)));
    done = place.end;
  }
  return html + html_escaped(std::string_view(explanation.text).substr(done));
}

std::string facts_text(const LabelExplanation& label) {
  std::string text =
      fmt::format("level {}, {}", label.level, label.predicted ? "predicted" : "not predicted");
  if (const std::string parts = parts_text(label); !parts.empty()) text += ", " + parts;
  if (const std::string votes = votes_text(label); !votes.empty()) text += "; votes: " + votes;
  return text;
}

std::string label_card(const Explanation& explanation, const LabelExplanation& label,
                       const std::string& anchor) {
  std::string html = fmt::format(
      "<section class=\"label\" id=\"{}\">\n<h3>{} <meter min=\"0\" max=\"1\" value=\"{:.4f}\">"
      "</meter> {:.3f}</h3>\n<p class=\"quiet\">{}</p>\n<p class=\"text\">{}</p>\n",
      anchor, html_escaped(full_name(label)), label.score, label.score, facts_text(label),
      marked_text(explanation, label.weights));
  const auto add_details = [&](const std::string& title, const std::vector<float>& weights) {
    if (weights.empty()) return;
    html += fmt::format(
        "<details><summary class=\"quiet\">{}</summary><p class=\"text\">{}</p></details>\n", title,
        marked_text(explanation, weights));
  };
  add_details("evidence: what each word adds to the local score", label.evidence);
  add_details(
      fmt::format("linear part, {:.0f} % of the vote", 100 * label.linear_share.value_or(0)),
      label.linear_weights);
  return html + "</section>\n";
}

/// The explained labels and what lies above them, as nested lists. What stands under several
/// parents is unfolded under the first.
class LabelTree {
 public:
  LabelTree(const Explanation& explanation, const Hierarchy& hierarchy, std::string prefix)
      : explanation_(explanation), hierarchy_(hierarchy), prefix_(std::move(prefix)) {
    std::vector<LabelId> ids;
    for (const LabelExplanation& label : explanation.labels) {
      if (const LabelId id = hierarchy.find(label.label); id >= 0) ids.push_back(id);
    }
    for (const LabelId id : hierarchy.closure(ids)) shown_.insert(id);
  }

  std::string html() {
    std::vector<LabelId> tops;
    for (const LabelId id : shown_) {
      if (hierarchy_.parents(id).empty()) tops.push_back(id);
    }
    return tops.empty() ? "<p>no label</p>" : list(tops);
  }

 private:
  std::string list(std::span<const LabelId> ids) {
    std::string html = "<ul>\n";
    for (const LabelId id : ids) {
      if (!shown_.contains(id)) continue;
      html += "<li>" + entry(id);
      if (has_shown_child(id)) {
        html += unfolded_.insert(id).second ? list(hierarchy_.children(id))
                                            : " <span class=\"quiet\">see above</span>";
      }
      html += "</li>\n";
    }
    return html + "</ul>\n";
  }

  bool has_shown_child(LabelId id) const {
    const auto children = hierarchy_.children(id);
    return std::any_of(children.begin(), children.end(),
                       [&](LabelId child) { return shown_.contains(child); });
  }

  std::string entry(LabelId id) const {
    const std::string& name = hierarchy_.name(id);
    for (std::size_t i = 0; i < explanation_.labels.size(); ++i) {
      if (explanation_.labels[i].label != name) continue;
      return fmt::format("<a href=\"#{}-{}\">{}</a> <span class=\"quiet\">{:.3f}</span>", prefix_,
                         i + 1, html_escaped(name), explanation_.labels[i].score);
    }
    return html_escaped(name);
  }

  const Explanation& explanation_;
  const Hierarchy& hierarchy_;
  std::string prefix_;
  std::set<LabelId> shown_;
  std::set<LabelId> unfolded_;
};

std::string document_section(const std::vector<ExplainedModel>& models, std::size_t document,
                             const Hierarchy& hierarchy) {
  const Explanation& first = models.front().explanations[document];
  std::string html = fmt::format(
      "<h2>{}</h2>\n",
      html_escaped(first.id.empty() ? fmt::format("Document {}", document + 1) : first.id));
  if (models.size() > 1) html += "<div class=\"models\">\n";
  for (std::size_t m = 0; m < models.size(); ++m) {
    const Explanation& explanation = models[m].explanations[document];
    const std::string prefix = fmt::format("m{}d{}", m + 1, document + 1);
    if (models.size() > 1) {
      html +=
          fmt::format("<section class=\"model\">\n<h3>{} <span class=\"quiet\">{}</span></h3>\n",
                      html_escaped(models[m].name), name_of(explanation.method));
    }
    html += "<div class=\"document\">\n<nav class=\"tree\" aria-label=\"labels\">\n" +
            LabelTree(explanation, hierarchy, prefix).html() + "</nav>\n<div class=\"labels\">\n";
    for (std::size_t i = 0; i < explanation.labels.size(); ++i) {
      html += label_card(explanation, explanation.labels[i], fmt::format("{}-{}", prefix, i + 1));
    }
    html += "</div>\n</div>\n";
    if (models.size() > 1) html += "</section>\n";
  }
  if (models.size() > 1) html += "</div>\n";
  return html;
}

bool shows_signed_weights(const ExplainedModel& model) {
  return std::any_of(
      model.explanations.begin(), model.explanations.end(), [](const Explanation& explanation) {
        return explanation.method != WordMethod::kAttention ||
               std::any_of(explanation.labels.begin(), explanation.labels.end(),
                           [](const LabelExplanation& label) {
                             return !label.evidence.empty() || !label.linear_weights.empty();
                           });
      });
}

}  // namespace

std::string explanation_page(const std::vector<ExplainedModel>& models,
                             const Hierarchy& hierarchy) {
  const ExplainedModel& first = models.front();
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>Which words speak for which label</title>\n<style>\n{}</style>\n</head>\n<body>\n"
      "<h1>Which words speak for which label</h1>\n",
      kExplainCss);
  const WordMethod method =
      first.explanations.empty() ? WordMethod::kAttention : first.explanations.front().method;
  html += fmt::format(
      "<p class=\"quiet\">Model {}. A word's shade is its weight as a share of the label's "
      "greatest ({}).{}</p>\n",
      html_escaped(first.name), name_of(method),
      std::any_of(models.begin(), models.end(), shows_signed_weights)
          ? " Blue words speak against the label."
          : "");
  for (std::size_t document = 0; document < first.explanations.size(); ++document) {
    html += document_section(models, document, hierarchy);
  }
  return html + "</body>\n</html>\n";
}

}  // namespace hmtc
