// Features are known by 64-bit hashes of what they say: no strings in the loops.
#pragma once

#include <xxhash.h>

#include <cstdint>
#include <string_view>

namespace firth::tagger {

/// Of a feature or of a part of one. With a million features two of them share a hash with a chance of 1 in
/// 40 million, and then share their weights.
using Hash = std::uint64_t;

inline Hash hash_text(std::uint64_t kind, std::string_view text) {
  return XXH3_64bits_withSeed(text.data(), text.size(), kind);
}

/// The finaliser of splitmix64: a bijection.
inline Hash mix(Hash x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// Of a pair in order.
inline Hash combine(Hash a, Hash b) {
  return mix(a * 0x9e3779b97f4a7c15U + mix(b + 0x632be59bd9b4e019U));
}

}  // namespace firth::tagger
