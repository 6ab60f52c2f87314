// Debian's package descriptions with their debtags, one document per source package: the library,
// the headers and the manual of one source share their words, so that several of them would leak
// from train into test. docs/importers.md gives the rules.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "base/strings.h"
#include "import/apt_lists.h"
#include "import/edge_collector.h"
#include "import/importer.h"

namespace hmtc {
namespace {

/// The binary package that stands for its source.
struct Package {
  std::string name;
  std::vector<std::string> paths;  ///< its tags as label paths: "devel/lang/c"
  std::string description_md5;
  std::string description;  ///< the synopsis, then the long description after a line break
  Place place;
};

/// The tags of a Tag field, "facet::{a,b}" spelled out as two.
std::vector<std::string> expand_tags(const std::string& field, const Place& place) {
  std::vector<std::string> tags;
  std::string prefix;
  std::string current;
  bool inside = false;
  const auto finish = [&] {
    if (const std::string_view tag = trim(current); !tag.empty())
      tags.push_back(prefix + std::string(tag));
    current.clear();
  };
  for (const char c : field) {
    if (c == '{' && !inside) {
      prefix = trim(current);
      current.clear();
      inside = true;
    } else if (c == '}' && inside) {
      finish();
      prefix.clear();
      inside = false;
    } else if (c == ',') {
      finish();
    } else if (c == '{' || c == '}') {
      break;
    } else {
      current += c;
    }
  }
  finish();
  if (inside ||
      std::count(field.begin(), field.end(), '{') != std::count(field.begin(), field.end(), '}')) {
    throw input_error(place, {"tags such as facet::{a,b} with both braces", in_quotes(field),
                              "fetch the list again; it seems damaged"});
  }
  return tags;
}

/// "devel::lang:c" as "devel/lang/c"; empty for a tag that says nothing about the package.
std::string label_path(const std::string& tag, const Place& place, Notes& notes) {
  const std::size_t end = tag.find("::");
  if (end == 0 || end == std::string::npos || end + 2 == tag.size()) {
    throw input_error(place, {"tags of the form facet::tag", in_quotes(tag),
                              "fetch the list again; it seems damaged"});
  }
  if (tag.starts_with("special::") || tag.ends_with("TODO")) {
    notes.skipped("tags about the tagging itself (special::*, *TODO)", place);
    return {};
  }
  std::string path = tag.substr(0, end);
  for (const std::string_view step : split_fields(std::string_view(tag).substr(end + 2), ':')) {
    if (!step.empty()) path.append("/").append(step);
  }
  return path;
}

/// The label and all above it, the top one first.
std::vector<std::string> prefixes(const std::string& path) {
  std::vector<std::string> all;
  for (std::size_t end = path.find('/'); end != std::string::npos; end = path.find('/', end + 1)) {
    all.push_back(path.substr(0, end));
  }
  all.push_back(path);
  return all;
}

/// A description as text: lines with a lone dot separate its paragraphs.
std::string plain_text(const std::string& description) {
  std::string text;
  for (const std::string_view line : split_fields(description, '\n')) {
    if (!text.empty()) text += '\n';
    if (trim(line) != ".") text += line;
  }
  return text;
}

class DebtagsSource : public DocumentSource {
 public:
  DebtagsSource(const std::vector<Document>& documents, const std::vector<Place>& places)
      : documents_(documents), places_(places) {}

  bool next(Document& document) override {
    if (row_ == documents_.size()) return false;
    document = documents_[row_++];
    return true;
  }
  Place place() const override { return places_[row_ == 0 ? 0 : row_ - 1]; }

 private:
  const std::vector<Document>& documents_;
  const std::vector<Place>& places_;
  std::size_t row_ = 0;
};

class DebtagsImporter : public Importer {
 public:
  DebtagsImporter(const ImportOptions& options, Notes& notes) {
    const AptLists lists = find_apt_lists(options.inputs);
    for (const std::string& path : lists.packages) read_packages(path, notes);
    read_descriptions(lists.translations, notes);
    drop_repeated_texts(notes);
    count_labels(options.min_documents, notes);
    make_documents(notes);
  }

  std::size_t num_inputs() const override { return 1; }

  std::unique_ptr<DocumentSource> open(std::size_t, Notes&) override {
    return std::make_unique<DebtagsSource>(documents_, places_);
  }

  std::vector<HierarchyEdge> edges(Notes&) override {
    EdgeCollector edges;
    for (const auto& [label, count] : label_counts_) edges.add_path(label, "/", {});
    return edges.edges();
  }

