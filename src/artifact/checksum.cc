#include "artifact/checksum.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

#include "base/error.h"

namespace hmtc {

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1) {
    throw Error(ErrorKind::kInternal, "SHA-256 is not available in this OpenSSL");
  }
  std::string hex;
  for (unsigned i = 0; i < length; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

}  // namespace hmtc
