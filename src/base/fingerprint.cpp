#include "base/fingerprint.hpp"

#include <xxhash.h>

namespace firth::base {

Fingerprint& Fingerprint::add(std::span<const std::byte> bytes) {
  value_ = XXH3_64bits_withSeed(bytes.data(), bytes.size(), value_ + 1);
  return *this;
}

}  // namespace firth::base
