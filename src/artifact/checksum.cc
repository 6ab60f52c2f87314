#include "artifact/checksum.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <memory>

#include "base/error.h"

namespace hmtc {

namespace {

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
    require(context_ && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
  }

  void add(std::string_view bytes) {
    require(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
  }

  std::string hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    require(EVP_DigestFinal_ex(context_.get(), digest.data(), &length) == 1);
    std::string text;
    for (unsigned i = 0; i < length; ++i) text += fmt::format("{:02x}", digest[i]);
    return text;
  }

 private:
  static void require(bool is_well) {
    if (!is_well) throw Error(ErrorKind::kInternal, "SHA-256 is not available in this OpenSSL");
  }

  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  Sha256 digest;
  digest.add(bytes);
  return digest.hex();
}

std::string sha256_hex_of_file(const std::string& path) {
  constexpr std::size_t kBlock = std::size_t{1} << 20U;
  std::ifstream in(path, std::ios::binary);
  if (!in) throw io_error("open", path);
  Sha256 digest;
  std::string block(kBlock, '\0');
  while (in.read(block.data(), static_cast<std::streamsize>(kBlock)) || in.gcount() > 0) {
    digest.add(std::string_view(block).substr(0, static_cast<std::size_t>(in.gcount())));
  }
  if (in.bad()) throw io_error("read", path);
  return digest.hex();
}

}  // namespace hmtc
