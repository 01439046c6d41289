// Bytes of a file that is in memory already, aligned as a mapped file is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

#include "base/aligned.hpp"

namespace firth::base {

/// What stands for the path in messages about bytes in memory.
inline constexpr const char* kMemoryName = "the given bytes";

class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : bytes_(bytes.size()) {
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(bytes_.data()));
  }

  std::span<const std::byte> bytes() const noexcept { return bytes_; }

 private:
  AlignedVector<std::byte> bytes_;
};

}  // namespace firth::base
