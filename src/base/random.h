#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace hmtc {

/// SplitMix64 (Steele, Lea, Flood 2014): small, fast, and the same numbers on every platform,
/// which std::shuffle and the std distributions do not promise.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }

  /// Uniform in [0, bound); the bias of the remainder is below bound / 2^64.
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }

  /// Fisher-Yates.
  template <typename T>
  void shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }

 private:
  std::uint64_t state_;
};

/// One seed out of two numbers, for streams that must not depend on each other (seed and step).
inline std::uint64_t mix_seed(std::uint64_t a, std::uint64_t b) {
  return Random(Random(a).next() ^ (b * 0xD6E8FEB86659FD93ULL)).next();
}

}  // namespace hmtc
