#pragma once

#include "hmtc/export.h"

namespace hmtc {

/// The version of the library, such as "0.1.0". A model names the version that wrote it.
HMTC_API const char* version() noexcept;

}  // namespace hmtc
