// Random numbers that are the same on every machine: the standard's distributions are not.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include "base/hash.hpp"

namespace firth::base {

/// xoshiro256** (Blackman & Vigna 2018), seeded through splitmix64.
class Rng {
 public:
  explicit Rng(std::uint64_t seed) {
    for (std::uint64_t& word : state_) {
      seed += kGoldenRatio;
      word = mix(seed);
    }
  }

  /// Stream `i` of a seed, as if of a seed of its own. Stream 0 is that of the seed itself.
  static Rng stream(std::uint64_t seed, std::uint64_t i) { return Rng(stream_seed(seed, i)); }

  /// The seed of that stream, for functions that take one. Mixed twice: neighbours share no word of state,
  /// which they would if their seeds were multiples of what the constructor adds.
  static std::uint64_t stream_seed(std::uint64_t seed, std::uint64_t i) {
    return i == 0 ? seed : mix(mix(seed) + i);
  }

  const std::array<std::uint64_t, 4>& state() const { return state_; }

  std::uint64_t next() {
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  /// Uniform in [0, 1), 53 bits.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// Uniform in [0, bound), bound > 0, without bias (Lemire 2019).
  std::uint64_t below(std::uint64_t bound) {
    __extension__ using Wide = unsigned __int128;
    Wide product = static_cast<Wide>(next()) * bound;
    if (static_cast<std::uint64_t>(product) < bound) {
      const std::uint64_t threshold = (0 - bound) % bound;
      while (static_cast<std::uint64_t>(product) < threshold) product = static_cast<Wide>(next()) * bound;
    }
    return static_cast<std::uint64_t>(product >> 64);
  }

 private:
  static std::uint64_t rotate(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

  std::array<std::uint64_t, 4> state_;
};

/// Puts the items in random order (Fisher and Yates).
template <typename Range>
void shuffle(Range& items, Rng& rng) {
  for (std::size_t i = std::size(items); i > 1; --i) std::swap(items[i - 1], items[rng.below(i)]);
}

}  // namespace firth::base
