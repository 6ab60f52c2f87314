#pragma once

#include <string>
#include <vector>

namespace hmtc {

/// The stop words that a configuration names, folded as the tokenizer folds words:
///  ""         none,
///  "english"  a built-in list of common English function words,
///  otherwise  a file with one word per line (a file called "english" is "./english"); blank lines
///             and spaces around a word do not count.
/// Throws kIo when the file cannot be read, kInput for a line that is not UTF-8 or not one word.
std::vector<std::string> stop_word_list(const std::string& spec);

}  // namespace hmtc
