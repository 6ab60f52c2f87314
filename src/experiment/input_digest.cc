#include "experiment/input_digest.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdint>

#include "artifact/checksum.h"
#include "base/line_reader.h"

namespace hmtc {
namespace {

namespace fs = std::filesystem;

constexpr std::array kSplits = {"train.jsonl", "val.jsonl", "test.jsonl"};

/// A sum over the digests of lines, which does not depend on their order.
class LineSum {
 public:
  void add(std::string_view line) {
    constexpr std::size_t kDigits = 16;
    const std::string digest = sha256_hex(line);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      std::uint64_t part = 0;
      const char* const begin = digest.data() + i * kDigits;
      std::from_chars(begin, begin + kDigits, part, 16);
      parts_[i] += part;
    }
  }
  std::string text() const {
    return fmt::format("{:x} {:x} {:x} {:x}", parts_[0], parts_[1], parts_[2], parts_[3]);
  }

 private:
  std::array<std::uint64_t, 4> parts_{};
};

}  // namespace

std::string digest_of_data(const fs::path& directory, SplitOf split) {
  std::string parts;
  const fs::path hierarchy = directory / "hierarchy.tsv";
  if (fs::exists(hierarchy)) parts += sha256_hex_of_file(hierarchy.string()) + "\n";
  LineSum lines;
  for (const char* name : kSplits) {
    if (!fs::exists(directory / name)) continue;
    if (split == SplitOf::kDirectory) {
      parts += fmt::format("{} {}\n", name, sha256_hex_of_file((directory / name).string()));
      continue;
    }
    LineReader reader((directory / name).string());
    for (std::string_view line; reader.next(line);) lines.add(line);
  }
  return sha256_hex(parts + lines.text());
}

}  // namespace hmtc
