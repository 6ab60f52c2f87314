#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace hmtc {

/// Floats for the kernels: not set at first, at an address where a whole vector lies in one line of
/// the cache, and with a vector behind the last that may be read.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size)
      : values_(static_cast<float*>(::operator new[]((size + kRoom) * sizeof(float), kAlignment))) {
  }

  float* data() { return values_.get(); }
  const float* data() const { return values_.get(); }
  float& operator[](std::size_t i) { return values_[i]; }
  float operator[](std::size_t i) const { return values_[i]; }

 private:
  static constexpr std::size_t kRoom = 16;
  static constexpr std::align_val_t kAlignment{64};
  struct Free {
    void operator()(float* values) const { ::operator delete[](values, kAlignment); }
  };
  std::unique_ptr<float[], Free> values_;
};

}  // namespace hmtc
