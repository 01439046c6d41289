// Messages between ranks: numbers and arrays, one after the other. Ranks run the same build, so bytes are copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace firth::base {

/// A message for, or from, each rank.
using RankMessages = std::vector<std::vector<std::byte>>;

class MessageWriter {
 public:
  template <typename T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    put_bytes(std::as_bytes(std::span(&value, 1)));
  }

  /// A number that is small as a rule: 7 bits per byte, lowest first, the highest bit set in all but the last byte.
  void put_number(std::uint64_t number) {
    constexpr std::uint64_t kMore = 0x80;
    for (; number >= kMore; number >>= 7) bytes_.push_back(static_cast<std::byte>(number | kMore));
    bytes_.push_back(static_cast<std::byte>(number));
  }

  template <typename T>
  void put_all(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    put(std::uint64_t{values.size()});
    put_bytes(std::as_bytes(values));
  }
  template <typename T>
  void put_all(const std::vector<T>& values) {
    put_all(std::span<const T>(values));
  }
  void put_text(std::string_view text) { put_all(std::span<const char>(text)); }
  void put_bytes(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }

  std::vector<std::byte> take() { return std::exchange(bytes_, {}); }

 private:
  std::vector<std::byte> bytes_;
};

/// Reads what a MessageWriter wrote, in the same order.
class MessageReader {
 public:
  explicit MessageReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  bool done() const noexcept { return bytes_.empty(); }
  std::span<const std::byte> rest() const noexcept { return bytes_; }

  template <typename T>
  T get() {
    T value;
    copy(&value, sizeof(T));
    return value;
  }
  /// Where they are: no copy.
  std::span<const std::byte> get_bytes(std::size_t size) {
    const std::span<const std::byte> bytes = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return bytes;
  }

  std::uint64_t get_number() {
    std::uint64_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = std::to_integer<std::uint64_t>(bytes_.front());
      bytes_ = bytes_.subspan(1);
      number |= (byte & 0x7f) << shift;
      if (byte < 0x80) return number;
    }
  }

  template <typename T>
  void get_all(std::vector<T>& values) {
    values.resize(get<std::uint64_t>());
    copy(values.data(), values.size() * sizeof(T));
  }
  template <typename T>
  std::vector<T> get_all() {
    std::vector<T> values;
    get_all(values);
    return values;
  }
  std::string get_text() {
    const std::vector<char> text = get_all<char>();
    return {text.begin(), text.end()};
  }

 private:
  void copy(void* to, std::size_t size) {
    if (size > 0) std::memcpy(to, bytes_.data(), size);
    bytes_ = bytes_.subspan(size);
  }

  std::span<const std::byte> bytes_;
};

}  // namespace firth::base
