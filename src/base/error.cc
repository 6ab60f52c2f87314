#include "base/error.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <string_view>

namespace hmtc {
namespace {

std::string describe(const Place& place, const Complaint& complaint) {
  const std::string where =
      place.line == 0 ? place.file : fmt::format("{}:{}", place.file, place.line);
  return fmt::format("{}: expected {}, found {}; {}", where, complaint.expected, complaint.found,
                     complaint.remedy);
}

}  // namespace

Error input_error(const Place& place, const Complaint& complaint) {
  return {ErrorKind::kInput, describe(place, complaint)};
}

Error model_error(const Place& place, const Complaint& complaint) {
  return {ErrorKind::kModel, describe(place, complaint)};
}

Error io_error(const std::string& action, const std::string& path) {
  return {ErrorKind::kIo, fmt::format("cannot {} {}: {}", action, path, std::strerror(errno))};
}

bool is_out_of_memory(const std::exception& error) {
  return dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
         std::string_view(error.what()).find("alloc_cpu") != std::string_view::npos;
}

std::string in_quotes(const std::string& text) {
  constexpr std::size_t kMostBytes = 60;
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // Never cut inside a UTF-8 sequence: stop only in front of a leading byte.
    if (i >= kMostBytes && (byte & 0xC0) != 0x80) {
      shown += "…";
      break;
    }
    if (byte < 0x20 || byte == 0x7F) {
      shown += fmt::format("\\x{:02x}", byte);
    } else {
      shown += text[i];
    }
  }
  return "\"" + shown + "\"";
}

}  // namespace hmtc
