// Messages of many small numbers and spellings, which are read where they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace firth::counts {

/// A message for, or from, each rank.
using RankMessages = std::vector<std::vector<std::byte>>;

/// Numbers have seven bits per byte, lowest first, the highest bit set in all but the last byte.
class PackedWriter {
 public:
  void put_number(std::uint64_t number) {
    constexpr std::uint64_t kMore = 0x80;
    for (; number >= kMore; number >>= 7) bytes_.push_back(static_cast<std::byte>(number | kMore));
    bytes_.push_back(static_cast<std::byte>(number));
  }
  void put_bytes(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }

  std::vector<std::byte> take() { return std::exchange(bytes_, {}); }

 private:
  std::vector<std::byte> bytes_;
};

/// Reads what a PackedWriter wrote, in the same order.
class PackedReader {
 public:
  explicit PackedReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  bool done() const noexcept { return bytes_.empty(); }
  std::span<const std::byte> rest() const noexcept { return bytes_; }

  std::uint64_t get_number() {
    std::uint64_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = std::to_integer<std::uint64_t>(bytes_.front());
      bytes_ = bytes_.subspan(1);
      number |= (byte & 0x7f) << shift;
      if (byte < 0x80) return number;
    }
  }
  std::span<const std::byte> get_bytes(std::size_t size) {
    const std::span<const std::byte> bytes = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return bytes;
  }
  /// A number that was put as its bytes.
  template <typename T>
  T get() {
    T value;
    std::memcpy(&value, get_bytes(sizeof(T)).data(), sizeof(T));
    return value;
  }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace firth::counts
