// Vectors that start at a cache line, so that vector loads never straddle two.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace firth::base {

inline constexpr std::size_t kCacheLine = 64;

template <typename T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <typename U>
  AlignedAllocator(const AlignedAllocator<U>&) noexcept {}  // NOLINT(google-explicit-constructor)

  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new (count * sizeof(T), std::align_val_t{kCacheLine}));
  }
  void deallocate(T* data, std::size_t) noexcept { ::operator delete (data, std::align_val_t{kCacheLine}); }

  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};

template <typename T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace firth::base
