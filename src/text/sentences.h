#pragma once

#include <memory>
#include <string_view>
#include <vector>

namespace hmtc {

/// Finds the sentences of a text by the rules of Unicode (UAX #29). One per thread.
class SentenceFinder {
 public:
  SentenceFinder();
  ~SentenceFinder();
  SentenceFinder(SentenceFinder&&) noexcept;
  SentenceFinder& operator=(SentenceFinder&&) noexcept;

  /// The sentences, which together are the text; it must be UTF-8 and outlive them.
  std::vector<std::string_view> find(std::string_view utf8);

 private:
  struct Breaks;
  std::unique_ptr<Breaks> breaks_;
};

}  // namespace hmtc
