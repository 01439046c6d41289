// One number for everything that decides a result, so that runs can be told apart.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace firth::base {

/// What is added, one after the other, decides the value.
class Fingerprint {
 public:
  Fingerprint& add(std::span<const std::byte> bytes);
  Fingerprint& add(std::uint64_t value) { return add(std::as_bytes(std::span(&value, 1))); }
  Fingerprint& add(double value) { return add(std::bit_cast<std::uint64_t>(value)); }
  Fingerprint& add(std::string_view text) { return add(std::as_bytes(std::span(text))); }
  template <typename T>
  Fingerprint& add_all(std::span<const T> values) {
    return add(std::as_bytes(values));
  }
  std::uint64_t value() const noexcept { return value_; }

 private:
  std::uint64_t value_ = 0;
};

}  // namespace firth::base
