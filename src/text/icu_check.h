#pragma once

#include <unicode/utypes.h>

#include <string>

#include "hmtc/error.h"

namespace hmtc {

/// Throws kInternal when an ICU call failed; on valid arguments only memory can run out.
inline void check_icu(UErrorCode code) {
  if (U_FAILURE(code)) {
    throw Error(ErrorKind::kInternal, std::string("ICU reports ") + u_errorName(code));
  }
}

}  // namespace hmtc
