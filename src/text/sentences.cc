#include "text/sentences.h"

#include "text/break_iterator.h"

namespace hmtc {

struct SentenceFinder::Breaks : Utf8Breaks {
  Breaks() : Utf8Breaks(icu::BreakIterator::createSentenceInstance) {}
};

SentenceFinder::SentenceFinder() : breaks_(std::make_unique<Breaks>()) {}
SentenceFinder::~SentenceFinder() = default;
SentenceFinder::SentenceFinder(SentenceFinder&&) noexcept = default;
SentenceFinder& SentenceFinder::operator=(SentenceFinder&&) noexcept = default;

std::vector<std::string_view> SentenceFinder::find(std::string_view utf8) {
  std::vector<std::string_view> sentences;
  if (utf8.empty()) return sentences;
  breaks_->open(utf8);
  std::int32_t begin = breaks_->iterator->first();
  for (std::int32_t end = breaks_->iterator->next(); end != icu::BreakIterator::DONE;
       end = breaks_->iterator->next()) {
    sentences.push_back(
        utf8.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
    begin = end;
  }
  return sentences;
}

}  // namespace hmtc
