#include "text/word_bound.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <array>
#include <cstdint>

namespace hmtc {
namespace {

/// What a character is to a piece that the rules of Unicode (UAX #29) leave whole.
enum class Role : std::uint8_t {
  kNone,    ///< neither seen nor part of a word
  kWord,    ///< does not end a run of its kind
  kHangul,  ///< likewise, but parted from other letters
  kJoins,   ///< belongs to the character before it
  kAlone,
};

/// ICU looks for words of these scripts in dictionaries, so that a boundary can be anywhere.
bool is_cut_by_dictionary(UChar32 point) {
  UErrorCode code = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(point, &code);
  return script == USCRIPT_HAN || script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA;
}

bool is_hangul_syllable(UChar32 point) {
  const int type = u_getIntPropertyValue(point, UCHAR_HANGUL_SYLLABLE_TYPE);
  return type == U_HST_LV_SYLLABLE || type == U_HST_LVT_SYLLABLE;
}

Role role_of(UChar32 point) {
  if (is_cut_by_dictionary(point)) return Role::kAlone;
  if (is_hangul_syllable(point)) return Role::kHangul;
  switch (u_getIntPropertyValue(point, UCHAR_WORD_BREAK)) {
    case U_WB_ALETTER:
    case U_WB_HEBREW_LETTER:
    case U_WB_NUMERIC:
    case U_WB_EXTENDNUMLET:
      return Role::kWord;
    case U_WB_EXTEND:
    case U_WB_FORMAT:
    case U_WB_ZWJ:
      return Role::kJoins;
    default:
      return u_isgraph(point) != 0 ? Role::kAlone : Role::kNone;
  }
}

const std::array<Role, 128>& ascii_roles() {
  static const auto table = [] {
    std::array<Role, 128> roles;
    for (UChar32 point = 0; point < 128; ++point) {
      roles[static_cast<std::size_t>(point)] = role_of(point);
    }
    return roles;
  }();
  return table;
}

}  // namespace

std::size_t most_words_in(std::string_view utf8) {
  const std::array<Role, 128>& ascii = ascii_roles();
  std::size_t words = 0;
  Role before = Role::kNone;
  for (std::size_t i = 0; i < utf8.size();) {
    UChar32 point;
    U8_NEXT_OR_FFFD(utf8.data(), i, utf8.size(), point);
    const Role role = point < 128 ? ascii[static_cast<std::size_t>(point)] : role_of(point);
    const bool goes_on = role == Role::kJoins
                             ? before != Role::kNone
                             : role == before && (role == Role::kWord || role == Role::kHangul);
    if (role != Role::kNone && !goes_on) ++words;
    const bool leaves_word_open = role == Role::kJoins && before == Role::kWord;
    if (!leaves_word_open) before = role;
  }
  return words;
}

}  // namespace hmtc
