#pragma once

#include <string>
#include <string_view>

namespace hmtc {

/// The SHA-256 of the bytes, as 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

/// The same of a file, which may be larger than the memory. Throws kIo.
std::string sha256_hex_of_file(const std::string& path);

}  // namespace hmtc
