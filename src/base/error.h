#pragma once

#include <cstddef>
#include <string>

#include "hmtc/error.h"

namespace hmtc {

/// A place in an input: a file, and a line of it counted from 1 (0: the file as a whole).
struct Place {
  std::string file;
  std::size_t line = 0;
};

/// The parts of every message about bad input.
struct Complaint {
  std::string expected;
  std::string found;
  std::string remedy;
};

/// "FILE:LINE: expected …, found …; remedy", of kind kInput.
Error input_error(const Place& place, const Complaint& complaint);

/// The same for a damaged model file, of kind kModel.
Error model_error(const Place& place, const Complaint& complaint);

/// "cannot ACTION PATH: REASON", of kind kIo; the reason is taken from errno.
Error io_error(const std::string& action, const std::string& path);

/// Whether it says that memory ran out. LibTorch has an exception of its own for that.
bool is_out_of_memory(const std::exception& error);

/// A text for messages: control characters escaped, at most 60 characters, quoted.
std::string in_quotes(const std::string& text);

}  // namespace hmtc
