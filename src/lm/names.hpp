// Spellings of words and classes, with a hash table to find them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace firth::lm {

/// Distinct names, numbered. Cheap to copy.
class Names {
 public:
  Names() = default;
  /// Copies the names. They must be distinct.
  explicit Names(std::span<const std::string> names);
  /// Views into storage kept alive by `owner`; `offsets` has one entry more than there are names. The names
  /// must be distinct: see has_repetition().
  Names(std::span<const std::uint64_t> offsets, std::string_view bytes, std::shared_ptr<const void> owner);

  std::size_t size() const noexcept { return offsets_.empty() ? 0 : offsets_.size() - 1; }
  std::string_view operator[](std::size_t i) const {
    return bytes_.substr(offsets_[i], offsets_[i + 1] - offsets_[i]);
  }
  std::optional<std::uint32_t> find(std::string_view name) const;

  /// Whether a name is in the list twice.
  bool has_repetition() const noexcept { return repeated_; }

  std::span<const std::uint64_t> offsets() const noexcept { return offsets_; }
  std::string_view bytes() const noexcept { return bytes_; }

 private:
  void index();

  std::span<const std::uint64_t> offsets_;
  std::string_view bytes_;
  std::shared_ptr<const void> owner_;
  std::shared_ptr<const std::vector<std::uint32_t>> slots_;
  bool repeated_ = false;
};

}  // namespace firth::lm
