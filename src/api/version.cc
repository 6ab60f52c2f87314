#include "hmtc/version.h"

#include "base/version.h"

namespace hmtc {

const char* version() noexcept { return kVersion; }

}  // namespace hmtc
