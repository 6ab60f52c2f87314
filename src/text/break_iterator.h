#pragma once

#include <unicode/brkiter.h>
#include <unicode/utext.h>

#include <memory>
#include <string_view>

#include "text/icu_check.h"

namespace hmtc {

/// ICU's boundaries in a UTF-8 text, as byte offsets.
struct Utf8Breaks {
  using Create = icu::BreakIterator* (*)(const icu::Locale&, UErrorCode&);

  std::unique_ptr<icu::BreakIterator> iterator;
  UText text = UTEXT_INITIALIZER;

  /// `create`: icu::BreakIterator::createWordInstance or another of its kind.
  explicit Utf8Breaks(Create create) {
    UErrorCode code = U_ZERO_ERROR;
    iterator.reset(create(icu::Locale::getRoot(), code));
    check_icu(code);
  }
  Utf8Breaks(const Utf8Breaks&) = delete;
  Utf8Breaks& operator=(const Utf8Breaks&) = delete;
  ~Utf8Breaks() { utext_close(&text); }

  /// ICU walks the UTF-8 itself: about a tenth slower than converting to UTF-16 first, but the
  /// boundaries are byte offsets right away.
  void open(std::string_view utf8) {
    UErrorCode code = U_ZERO_ERROR;
    utext_openUTF8(&text, utf8.data(), static_cast<std::int64_t>(utf8.size()), &code);
    iterator->setText(&text, code);
    check_icu(code);
  }
};

}  // namespace hmtc
