#include "output.h"

#include <cstdio>

#include "base/error.h"

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

}  // namespace hmtc
