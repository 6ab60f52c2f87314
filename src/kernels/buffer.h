#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>

namespace hmtc {

/// Floats for the kernels: not set at first, at an address where a whole vector lies in one line of
/// the cache, and with a vector behind the last that may be read.
class Buffer {
 public:
  Buffer() = default;
  /// By malloc, whose own way of aligning leaves gaps: a thread's heap grows and shrinks for them.
  explicit Buffer(std::size_t size) {
    const std::size_t bytes = (size + kRoom) * sizeof(float);
    std::size_t space = bytes + kAlignment;
    memory_.reset(std::malloc(space));
    if (memory_ == nullptr) throw std::bad_alloc();
    void* begin = memory_.get();
    values_ = static_cast<float*>(std::align(kAlignment, bytes, begin, space));
  }
  Buffer(Buffer&& other) noexcept
      : memory_(std::move(other.memory_)), values_(std::exchange(other.values_, nullptr)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    memory_ = std::move(other.memory_);
    values_ = std::exchange(other.values_, nullptr);
    return *this;
  }

  float* data() { return values_; }
  const float* data() const { return values_; }
  float& operator[](std::size_t i) { return values_[i]; }
  float operator[](std::size_t i) const { return values_[i]; }

 private:
  static constexpr std::size_t kRoom = 16;
  static constexpr std::size_t kAlignment = 64;
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  std::unique_ptr<void, Free> memory_;
  float* values_ = nullptr;
};

}  // namespace hmtc
