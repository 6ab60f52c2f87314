#include "text/vocabulary.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/line_reader.h"
#include "text/unicode.h"

namespace hmtc {
namespace {

constexpr std::string_view kSpecialWords[] = {"<pad>", "<unk>"};

bool cannot_be_a_word(std::string_view word) {
  return word.empty() || word == kSpecialWords[0] || word == kSpecialWords[1];
}

std::string escaped(std::string_view word) {
  std::string text;
  for (const char c : word) {
    switch (c) {
      case '\\':
        text += "\\\\";
        break;
      case '\t':
        text += "\\t";
        break;
      case '\n':
        text += "\\n";
        break;
      case '\r':
        text += "\\r";
        break;
      default:
        text += c;
    }
  }
  return text;
}

std::optional<std::string> unescaped(std::string_view text) {
  std::string word;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      word += text[i];
      continue;
    }
    if (++i == text.size()) return std::nullopt;
    switch (text[i]) {
      case '\\':
        word += '\\';
        break;
      case 't':
        word += '\t';
        break;
      case 'n':
        word += '\n';
        break;
      case 'r':
        word += '\r';
        break;
      default:
        return std::nullopt;
    }
  }
  return word;
}

Error damaged(const Place& place, std::string expected, std::string found) {
  return model_error(place, {std::move(expected), std::move(found),
                             "the vocabulary is damaged: copy or train the model again"});
}

std::pair<std::string, std::uint64_t> parse_line(std::string_view line, const Place& place) {
  const std::size_t tab = line.find('\t');
  if (tab == std::string_view::npos) {
    throw damaged(place, "word<TAB>count", in_quotes(std::string(line)));
  }
  if (first_invalid_utf8(line)) throw damaged(place, "UTF-8", "bytes that are not");
  const std::string_view number = line.substr(tab + 1);
  std::uint64_t count = 0;
  const auto [end, code] = std::from_chars(number.begin(), number.end(), count);
  if (code != std::errc() || end != number.end()) {
    throw damaged(place, "a count after the tab", in_quotes(std::string(number)));
  }
  std::optional<std::string> word = unescaped(line.substr(0, tab));
  if (!word) {
    throw damaged(place, "only the escapes \\\\ \\t \\n \\r",
                  in_quotes(std::string(line.substr(0, tab))));
  }
  return {*std::move(word), count};
}

void read_special_words(LineReader& reader, const std::string& path) {
  std::string_view line;
  for (const std::string_view special : kSpecialWords) {
    const std::string expected = std::string(special) + "<TAB>0";
    if (!reader.next(line)) throw damaged({path}, expected, "the end of the file");
    if (line != std::string(special) + "\t0") {
      throw damaged(reader.place(), expected, in_quotes(std::string(line)));
    }
  }
}

}  // namespace

Vocabulary::Vocabulary() {
  for (const std::string_view special : kSpecialWords) append(special, 0);
}

std::int32_t Vocabulary::find(std::string_view word) const {
  const std::int32_t id = words_.find(word);
  return id < static_cast<std::int32_t>(kNumSpecial) ? kUnknown : id;
}

void Vocabulary::append(std::string_view word, std::uint64_t count) {
  words_.add(word);
  counts_.push_back(count);
}

std::string Vocabulary::to_text() const {
  std::string text;
  for (std::size_t id = 0; id < size(); ++id) {
    text +=
        escaped(word(static_cast<std::int32_t>(id))) + "\t" + std::to_string(counts_[id]) + "\n";
  }
  return text;
}

Vocabulary read_vocabulary(const std::string& path) {
  LineReader reader(path);
  read_special_words(reader, path);
  Vocabulary vocabulary;
  std::string_view line;
  while (reader.next(line)) {
    auto [word, count] = parse_line(line, reader.place());
    if (cannot_be_a_word(word)) {
      throw damaged(reader.place(), "a word",
                    word.empty() ? "an empty one" : in_quotes(word) + " again");
    }
    if (vocabulary.find(word) != Vocabulary::kUnknown) {
      throw damaged(reader.place(), "every word once", in_quotes(word) + " again");
    }
    vocabulary.append(word, count);
  }
  return vocabulary;
}

void VocabularyBuilder::add(std::string_view word, std::uint64_t count) {
  if (cannot_be_a_word(word)) return;
  const auto number = static_cast<std::size_t>(words_.add(word));
  counts_.resize(words_.size());
  counts_[number] += count;
}

Vocabulary VocabularyBuilder::build(std::uint64_t min_count, std::size_t max_size) const {
  std::vector<std::pair<std::string_view, std::uint64_t>> kept;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] >= min_count) {
      kept.emplace_back(words_.word(static_cast<std::int32_t>(i)), counts_[i]);
    }
  }
  std::sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  if (max_size != 0 && kept.size() > max_size) kept.resize(max_size);
  Vocabulary vocabulary;
  for (const auto& [word, count] : kept) vocabulary.append(word, count);
  return vocabulary;
}

}  // namespace hmtc
