#pragma once

#include <string_view>

namespace hmtc {

/// Writes to standard output. Throws kIo when that fails: a full disk, a closed pipe.
void print_result(std::string_view text);

/// The same at once, and the end of the output is really written.
void flush_results();

}  // namespace hmtc
