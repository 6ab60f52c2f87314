#include "output.h"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cstdio>

#include "base/error.h"
#include "base/files.h"

namespace hmtc {

void print_result(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) {
    throw io_error("write", "standard output");
  }
}

void flush_results() {
  if (std::fflush(stdout) != 0) throw io_error("write", "standard output");
}

void print_message(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void mention_waiting(const std::string& input) {
  if (input == "-" && ::isatty(STDIN_FILENO) != 0) {
    print_message("reading documents from the terminal; Ctrl-D ends them\n");
  }
}

void write_page(const std::string& path, const std::string& html) {
  if (path == "-") {
    print_result(html);
    return flush_results();
  }
  write_output_file(path, html);
  spdlog::info("wrote {}", path);
}

}  // namespace hmtc
