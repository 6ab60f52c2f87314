#pragma once

#include <string>
#include <string_view>

namespace hmtc {

/// Writes to standard output. Throws kIo when that fails: a full disk, a closed pipe.
void print_result(std::string_view text);

/// The same at once, and the end of the output is really written.
void flush_results();

/// Tells somebody at a terminal who named no other input that the program waits for it.
void mention_waiting(const std::string& input);

/// Writes a line to standard error. Never fails: a run must not die because nobody reads its log.
void print_message(std::string_view text);

/// Writes a page to a file, or to standard output for "-".
void write_page(const std::string& path, const std::string& html);

}  // namespace hmtc
