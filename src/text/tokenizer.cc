#include "text/tokenizer.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/error.h"
#include "text/break_iterator.h"

namespace hmtc {
namespace {

/// What a piece between two boundaries holds; it decides whether the piece is a token.
struct Content {
  bool letter = false;
  bool digit = false;
  bool visible = false;
};

Content content_of(UChar32 point) {
  return {u_isUAlphabetic(point) != 0, u_isdigit(point) != 0, u_isgraph(point) != 0};
}

/// Three calls of ICU for each byte would take as long as finding the boundaries.
const std::array<Content, 128>& ascii_content() {
  static const auto table = [] {
    std::array<Content, 128> contents;
    for (UChar32 point = 0; point < 128; ++point) {
      contents[static_cast<std::size_t>(point)] = content_of(point);
    }
    return contents;
  }();
  return table;
}

Content content_of(std::string_view piece) {
  const std::array<Content, 128>& ascii = ascii_content();
  Content content;
  const auto size = static_cast<std::int32_t>(piece.size());
  for (std::int32_t i = 0; i < size;) {
    UChar32 point;
    U8_NEXT_OR_FFFD(piece.data(), i, size, point);
    const Content more = point < 128 ? ascii[static_cast<std::size_t>(point)] : content_of(point);
    content.letter |= more.letter;
    content.digit |= more.digit;
    content.visible |= more.visible;
  }
  return content;
}

/// ASCII letters and digits alone, between which no rule ever finds a boundary.
bool is_plain_word(std::string_view text) {
  const std::array<Content, 128>& ascii = ascii_content();
  return std::all_of(text.begin(), text.end(), [&](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 128 && (ascii[byte].letter || ascii[byte].digit);
  });
}

std::string with_masked_digits(std::string_view word) {
  std::string masked;
  const auto size = static_cast<std::int32_t>(word.size());
  for (std::int32_t begin = 0, end = 0; begin < size; begin = end) {
    UChar32 point;
    U8_NEXT_OR_FFFD(word.data(), end, size, point);
    if (u_isdigit(point)) {
      masked += '0';
    } else {
      masked.append(word, static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    }
  }
  return masked;
}

}  // namespace

/// Keeps ICU's headers out of ours.
struct Tokenizer::WordBreaks : Utf8Breaks {
  WordBreaks() : Utf8Breaks(icu::BreakIterator::createWordInstance) {}
};

Tokenizer::Tokenizer(const TextOptions& options)
    : breaks_(std::make_unique<WordBreaks>()),
      numbers_(options.numbers),
      punctuation_(options.punctuation),
      stop_words_(options.stop_words.begin(), options.stop_words.end()) {}

Tokenizer::~Tokenizer() = default;
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;

void check_text_size(std::string_view utf8) {
  if (utf8.size() <= std::numeric_limits<std::int32_t>::max()) return;
  throw input_error({"text"}, {"less than 2 GiB in one document",
                               std::to_string(utf8.size()) + " bytes", "split the document"});
}

void Tokenizer::tokenize(std::string_view utf8, std::vector<Token>& out) {
  out.clear();
  if (utf8.empty()) return;
  check_text_size(utf8);
  if (is_plain_word(utf8)) return add_piece(utf8, 0, out);
  breaks_->open(utf8);
  icu::BreakIterator& iterator = *breaks_->iterator;
  std::int32_t begin = iterator.first();
  for (std::int32_t end = iterator.next(); end != icu::BreakIterator::DONE; end = iterator.next()) {
    const auto first = static_cast<std::uint32_t>(begin);
    add_piece(utf8.substr(first, static_cast<std::size_t>(end - begin)), first, out);
    begin = end;
  }
}

void Tokenizer::add_piece(std::string_view piece, std::uint32_t begin,
                          std::vector<Token>& out) const {
  if (piece == " ") return;  // half of all pieces
  const Content content = content_of(piece);
  const bool is_word = content.letter || content.digit;
  if (!is_word && (punctuation_ == Punctuation::kDrop || !content.visible)) return;
  if (numbers_ == Numbers::kDrop && content.digit && !content.letter) return;
  std::string word = fold_word(piece);
  if (word.empty() || stop_words_.contains(word)) return;
  if (numbers_ == Numbers::kMaskDigits && content.digit) word = with_masked_digits(word);
  out.push_back({std::move(word), begin, begin + static_cast<std::uint32_t>(piece.size())});
}

}  // namespace hmtc
