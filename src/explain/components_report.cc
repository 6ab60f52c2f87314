#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "explain/components.h"
#include "explain/page_style.h"
#include "report/escape.h"
#include "text/unicode.h"

namespace hmtc {
namespace {

using Named = std::vector<std::pair<std::string, float>>;

std::string names(const Named& items) {
  std::string text;
  for (const auto& [name, weight] : items) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

std::string weighted_names(const Named& items) {
  std::string text;
  for (const auto& [name, weight] : items) {
    text += fmt::format("{}{} {:.2f}", text.empty() ? "" : ", ", name, weight);
  }
  return text;
}

std::string copies(const ComponentReport& component) {
  return component.near_copies.empty() ? ""
                                       : fmt::format("{}", fmt::join(component.near_copies, ", "));
}

}  // namespace

std::string components_text(const ComponentsReport& report) {
  std::string out = fmt::format("{} documents\n", report.documents);
  for (const LevelComponentReport& level : report.levels) {
    out += fmt::format("level {}\n", level.level);
    for (const ComponentReport& component : level.components) {
      out += fmt::format("  component {:<3} use {:>5.1f} %{}\n", component.component,
                         100 * component.use,
                         component.near_copies.empty() ? "" : "  like " + copies(component));
      out += fmt::format("    words:  {}\n", printable(names(component.words)));
      out += fmt::format("    labels: {}\n", printable(weighted_names(component.labels)));
    }
  }
  return out;
}

std::string components_json(const ComponentsReport& report) {
  nlohmann::ordered_json all = {{"documents", report.documents},
                                {"levels", nlohmann::ordered_json::array()}};
  for (const LevelComponentReport& level : report.levels) {
    nlohmann::ordered_json one = {{"level", level.level},
                                  {"components", nlohmann::ordered_json::array()}};
    for (const ComponentReport& component : level.components) {
      one["components"].push_back({{"component", component.component},
                                   {"use", component.use},
                                   {"words", component.words},
                                   {"labels", component.labels},
                                   {"near_copies", component.near_copies}});
    }
    all["levels"].push_back(std::move(one));
  }
  return all.dump(2) + "\n";
}

std::string components_page(const ComponentsReport& report, const std::string& model) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>Components</title>\n<style>\n{}</style>\n</head>\n<body>\n<h1>Components</h1>\n"
      "<p class=\"quiet\">Model {}, {} documents. Words: those that are nearest to the component "
      "for what they are to the others. Use: its share in the predicted labels.</p>\n",
      kExplainCss, html_escaped(model), report.documents);
  for (const LevelComponentReport& level : report.levels) {
    html += fmt::format(
        "<h2>Level {}</h2>\n<div class=\"scroll\"><table>\n<thead><tr><th>component</th>"
        "<th>use</th><th>words</th><th>labels</th><th>near copies</th></tr></thead>\n<tbody>\n",
        level.level);
    for (const ComponentReport& component : level.components) {
      html += fmt::format(
          "<tr><td class=\"number\">{}</td><td class=\"number\">{:.1f} %</td><td>{}</td><td>{}</td>"
          "<td>{}</td></tr>\n",
          component.component, 100 * component.use, html_escaped(names(component.words)),
          html_escaped(weighted_names(component.labels)), copies(component));
    }
    html += "</tbody>\n</table></div>\n";
  }
  return html + "</body>\n</html>\n";
}

}  // namespace hmtc
