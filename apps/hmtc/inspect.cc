#include "inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "artifact/model_directory.h"
#include "base/parallel.h"
#include "config/config.h"
#include "data/corpus_reader.h"
#include "data/data_directory.h"
#include "text/unicode.h"

namespace hmtc {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kTopLabelsShown = 20;

/// What `inspect` found, before it is written one way or the other.
struct Findings {
  Json facts = Json::object();
  std::vector<std::string> problems;
  const Hierarchy* hierarchy = nullptr;
  std::vector<std::size_t> documents_per_label;  // of the training split; empty for a model
};

Json split_facts(const Corpus& corpus, const ReadSummary& summary) {
  std::vector<std::size_t> lengths;
  for (std::size_t i = 0; i < corpus.size(); ++i) lengths.push_back(corpus.words_of(i).size());
  std::sort(lengths.begin(), lengths.end());
  const auto documents = static_cast<double>(corpus.size());
  return {{"documents", corpus.size()},
          {"as_text", summary.with_text},
          {"words_mean", static_cast<double>(corpus.words.size()) / documents},
          {"words_median", lengths[lengths.size() / 2]},
          {"words_longest", lengths.back()},
          {"labels_mean", static_cast<double>(corpus.labels.size()) / documents}};
}

void add_split(Findings& findings, const char* name, const Corpus& corpus,
               const ReadSummary& summary, const LabelResolver& labels) {
  findings.facts[name] = split_facts(corpus, summary);
  if (summary.without_words > 0) {
    findings.problems.push_back(
        fmt::format("{}: {} documents without any word", name, summary.without_words));
  }
  std::size_t unlabelled = 0;
  for (std::size_t i = 0; i < corpus.size(); ++i) unlabelled += corpus.labels_of(i).empty() ? 1 : 0;
  if (unlabelled > 0) {
    findings.problems.push_back(
        fmt::format("{}: {} documents without any label", name, unlabelled));
  }
  for (const auto& [label, count] : labels.left_out()) {
    findings.problems.push_back(fmt::format("{}: label {} of {} documents is not in the hierarchy",
                                            name, in_quotes(label), count));
  }
}

/// A number that documents with the same words, in whatever order, have in common.
std::size_t hash_of_words(const Corpus& corpus, std::size_t document) {
  const auto words = corpus.words_of(document);
  std::u32string sorted(words.begin(), words.end());
  std::sort(sorted.begin(), sorted.end());
  return std::hash<std::u32string>()(sorted);
}

std::unordered_set<std::size_t> hashes_of(const Corpus& corpus) {
  std::unordered_set<std::size_t> hashes;
  for (std::size_t i = 0; i < corpus.size(); ++i) hashes.insert(hash_of_words(corpus, i));
  return hashes;
}

/// How many documents have the words of a training document: their scores say little of new ones.
std::size_t num_repeated(const Corpus& corpus, const std::unordered_set<std::size_t>& trained) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < corpus.size(); ++i) {
    count += !corpus.words_of(i).empty() && trained.contains(hash_of_words(corpus, i)) ? 1 : 0;
  }
  return count;
}

using OtherSplits = std::array<std::pair<const char*, const std::optional<std::string>&>, 2>;

OtherSplits other_splits(const DataDirectory& directory) {
  return {{{"validation", directory.validation}, {"test", directory.test}}};
}

/// Reads once more, because every word counts here, however rare.
void add_repeated(Findings& findings, const DataDirectory& directory, ReadOptions options) {
  options.text.min_count = 1;
  options.text.max_vocabulary = std::numeric_limits<std::int64_t>::max();
  LabelResolver labels(directory.hierarchy, /*strict=*/false);
  const TrainingCorpus training = read_training_corpus(directory.train, labels, options);
  const std::unordered_set<std::size_t> trained = hashes_of(training.corpus);
  for (const auto& [name, file] : other_splits(directory)) {
    if (!file) continue;
    const Corpus corpus = read_corpus(*file, training.vocabulary, labels, options);
    const std::size_t repeated = num_repeated(corpus, trained);
    if (repeated == 0) continue;
    findings.problems.push_back(fmt::format(
        "{}: {} documents have exactly the words of a training document", name, repeated));
  }
}

Findings inspect_data(const DataDirectory& directory) {
  Findings findings;
  findings.hierarchy = &directory.hierarchy;
  ReadOptions options;
  options.threads = hardware_threads();
  LabelResolver train_labels(directory.hierarchy, /*strict=*/false);
  const TrainingCorpus training = read_training_corpus(directory.train, train_labels, options);
  findings.facts["kind"] = "data directory";
  findings.facts["labels"] = directory.hierarchy.num_labels();
  findings.facts["labels_per_level"] = directory.hierarchy.shape();
  const std::size_t num_words = training.vocabulary.size() - Vocabulary::kNumSpecial;
  findings.facts["vocabulary"] = num_words;
  if (num_words == 0) {
    findings.problems.emplace_back("train: no word occurs text.min_count times");
  }
  add_split(findings, "train", training.corpus, training.summary, train_labels);
  for (const auto& [name, file] : other_splits(directory)) {
    if (!file) continue;
    LabelResolver labels(directory.hierarchy, /*strict=*/false);
    ReadSummary summary;
    const Corpus corpus = read_corpus(*file, training.vocabulary, labels, options, &summary);
    add_split(findings, name, corpus, summary, labels);
  }
  add_repeated(findings, directory, options);
  findings.documents_per_label.assign(directory.hierarchy.num_labels(), 0);
  for (const LabelId label : training.corpus.labels) {
    ++findings.documents_per_label[static_cast<std::size_t>(label)];
  }
  const auto unused =
      std::count(findings.documents_per_label.begin(), findings.documents_per_label.end(), 0U);
  if (unused > 0) {
    findings.problems.push_back(fmt::format("{} labels have no training document", unused));
  }
  return findings;
}

