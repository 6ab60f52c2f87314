#pragma once

#include <filesystem>
#include <string>

namespace hmtc {

/// What a run reads, as digests of 64 hexadecimal digits: two runs with the same ones read the
/// same.
struct InputDigests {
  std::string data;
  std::string vectors;  ///< empty without word vectors
};

enum class SplitOf { kDirectory, kSeed };

/// Of hierarchy and documents. Where the seed divides them, the same for every division.
std::string digest_of_data(const std::filesystem::path& directory, SplitOf split);

}  // namespace hmtc