 private:
  /// Keeps the best tagged package of every source: the one named like the source, otherwise the
  /// one with the most tags, otherwise the first by name.
  void read_packages(const std::string& path, Notes& notes) {
    StanzaReader reader(path);
    StanzaReader::Stanza stanza;
    while (reader.next(stanza)) {
      Package package{
          stanza["package"], {}, stanza["description-md5"], stanza["description"], reader.place()};
      if (package.name.empty()) {
        throw input_error(reader.place(), {"a field Package in every paragraph", "none",
                                           "check that this is a list of packages"});
      }
      for (const std::string& tag : expand_tags(stanza["tag"], reader.place())) {
        const std::string label = label_path(tag, reader.place(), notes);
        if (!label.empty()) package.paths.push_back(label);
      }
      if (package.paths.empty()) {
        notes.skipped("packages without tags", reader.place());
        continue;
      }
      const auto source_words = split_words(stanza["source"]);
      const std::string source(source_words.empty() ? package.name : source_words.front());
      const auto [entry, is_new] = sources_.try_emplace(source, package);
      if (is_new) continue;
      notes.skipped("packages of a source that another package stands for", reader.place());
      const auto rank = [&](const Package& p) {
        return std::pair(p.name == source, p.paths.size());
      };
      const auto old_rank = rank(entry->second);
      const auto new_rank = rank(package);
      if (new_rank > old_rank || (new_rank == old_rank && package.name < entry->second.name)) {
        entry->second = std::move(package);
      }
    }
  }

  void read_descriptions(const std::vector<std::string>& paths, Notes& notes) {
    std::unordered_map<std::string, std::vector<Package*>> waiting;
    for (auto& [source, package] : sources_) {
      if (!package.description_md5.empty()) waiting[package.description_md5].push_back(&package);
    }
    for (const std::string& path : paths) {
      StanzaReader reader(path);
      StanzaReader::Stanza stanza;
      while (reader.next(stanza)) {
        const auto found = waiting.find(stanza["description-md5"]);
        if (found == waiting.end()) continue;
        for (Package* package : found->second) package->description = stanza["description-en"];
        waiting.erase(found);
      }
    }
    for (auto& [source, package] : sources_) {
      if (package.description.find('\n') == std::string::npos) {
        notes.kept("documents without a long description", package.place);
      }
      package.description = plain_text(package.description);
    }
  }

  void drop_repeated_texts(Notes& notes) {
    std::unordered_set<std::string> texts;
    std::erase_if(sources_, [&](const auto& entry) {
      if (texts.insert(entry.second.description).second) return false;
      notes.skipped("sources with the text of another source", entry.second.place);
      return true;
    });
  }

  void count_labels(std::size_t min_documents, Notes& notes) {
    for (const auto& [source, package] : sources_) {
      std::unordered_set<std::string> labels;
      for (const std::string& path : package.paths) {
        for (std::string& label : prefixes(path)) labels.insert(std::move(label));
      }
      for (const std::string& label : labels) ++label_counts_[label];
    }
    std::erase_if(label_counts_, [&](const auto& entry) {
      if (entry.second >= min_documents) return false;
      notes.skipped(fmt::format("labels with fewer than {} documents", min_documents),
                    {"label " + entry.first});
      return true;
    });
  }

  void make_documents(Notes& notes) {
    for (const auto& [source, package] : sources_) {
      Document document{source, package.description, {}, {}};
      for (const std::string& path : package.paths) {
        // A rare label gives way to the nearest one above it that is kept.
        const auto all = prefixes(path);
        const auto kept = std::find_if(all.rbegin(), all.rend(), [&](const std::string& label) {
          return label_counts_.contains(label);
        });
        if (kept != all.rend()) document.labels.push_back(*kept);
      }
      if (document.labels.empty()) {
        notes.skipped("sources with rare labels only", package.place);
        continue;
      }
      documents_.push_back(std::move(document));
      places_.push_back(package.place);
    }
    sources_.clear();
  }

  std::map<std::string, Package> sources_;
  std::map<std::string, std::size_t> label_counts_;
  std::vector<Document> documents_;
  std::vector<Place> places_;
};

}  // namespace

std::unique_ptr<Importer> make_debtags_importer(const ImportOptions& options, Notes& notes) {
  return std::make_unique<DebtagsImporter>(options, notes);
}

}  // namespace hmtc