Findings inspect_model(const ModelParts& parts) {
  Findings findings;
  findings.hierarchy = &parts.hierarchy;
  std::size_t numbers = 0;
  for (const auto& [name, tensor] : parts.tensors.tensors) numbers += tensor.num_elements();
  findings.facts = {{"kind", "model"},
                    {"model", parts.config.model.name},
                    {"labels", parts.hierarchy.num_labels()},
                    {"labels_per_level", parts.hierarchy.shape()},
                    {"vocabulary", parts.vocabulary.size() - Vocabulary::kNumSpecial},
                    {"parameters", numbers},
                    {"config", Json::parse(to_json(parts.config))}};
  return findings;
}

void draw_label(const Findings& findings, LabelId label, std::size_t depth, std::string& text) {
  const Hierarchy& hierarchy = *findings.hierarchy;
  text += fmt::format("{:>{}}{}", "", 2 * depth + 2, printable(hierarchy.name(label)));
  if (!hierarchy.description(label).empty())
    text += fmt::format(" ({})", printable(hierarchy.description(label)));
  if (!findings.documents_per_label.empty()) {
    text += fmt::format("  {}", findings.documents_per_label[static_cast<std::size_t>(label)]);
  }
  text += "\n";
}

/// A label with several parents is drawn under each of them, what is below it under the first.
void draw_subtree(const Findings& findings, LabelId top, std::string& text,
                  std::vector<bool>& drawn) {
  std::vector<std::pair<LabelId, std::size_t>> pending = {{top, 0}};
  while (!pending.empty()) {
    const auto [label, depth] = pending.back();
    pending.pop_back();
    draw_label(findings, label, depth, text);
    const auto children = findings.hierarchy->children(label);
    if (drawn[static_cast<std::size_t>(label)]) {
      if (!children.empty()) text.insert(text.size() - 1, "  (as above)");
      continue;
    }
    drawn[static_cast<std::size_t>(label)] = true;
    for (auto child = children.rbegin(); child != children.rend(); ++child) {
      pending.emplace_back(*child, depth + 1);
    }
  }
}

std::string draw_tree(const Findings& findings, bool whole) {
  std::string text =
      findings.documents_per_label.empty() ? "tree:\n" : "tree (training documents):\n";
  std::vector<bool> drawn(findings.hierarchy->num_labels(), false);
  const auto tops = static_cast<LabelId>(findings.hierarchy->level_size(0));
  for (LabelId top = 0; top < tops; ++top) {
    if (!whole && top == static_cast<LabelId>(kTopLabelsShown)) {
      return text + fmt::format("  … and {} more; --tree shows all\n", tops - top);
    }
    whole ? draw_subtree(findings, top, text, drawn) : draw_label(findings, top, 0, text);
  }
  return text;
}

std::string to_text(const Findings& findings, const InspectOptions& options) {
  std::string text;
  for (const auto& [name, value] : findings.facts.items()) {
    if (name == "config") continue;
    if (!value.is_object()) {
      text += fmt::format("{}: {}\n", name,
                          value.is_string() ? value.get<std::string>() : value.dump());
      continue;
    }
    text += name + ":";
    for (const auto& [key, number] : value.items()) {
      text += number.is_number_float() ? fmt::format("  {} {:.1f}", key, number.get<double>())
                                       : fmt::format("  {} {}", key, number.dump());
    }
    text += "\n";
  }
  for (const std::string& problem : findings.problems) text += "problem: " + problem + "\n";
  return text + draw_tree(findings, options.whole_tree);
}

std::string to_json_text(Findings findings) {
  findings.facts["problems"] = findings.problems;
  auto& tree = findings.facts["tree"] = Json::array();
  for (LabelId id = 0; id < static_cast<LabelId>(findings.hierarchy->num_labels()); ++id) {
    Json row = {{"label", findings.hierarchy->name(id)},
                {"level", findings.hierarchy->level_of(id) + 1},
                {"parents", Json::array()}};
    for (const LabelId parent : findings.hierarchy->parents(id)) {
      row["parents"].push_back(findings.hierarchy->name(parent));
    }
    if (!findings.documents_per_label.empty()) {
      row["documents"] = findings.documents_per_label[static_cast<std::size_t>(id)];
    }
    tree.push_back(row);
  }
  return findings.facts.dump(2) + "\n";
}

}  // namespace

std::string inspect(const std::filesystem::path& path, const InspectOptions& options) {
  const auto write = [&](const Findings& findings) {
    return options.json ? to_json_text(findings) : to_text(findings, options);
  };
  if (is_model_directory(path) || std::filesystem::exists(path / "run")) {
    const ModelParts parts = load_model(path);
    return write(inspect_model(parts));
  }
  const DataDirectory directory = open_data_directory(path);
  return write(inspect_data(directory));
}

}  // namespace hmtc
