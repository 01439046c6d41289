// Features are known by 64-bit hashes of what they say: no strings in the loops.
#pragma once

#include <xxhash.h>

#include <cstdint>
#include <string_view>

#include "base/hash.hpp"

namespace firth::tagger {

/// Of a feature or of a part of one. With a million features two of them share a hash with a chance of 1 in
/// 40 million, and then share their weights.
using Hash = std::uint64_t;

inline Hash hash_text(std::uint64_t kind, std::string_view text) {
  return XXH3_64bits_withSeed(text.data(), text.size(), kind);
}

using base::combine;
using base::mix;

}  // namespace firth::tagger
