// fastText's supervised format: one document a line, words that begin with "__label__" are labels.

#include "base/line_reader.h"
#include "base/strings.h"
#include "import/edge_collector.h"
#include "import/importer.h"

namespace hmtc {
namespace {

constexpr std::string_view kLabelPrefix = "__label__";

class FastTextSource : public DocumentSource {
 public:
  FastTextSource(const std::string& path, EdgeCollector& edges, Notes& notes)
      : reader_(path), edges_(edges), notes_(notes) {}
  Place place() const override { return reader_.place(); }

  bool next(Document& document) override {
    std::string_view line;
    if (!next_filled_line(reader_, line, notes_)) return false;
    document.text.emplace();
    for (const std::string_view word : split_words(line)) {
      if (word.starts_with(kLabelPrefix)) {
        document.labels.push_back(edges_.add_path(word.substr(kLabelPrefix.size()), "/", place()));
      } else {
        if (!document.text->empty()) *document.text += ' ';
        *document.text += word;
      }
    }
    return true;
  }

 private:
  LineReader reader_;
  EdgeCollector& edges_;
  Notes& notes_;
};

class FastTextImporter : public Importer {
 public:
  explicit FastTextImporter(const std::vector<std::string>& inputs) : inputs_(inputs) {}
  std::size_t num_inputs() const override { return inputs_.size(); }
  std::unique_ptr<DocumentSource> open(std::size_t input, Notes& notes) override {
    return std::make_unique<FastTextSource>(inputs_[input], edges_, notes);
  }
  std::vector<HierarchyEdge> edges(Notes&) override { return edges_.edges(); }

 private:
  std::vector<std::string> inputs_;
  EdgeCollector edges_;
};

}  // namespace

std::unique_ptr<Importer> make_fasttext_importer(const ImportOptions& options, Notes&) {
  return std::make_unique<FastTextImporter>(options.inputs);
}

}  // namespace hmtc
