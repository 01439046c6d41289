// Many strings in two arrays, as files and views want them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace firth::base {

/// Strings one after the other, and where each begins: one offset more than there are strings.
class StringTable {
 public:
  StringTable() = default;
  template <class Range>
  explicit StringTable(const Range& strings) {
    for (const auto& text : strings) add(text);
  }

  void reserve(std::size_t strings, std::size_t bytes) {
    offsets_.reserve(strings + 1);
    bytes_.reserve(bytes);
  }
  void add(std::string_view text) {
    bytes_ += text;
    offsets_.push_back(bytes_.size());
  }

  std::size_t size() const noexcept { return offsets_.size() - 1; }
  std::string_view operator[](std::size_t i) const {
    return std::string_view(bytes_).substr(offsets_[i], offsets_[i + 1] - offsets_[i]);
  }

  std::span<const std::uint64_t> offsets() const noexcept { return offsets_; }
  std::string_view bytes() const noexcept { return bytes_; }

 private:
  std::vector<std::uint64_t> offsets_ = {0};
  std::string bytes_;
};

/// Whether offsets cut `bytes` bytes into strings, from the first to the last byte.
bool are_offsets(std::span<const std::uint64_t> offsets, std::size_t bytes);

}  // namespace firth::base
