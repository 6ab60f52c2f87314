#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "config/options.h"
#include "text/stop_words.h"
#include "text/unicode.h"

namespace hmtc {

/// One word of a text.
struct Token {
  std::string text;         ///< folded, see fold_word(); never empty
  std::uint32_t begin = 0;  ///< the bytes of the original text that it covers: [begin, end)
  std::uint32_t end = 0;

  bool operator==(const Token&) const = default;
};

/// Splits texts of any language into words:
///  1. The text is cut at the word boundaries of Unicode (UAX #29) as ICU has them for the root
///     locale; Chinese, Japanese, Thai, Lao, Khmer and Burmese by ICU's dictionaries. So "don't",
///     "3.14", "1,250" and "x_1" are one word, "state-of-the-art" is four. A soft hyphen or another
///     zero-width character does not end a word, the zero-width space U+200B does.
///  2. A piece with a letter (Unicode: Alphabetic, so ideographs too) or a decimal digit is a word.
///     Any other visible piece is punctuation. Spaces and control characters are never tokens.
///  3. The token's text is fold_word() of the piece; offsets cover the piece in the original.
///  4. Stop words are compared with the folded text; digits are masked after that.
/// ICU moves boundaries slightly between releases (in ICU 72 "a@b.org" is one word and "a:b" two).
///
/// Thread-compatible: one object per thread; making one takes some microseconds.
class Tokenizer {
 public:
  explicit Tokenizer(const TextOptions& options = {});
  ~Tokenizer();
  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;

  /// Replaces `out` by the tokens of the text in their order. The text should be UTF-8 (see
  /// first_invalid_utf8()); other bytes do no harm, they count as punctuation.
  /// Throws kInput when the text has 2 GiB or more.
  void tokenize(std::string_view utf8, std::vector<Token>& out);

 private:
  void add_piece(std::string_view piece, std::uint32_t begin, std::vector<Token>& out) const;

  struct WordBreaks;
  std::unique_ptr<WordBreaks> breaks_;
  Numbers numbers_;
  Punctuation punctuation_;
  std::unordered_set<std::string> stop_words_;
};

/// Throws kInput when a text has 2 GiB or more, which is more than places in it can say.
void check_text_size(std::string_view utf8);

}  // namespace hmtc
