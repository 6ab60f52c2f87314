#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <utility>

namespace hmtc {

/// What all connections together hold of large requests and answers, kept within a bound. Every
/// connection may have a small request and answer beside it. For all threads.
class LargeBytes {
 public:
  static constexpr std::size_t kSmall = 64 * 1024;

  /// Bytes that somebody holds until it ends.
  class Claim {
   public:
    Claim() = default;
    Claim(LargeBytes& of, std::size_t bytes) : of_(&of), bytes_(bytes) {}
    Claim(Claim&& other) noexcept : of_(other.of_), bytes_(std::exchange(other.bytes_, 0)) {}
    Claim& operator=(Claim&& other) noexcept {
      std::swap(of_, other.of_);
      std::swap(bytes_, other.bytes_);
      other.release();
      return *this;
    }
    ~Claim() { release(); }

    void release() {
      if (bytes_ > 0) of_->held_ -= std::exchange(bytes_, 0);
    }

   private:
    LargeBytes* of_ = nullptr;
    std::size_t bytes_ = 0;
  };

  explicit LargeBytes(std::size_t most) : most_(most) {}
  LargeBytes(const LargeBytes&) = delete;
  LargeBytes& operator=(const LargeBytes&) = delete;

  /// Nothing when there is no room. What is small costs nothing.
  std::optional<Claim> claim(std::size_t bytes) {
    if (bytes <= kSmall) return Claim();
    std::size_t held = held_;
    do {
      if (bytes > most_ || held > most_ - bytes) return std::nullopt;
    } while (!held_.compare_exchange_weak(held, held + bytes));
    return Claim(*this, bytes);
  }

 private:
  const std::size_t most_;
  std::atomic<std::size_t> held_ = 0;
};

}  // namespace hmtc
