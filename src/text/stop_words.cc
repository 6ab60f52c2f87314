#include "text/stop_words.h"

#include <string_view>

#include "base/line_reader.h"
#include "base/strings.h"
#include "text/unicode.h"

namespace hmtc {
namespace {

/// Words that say how a sentence is built and not what it is about. Negations and numbers below
/// ten are not here: they can tell classes apart.
constexpr std::string_view kEnglish[] = {
    // articles, determiners, quantities
    "a", "all", "an", "another", "any", "both", "each", "either", "every", "few", "many", "more",
    "most", "much", "other", "others", "own", "same", "several", "some", "such", "that", "the",
    "these", "this", "those",
    // pronouns
    "he", "her", "hers", "herself", "him", "himself", "his", "i", "it", "its", "itself", "me",
    "mine", "my", "myself", "our", "ours", "ourselves", "she", "their", "theirs", "them",
    "themselves", "they", "us", "we", "you", "your", "yours", "yourself", "yourselves",
    // questions and relatives
    "how", "what", "when", "where", "which", "while", "who", "whom", "whose", "why",
    // auxiliary verbs
    "am", "are", "be", "been", "being", "can", "could", "did", "do", "does", "doing", "had", "has",
    "have", "having", "is", "may", "might", "must", "shall", "should", "was", "were", "will",
    "would",
    // conjunctions
    "although", "and", "as", "because", "but", "if", "or", "since", "so", "than", "though",
    "unless", "until", "whether",
    // prepositions
    "about", "above", "after", "against", "among", "at", "before", "below", "between", "by", "down",
    "during", "for", "from", "in", "into", "of", "off", "on", "onto", "out", "over", "through",
    "to", "toward", "under", "up", "upon", "with", "within",
    // adverbs
    "again", "also", "just", "here", "now", "only", "then", "there", "thus", "too", "very",
    // contractions
    "he's", "i'd", "i'll", "i'm", "i've", "it's", "let's", "she's", "that's", "there's", "they're",
    "they've", "we're", "we've", "what's", "who's", "you'll", "you're", "you've"};

std::vector<std::string> english_stop_words() {
  std::vector<std::string> words(std::begin(kEnglish), std::end(kEnglish));
  for (const std::string_view word : kEnglish) {
    const std::size_t apostrophe = word.find('\'');
    if (apostrophe == std::string_view::npos) continue;
    // Printed texts have the typographic apostrophe, which folding leaves alone.
    words.push_back(std::string(word).replace(apostrophe, 1, "\u2019"));
  }
  return words;
}

std::vector<std::string> stop_words_of_file(const std::string& path) {
  LineReader reader(path);
  std::vector<std::string> words;
  std::string_view line;
  while (reader.next(line)) {
    const std::string_view word = trim(line);
    if (word.empty()) continue;
    if (first_invalid_utf8(word)) {
      throw input_error(reader.place(),
                        {"UTF-8", "bytes that are not", "convert the file to UTF-8"});
    }
    if (word.find_first_of(" \t") != std::string_view::npos) {
      throw input_error(reader.place(), {"one stop word per line", in_quotes(std::string(word)),
                                         "put every word on a line of its own"});
    }
    words.push_back(fold_word(word));
  }
  return words;
}

}  // namespace

std::vector<std::string> stop_word_list(const std::string& spec) {
  if (spec.empty()) return {};
  return spec == "english" ? english_stop_words() : stop_words_of_file(spec);
}

}  // namespace hmtc
