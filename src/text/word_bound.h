#pragma once

#include <cstddef>
#include <string_view>

namespace hmtc {

/// A number of words that no Tokenizer exceeds on this UTF-8 text, found without looking for words:
/// a run of letters and digits counts once, every other visible character once. So punctuation
/// counts, whether a model keeps it or not, and each character of the scripts that write without
/// spaces.
std::size_t most_words_in(std::string_view utf8);

}  // namespace hmtc
