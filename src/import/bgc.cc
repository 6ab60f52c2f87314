// The BlurbGenreCollection's files: elements as in XML, but with bare "&" in the text, so that no
// XML parser reads them. A topic stands with its depth, below the topic before it that is one
// less deep: <topic d="1">…</topic> inside <category>, or <d1>…</d1> inside <topics>.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/strings.h"
#include "import/edge_collector.h"
#include "import/importer.h"
#include "import/record_reader.h"
#include "import/taxonomy.h"

namespace hmtc {
namespace {

void append_utf8(char32_t code, std::string& text) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xC0 | (code >> 6));
    tail(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xE0 | (code >> 12));
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xF0 | (code >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

/// Appends what the entity "NAME" or "#NUMBER" stands for; false when it stands for nothing.
bool append_entity(std::string_view entity, std::string& text) {
  constexpr std::pair<std::string_view, char> kNamed[] = {
      {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
  for (const auto& [name, character] : kNamed) {
    if (entity != name) continue;
    text += character;
    return true;
  }
  if (!entity.starts_with('#')) return false;
  entity.remove_prefix(1);
  const bool hexadecimal = entity.starts_with('x') || entity.starts_with('X');
  if (hexadecimal) entity.remove_prefix(1);
  std::uint32_t code = 0;
  const char* end = entity.data() + entity.size();
  const auto result = std::from_chars(entity.data(), end, code, hexadecimal ? 16 : 10);
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (result.ec != std::errc() || result.ptr != end || code == 0 || code > 0x10FFFF ||
      is_surrogate) {
    return false;
  }
  append_utf8(code, text);
  return true;
}

/// The text with its entities replaced; an & that begins none stays as it is.
std::string decoded(std::string_view raw) {
  constexpr std::size_t kLongestEntity = 10;
  std::string text;
  text.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] == '&') {
      const std::size_t end = raw.substr(i, kLongestEntity).find(';');
      if (end != std::string_view::npos && append_entity(raw.substr(i + 1, end - 1), text)) {
        i += end;
        continue;
      }
    }
    text += raw[i];
  }
  return text;
}

struct Topic {
  std::size_t depth;
  std::string name;
  bool starts_category;  ///< the first one of its <category> or <topics>
};

class BgcSource : public DocumentSource {
 public:
  BgcSource(const std::string& path, EdgeCollector* edges, Notes& notes)
      : reader_(path, "book"), edges_(edges), notes_(notes) {}
  Place place() const override { return reader_.place(); }

  bool next(Document& document) override {
    std::string record;
    if (!reader_.next(record)) return false;
    document.id = element(record, "isbn").value_or("");
    const auto title = element(record, "title");
    const auto body = element(record, "body");
    if (!title && !body) {
      throw input_error(place(), {"a <title> or a <body> in every <book>", "neither",
                                  "check that the file is of the BGC format"});
    }
    document.text = title.value_or("") + "\n" + body.value_or("");
    // Topics follow the body; searching it too would take its words for tags.
    const std::size_t body_end = record.find("</body>");
    add_topics(
        topics(std::string_view(record).substr(body_end == std::string::npos ? 0 : body_end)),
        document);
    return true;
  }

 private:
  std::string_view until(std::string_view text, const std::string& end_tag) const {
    const std::size_t end = text.find(end_tag);
    if (end != std::string_view::npos) return text.substr(0, end);
    throw input_error(
        place(), {end_tag + " inside the <book> that begins here", "none", "close the element"});
  }

  std::optional<std::string> element(std::string_view record, const std::string& name) const {
    const std::size_t start = record.find("<" + name + ">");
    if (start == std::string_view::npos) return std::nullopt;
    return decoded(trim(until(record.substr(start + name.size() + 2), "</" + name + ">")));
  }

  std::vector<Topic> topics(std::string_view text) const {
    std::vector<Topic> found;
    bool starts_category = true;
    for (std::size_t at = text.find('<'); at != std::string_view::npos;
         at = text.find('<', at + 1)) {
      const std::size_t close = text.find('>', at);
      if (close == std::string_view::npos) break;
      const std::string_view tag = text.substr(at + 1, close - at - 1);
      if (tag == "category" || tag == "topics") starts_category = true;
      const bool is_topic = tag == "topic" || tag.starts_with("topic ");
      const bool is_depth = tag.starts_with('d') && is_digits(tag.substr(1));
      if (!is_topic && !is_depth) continue;
      const std::string end_tag = is_topic ? "</topic>" : fmt::format("</{}>", tag);
      const std::string name = decoded(trim(until(text.substr(close + 1), end_tag)));
      found.push_back(
          {is_topic ? depth_attribute(tag) : depth(tag.substr(1)), name, starts_category});
      starts_category = false;
    }
    return found;
  }

  std::size_t depth_attribute(std::string_view tag) const {
    const std::size_t begin = tag.find(" d=\"");
    return depth(begin == std::string_view::npos ? "" : until(tag.substr(begin + 4), "\""));
  }

  std::size_t depth(std::string_view number) const {
    if (is_digits(number) && number.size() < 3)
      return static_cast<std::size_t>(*parse_number(number));
    throw input_error(place(), {"topics with their depth, such as <topic d=\"0\">",
                                in_quotes(std::string(number)), "give every topic its depth"});
  }

  void add_topics(const std::vector<Topic>& topics, Document& document) {
    std::vector<std::string> above;
    for (const Topic& topic : topics) {
      if (topic.starts_category) above.clear();
      if (topic.depth > above.size()) {
        throw input_error(place(),
                          {fmt::format("a topic of depth {} before", topic.depth - 1),
                           fmt::format("{} of depth {}", in_quotes(topic.name), topic.depth),
                           "give the topics of a category from the top down"});
      }
      above.resize(topic.depth);
      const bool repeated = std::find(above.begin(), above.end(), topic.name) != above.end();
      if (repeated) {
        notes_.repaired("topics named like one above them, taken as the same", place());
      } else if (edges_ != nullptr) {
        edges_->add(topic.name, above.empty() ? "" : above.back(), place());
      }
      if (!repeated) document.labels.push_back(topic.name);
      above.push_back(topic.name);
    }
  }

  RecordReader reader_;
  EdgeCollector* edges_;  ///< null when a taxonomy gives the hierarchy
  Notes& notes_;
};

class BgcImporter : public Importer {
 public:
  BgcImporter(const ImportOptions& options, Notes& notes)
      : inputs_(options.inputs), has_taxonomy_(!options.taxonomy.empty()) {
    if (has_taxonomy_) edges_ = read_taxonomy(options.taxonomy, notes);
  }
  std::size_t num_inputs() const override { return inputs_.size(); }
  std::unique_ptr<DocumentSource> open(std::size_t input, Notes& notes) override {
    return std::make_unique<BgcSource>(inputs_[input], has_taxonomy_ ? nullptr : &edges_, notes);
  }
  std::vector<HierarchyEdge> edges(Notes&) override { return edges_.edges(); }

 private:
  std::vector<std::string> inputs_;
  bool has_taxonomy_;
  EdgeCollector edges_;
};

}  // namespace

std::unique_ptr<Importer> make_bgc_importer(const ImportOptions& options, Notes& notes) {
  return std::make_unique<BgcImporter>(options, notes);
}

}  // namespace hmtc
