#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "base/strings.h"
#include "checks.h"
#include "data/jsonl_reader.h"
#include "explain/components.h"
#include "explain/explanation_page.h"
#include "explain/explanation_text.h"
#include "explain/faithfulness.h"
#include "output.h"
#include "text/unicode.h"
#include "verbs.h"

namespace hmtc {
namespace {

struct ExplainArguments {
  std::string model;
  std::string input;
  std::optional<std::string> text;
  std::vector<std::string> beside;
  ExplainOptions options;
  bool json = false;
  std::string html;
  bool evaluate = false;
  bool components = false;
  std::string data;
  std::optional<std::size_t> documents;
  int threads = 0;
};

struct NamedExplainer {
  NamedExplainer(const std::string& path, int threads)
      : name(printable(path)), model(load_for_prediction(path, threads)), explainer(model) {}

  std::string name;
  LoadedModel model;
  Explainer explainer;
};
using Explainers = std::vector<std::unique_ptr<NamedExplainer>>;

Explainers load_explainers(const ExplainArguments& arguments) {
  Explainers explainers;
  explainers.push_back(std::make_unique<NamedExplainer>(arguments.model, arguments.threads));
  for (const std::string& path : arguments.beside) {
    explainers.push_back(std::make_unique<NamedExplainer>(path, arguments.threads));
  }
  return explainers;
}

/// Text for people gets colours where there are any (https://no-color.org).
bool has_colours() { return isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr; }

Document document_of(const std::string& text) {
  if (first_invalid_utf8(text)) {
    throw Error(ErrorKind::kUsage, "--text: expected UTF-8, found other bytes");
  }
  Document document;
  document.text = text;
  return document;
}

/// What --labels names: a label, or several with commas between them.
std::vector<std::string> labels_of(const std::vector<std::string>& given,
                                   const Hierarchy& hierarchy) {
  std::vector<std::string> labels;
  for (const std::string& value : given) {
    if (hierarchy.find(value) >= 0) {
      labels.push_back(value);  // which may have commas itself
      continue;
    }
    for (const std::string_view label : split_fields(value, ',')) labels.emplace_back(label);
  }
  return labels;
}

/// Calls work with each document to be explained.
void for_each_document(const ExplainArguments& arguments,
                       const std::function<void(const Document&)>& work) {
  if (arguments.text) return work(document_of(*arguments.text));
  const std::string input = arguments.input.empty() ? "-" : arguments.input;
  mention_waiting(input);
  JsonlReader reader(input, DocumentParser::Labels::kOptional);
  constexpr std::size_t kMostOnAPage = 20;
  const std::size_t most = arguments.documents.value_or(arguments.html.empty() ? 0 : kMostOnAPage);
  Document document;
  for (std::size_t count = 0; most == 0 || count < most; ++count) {
    if (!reader.next(document)) return;
    work(document);
  }
  if (!arguments.documents && reader.next(document)) {
    spdlog::warn("the page has the first {} documents; --documents changes that", most);
  }
}

void explain_documents(const ExplainArguments& arguments) {
  const Explainers explainers = load_explainers(arguments);
  std::vector<ExplainedModel> pages(explainers.size());
  std::vector<ExplainOptions> options(explainers.size(), arguments.options);
  for (std::size_t i = 0; i < explainers.size(); ++i) {
    options[i].labels = labels_of(arguments.options.labels, explainers[i]->model.hierarchy);
  }
  for_each_document(arguments, [&](const Document& document) {
    for (std::size_t i = 0; i < explainers.size(); ++i) {
      pages[i].name = explainers[i]->name;
      Explanation explanation = explainers[i]->explainer.explain(document, options[i]);
      if (!arguments.html.empty()) {
        pages[i].explanations.push_back(std::move(explanation));
      } else if (arguments.json) {
        print_result(explanation_json(explanation, explainers[i]->name) + "\n");
      } else {
        if (explainers.size() > 1) print_result(explainers[i]->name + ": ");
        print_result(explanation_text(explanation, {.colours = has_colours()}) + "\n");
      }
    }
    if (arguments.html.empty()) flush_results();
  });
  if (!arguments.html.empty()) {
    write_page(arguments.html, explanation_page(pages, explainers.front()->model.hierarchy));
  }
}

/// A line that tells how far a long measurement is, where somebody watches.
std::function<void(std::size_t)> progress_line(const std::string& name) {
  if (isatty(STDERR_FILENO) == 0) return {};
  return [name](std::size_t documents) {
    if (documents % 10 == 0) print_message(fmt::format("\r{}: {} documents", name, documents));
  };
}

void end_progress_line() {
  if (isatty(STDERR_FILENO) == 1) print_message("\n");
}

void evaluate_explanations(const ExplainArguments& arguments) {
  std::vector<FaithfulnessReport> reports;
  for (const auto& one : load_explainers(arguments)) {
    FaithfulnessOptions options;
    options.documents = arguments.documents.value_or(options.documents);
    options.progress = progress_line(one->name);
    reports.push_back(measure_faithfulness(one->explainer, arguments.data, options));
    reports.back().model = one->name;
    end_progress_line();
  }
  print_result(arguments.json ? faithfulness_json(reports) : faithfulness_table(reports));
  flush_results();
}

void explain_components(const ExplainArguments& arguments) {
  NamedExplainer one(arguments.model, arguments.threads);
  ComponentsOptions options;
  options.documents = arguments.documents.value_or(options.documents);
  options.progress = progress_line(one.name);
  const ComponentsReport report = describe_components(one.explainer, arguments.data, options);
  end_progress_line();
  if (!arguments.html.empty()) {
    write_page(arguments.html, components_page(report, one.name));
    return;
  }
  print_result(arguments.json ? components_json(report) : components_text(report));
  flush_results();
}

/// What chooses documents and labels means nothing to a measurement over a file.
void check_is_for_documents(const ExplainArguments& arguments, bool over_data) {
  if (!over_data) return;
  const ExplainOptions& options = arguments.options;
  const std::pair<const char*, bool> given[] = {
      {"a file", !arguments.input.empty()},
      {"--text", arguments.text.has_value()},
      {"--labels", !options.labels.empty()},
      {"--level", options.level.has_value()},
      {"--top", options.predicted.top.has_value()},
      {"--threshold", options.predicted.threshold.has_value()}};
  for (const auto& [what, is_given] : given) {
    if (!is_given) continue;
    throw Error(ErrorKind::kUsage,
                fmt::format("explain: {} reads --data and looks at the labels predicted for it, "
                            "found {}; leave it out",
                            arguments.evaluate ? "--evaluate" : "--components", what));
  }
}

void check(const ExplainArguments& arguments) {
  const auto usage = [](const std::string& message) { throw Error(ErrorKind::kUsage, message); };
  const bool over_data = arguments.evaluate || arguments.components;
  if (arguments.evaluate && arguments.components) {
    usage("explain: expected one of --evaluate and --components, found both");
  }
  if (over_data && arguments.data.empty()) {
    usage("explain: --evaluate and --components need --data FILE, documents as JSON lines");
  }
  if (!over_data && !arguments.data.empty()) {
    usage(
        "explain: --data goes with --evaluate or --components; documents to be explained are "
        "given as `hmtc explain MODEL FILE`");
  }
  if (arguments.text && !arguments.input.empty()) {
    usage("explain: expected a file or --text, found both");
  }
  if (arguments.json && !arguments.html.empty()) {
    usage("explain: expected one of --json and --html, found both");
  }
  check_is_for_documents(arguments, over_data);
  if (arguments.evaluate && !arguments.html.empty()) {
    usage("explain: --evaluate gives a table or --json, found --html");
  }
  if (arguments.components && !arguments.beside.empty()) {
    usage("explain: --components looks into one model, found --beside");
  }
  if (arguments.data == "-" && !arguments.beside.empty()) {
    usage(
        "explain: expected a file for several models, found standard input, which can be read only "
        "once; save it to a file first");
  }
}

}  // namespace

void add_explain_verb(CLI::App& program) {
  CLI::App* verb =
      program.add_subcommand("explain", "Show which words speak for which label, and how truly");
  const auto arguments = std::make_shared<ExplainArguments>();
  ExplainOptions& options = arguments->options;
  verb->add_option("model", arguments->model, "model directory")->required();
  verb->add_option("file", arguments->input, "JSON lines with text or tokens; - is standard input");
  verb->add_option("--text", arguments->text, "a text instead of a file");
  verb->add_option("--labels", options.labels,
                   "labels to explain, by commas or repeated; default: predicted")
      ->allow_extra_args(false);
  verb->add_option("--level", options.level, "labels of this level only, the top is 1")
      ->check(whole_number_from(1));
  verb->add_option("--top", options.predicted.top, "the K best labels")
      ->check(whole_number_from(1));
  verb->add_option("--threshold", options.predicted.threshold, "labels that score at least this")
      ->check(number_from(0, 1));
  verb->add_option("--beside", arguments->beside, "another model to show beside; may be repeated")
      ->allow_extra_args(false);
  verb->add_flag("--json", arguments->json, "JSON, a line for each document");
  verb->add_option("--html", arguments->html, "write a page to this file; - is standard output");
  verb->add_flag("--evaluate", arguments->evaluate,
                 "measure what deleting or keeping the heaviest words does to the labels");
  verb->add_flag("--components", arguments->components,
                 "describe the components of the model by words and labels");
  verb->add_option("--data", arguments->data, "documents for --evaluate and --components");
  verb->add_option("--documents", arguments->documents,
                   "the first N documents; 0: all; default: 200 for --evaluate, 1000 for "
                   "--components, 20 for --html, else all")
      ->check(whole_number_from(0));
  verb->add_option("--threads", arguments->threads, "0: as many as the machine has")
      ->check(whole_number_from(0, 4096));
  verb->callback([arguments] {
    check(*arguments);
    if (arguments->evaluate) return evaluate_explanations(*arguments);
    if (arguments->components) return explain_components(*arguments);
    arguments->options.components = arguments->json;
    arguments->options.most_weights = 0;
    explain_documents(*arguments);
  });
}

}  // namespace hmtc
