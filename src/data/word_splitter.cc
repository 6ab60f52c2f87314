#include "data/word_splitter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "text/sentences.h"
#include "text/text_parts.h"
#include "text/tokenizer.h"

namespace hmtc {
namespace {

/// The numbers of the words of short parts of texts. Has one place for each hash, so that the
/// latest part takes it: of constant size, and what is frequent is there.
class PartMemo {
 public:
  struct alignas(32) Entry {  // two to a cache line
    std::array<char, 18> part;
    std::uint8_t part_size;  // 0: empty
    std::uint8_t num_words;
    std::array<std::int32_t, 3> numbers;

    std::string_view text() const { return {part.data(), part_size}; }
    std::span<const std::int32_t> words() const { return {numbers.data(), num_words}; }
  };

  /// Where the part is or will be; null when it is too long to be remembered.
  Entry* place_of(std::string_view part) {
    if (part.size() > std::tuple_size_v<decltype(Entry::part)>) return nullptr;
    return &entries_[std::hash<std::string_view>{}(part) % kSize];
  }

  static void remember(Entry& entry, std::string_view part, std::span<const std::int32_t> words) {
    if (words.size() > entry.numbers.size()) return;
    std::copy(part.begin(), part.end(), entry.part.begin());
    std::copy(words.begin(), words.end(), entry.numbers.begin());
    entry.part_size = static_cast<std::uint8_t>(part.size());
    entry.num_words = static_cast<std::uint8_t>(words.size());
  }

 private:
  static constexpr std::size_t kSize = 1 << 15;  // a megabyte, which second-level caches have
  std::vector<Entry> entries_ = std::vector<Entry>(kSize);
};

}  // namespace

struct WordSplitter::Implementation {
  Implementation(const TextOptions& options, Numbering numbering, Sentences find_sentences)
      : tokenizer(options), number(std::move(numbering)) {
    if (find_sentences == Sentences::kFind) sentences.emplace();
  }

  /// Appends the numbers of the words of a text until there are `most` (0: no limit).
  void add_text(std::string_view text, std::size_t most, std::vector<std::int32_t>& out) {
    TextParts parts(text);
    for (std::string_view part; (most == 0 || out.size() < most) && parts.next(part);) {
      add_part(part, out);
    }
    if (most > 0 && out.size() > most) out.resize(most);
  }

  /// Appends the numbers of the words of a part.
  void add_part(std::string_view part, std::vector<std::int32_t>& out) {
    PartMemo::Entry* const entry = memo.place_of(part);
    if (entry != nullptr && entry->text() == part) {
      const auto words = entry->words();
      out.insert(out.end(), words.begin(), words.end());
      return;
    }
    const std::size_t before = out.size();
    tokenizer.tokenize(part, tokens);
    for (const Token& token : tokens) out.push_back(number(token.text));
    if (entry != nullptr) PartMemo::remember(*entry, part, std::span(out).subspan(before));
  }

  /// The parts of a text that are tokenised on their own: its sentences, if they are looked for.
  std::vector<std::string_view> pieces_of(std::string_view text) {
    return sentences ? sentences->find(text) : std::vector<std::string_view>{text};
  }

  Tokenizer tokenizer;
  std::optional<SentenceFinder> sentences;
  Numbering number;
  PartMemo memo;
  std::vector<Token> tokens;
};

WordSplitter::WordSplitter(const TextOptions& options, Numbering number, Sentences sentences)
    : implementation_(std::make_unique<Implementation>(options, std::move(number), sentences)) {}

WordSplitter::~WordSplitter() = default;

SplitText WordSplitter::split(const Document& document, std::size_t most) {
  SplitText result;
  if (document.tokens) {
    const std::size_t all = document.tokens->size();
    for (std::size_t i = 0; i < (most == 0 ? all : std::min(most, all)); ++i) {
      result.words.push_back(implementation_->number((*document.tokens)[i]));
    }
    return result;
  }
  check_text_size(*document.text);
  constexpr std::size_t kBytesPerWord = 6;  // about, the space included
  const std::size_t likely = document.text->size() / kBytesPerWord;
  result.words.reserve(most == 0 ? likely : std::min(likely, most));
  if (!implementation_->sentences) {
    implementation_->add_text(*document.text, most, result.words);
    return result;
  }
  for (const std::string_view sentence : implementation_->sentences->find(*document.text)) {
    const std::size_t before = result.words.size();
    if (most > 0 && before >= most) break;
    implementation_->add_text(sentence, most, result.words);
    if (result.words.size() > before) {
      result.sentences.push_back(static_cast<std::int32_t>(result.words.size() - before));
    }
  }
  return result;
}

PlacedText WordSplitter::split_with_places(const Document& document, std::size_t most) {
  PlacedText result;
  if (document.tokens) {
    static_cast<SplitText&>(result) = split(document, most);
    std::uint32_t begin = 0;
    for (std::size_t i = 0; i < result.words.size(); ++i) {
      const auto size = static_cast<std::uint32_t>((*document.tokens)[i].size());
      result.places.push_back({begin, begin + size});
      begin += size + 1;
    }
    return result;
  }
  const std::string_view text = *document.text;
  check_text_size(text);
  for (const std::string_view piece : implementation_->pieces_of(text)) {
    const auto offset = static_cast<std::uint32_t>(piece.data() - text.data());
    std::int32_t words = 0;
    implementation_->tokenizer.tokenize(piece, implementation_->tokens);
    for (const Token& token : implementation_->tokens) {
      if (most > 0 && result.words.size() == most) break;
      result.words.push_back(implementation_->number(token.text));
      result.places.push_back({offset + token.begin, offset + token.end});
      ++words;
    }
    if (implementation_->sentences && words > 0) result.sentences.push_back(words);
  }
  return result;
}

std::string text_of(const Document& document) {
  if (document.text) return *document.text;
  return fmt::format("{}", fmt::join(*document.tokens, " "));
}

}  // namespace hmtc
