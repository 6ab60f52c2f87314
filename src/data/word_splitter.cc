#include "data/word_splitter.h"

#include <algorithm>
#include <array>
#include <span>

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
  Implementation(const TextOptions& options, Numbering numbering)
      : tokenizer(options), number(std::move(numbering)) {}

  /// Appends the numbers of the words of a part.
  void add(std::string_view part, std::vector<std::int32_t>& out) {
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

  Tokenizer tokenizer;
  Numbering number;
  PartMemo memo;
  std::vector<Token> tokens;
};

WordSplitter::WordSplitter(const TextOptions& options, Numbering number)
    : implementation_(std::make_unique<Implementation>(options, std::move(number))) {}

WordSplitter::~WordSplitter() = default;

std::vector<std::int32_t> WordSplitter::numbers(const Document& document, std::size_t most) {
  std::vector<std::int32_t> numbers;
  const auto wants_more = [&] { return most == 0 || numbers.size() < most; };
  if (document.tokens) {
    for (const std::string& token : *document.tokens) {
      if (!wants_more()) break;
      numbers.push_back(implementation_->number(token));
    }
    return numbers;
  }
  constexpr std::size_t kBytesPerWord = 6;  // about, the space included
  const std::size_t likely = document.text->size() / kBytesPerWord;
  numbers.reserve(most == 0 ? likely : std::min(likely, most));
  TextParts parts(*document.text);
  for (std::string_view part; wants_more() && parts.next(part);)
    implementation_->add(part, numbers);
  if (!wants_more()) numbers.resize(most);
  return numbers;
}

}  // namespace hmtc
