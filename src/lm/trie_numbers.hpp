// Probabilities and back-off weights of a trie: as they were estimated, or in less room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace firth::lm {

/// Probabilities of entries. In a quantised trie, those of single symbols are there as they are, and each of the
/// others is a byte: its place in a table.
class Probabilities {
 public:
  Probabilities() = default;
  Probabilities(std::span<const double> values) : values_(values) {}
  Probabilities(std::span<const double> of_symbols, std::span<const double> table,
                std::span<const std::uint8_t> codes)
      : values_(of_symbols), table_(table), codes_(codes) {}

  double operator[](std::uint64_t entry) const noexcept {
    if (entry < values_.size()) return values_[entry];
    return table_[codes_[entry - values_.size()]];
  }
  std::size_t size() const noexcept { return values_.size() + codes_.size(); }
  bool is_quantized() const noexcept { return !table_.empty(); }

  /// Tells the processor that this one will be asked for.
  void prefetch(std::uint64_t entry) const noexcept {
    if (entry < values_.size()) {
      __builtin_prefetch(values_.data() + entry);
    } else {
      __builtin_prefetch(codes_.data() + (entry - values_.size()));
    }
  }

  std::span<const double> values() const noexcept { return values_; }  ///< not by codes: from entry 0
  std::span<const double> table() const noexcept { return table_; }  ///< rising; empty if there are no codes
  std::span<const std::uint8_t> codes() const noexcept { return codes_; }  ///< of the entries after values()

 private:
  std::span<const double> values_;
  std::span<const double> table_;
  std::span<const std::uint8_t> codes_;
};

/// Back-off weights of nodes; in a quantised trie in single precision.
class Backoffs {
 public:
  Backoffs() = default;
  Backoffs(std::span<const double> values) : values_(values) {}
  Backoffs(std::span<const float> values) : short_(values) {}

  double operator[](std::size_t node) const noexcept { return short_.empty() ? values_[node] : short_[node]; }
  std::size_t size() const noexcept { return values_.size() + short_.size(); }

  void prefetch(std::size_t node) const noexcept {
    if (short_.empty()) {
      __builtin_prefetch(values_.data() + node);
    } else {
      __builtin_prefetch(short_.data() + node);
    }
  }

  std::span<const double> values() const noexcept { return values_; }      ///< empty if there are short ones
  std::span<const float> short_values() const noexcept { return short_; }  ///< of a quantised trie

 private:
  std::span<const double> values_;
  std::span<const float> short_;
};

}  // namespace firth::lm
