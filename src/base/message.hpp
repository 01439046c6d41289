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

class MessageWriter {
 public:
  template <typename T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    append(std::as_bytes(std::span(&value, 1)));
  }

  template <typename T>
  void put_all(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    put(std::uint64_t{values.size()});
    append(std::as_bytes(values));
  }
  template <typename T>
  void put_all(const std::vector<T>& values) {
    put_all(std::span<const T>(values));
  }
  void put_text(std::string_view text) { put_all(std::span<const char>(text)); }

  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void append(std::span<const std::byte> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }

  std::vector<std::byte> bytes_;
};

/// Reads what a MessageWriter wrote, in the same order.
class MessageReader {
 public:
  explicit MessageReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  bool done() const noexcept { return bytes_.empty(); }

  template <typename T>
  T get() {
    T value;
    copy(&value, sizeof(T));
    return value;
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
