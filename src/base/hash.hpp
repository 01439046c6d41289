// Mixing of 64-bit numbers. Some values go into model files: they must never change.
#pragma once

#include <cstdint>

namespace firth::base {

/// 2^64 divided by the golden ratio, odd: its multiples are spread evenly.
inline constexpr std::uint64_t kGoldenRatio = 0x9e3779b97f4a7c15u;

/// The finaliser of splitmix64 (Steele, Lea and Flood 2014): one-to-one, every bit depends on every bit.
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Of a pair in order.
constexpr std::uint64_t combine(std::uint64_t a, std::uint64_t b) {
  return mix(a * kGoldenRatio + mix(b + 0x632be59bd9b4e019u));
}

}  // namespace firth::base
