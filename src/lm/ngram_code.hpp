// Sorted n-grams with their counts as bytes. An n-gram is written as
//
//   (rise - 1) * order + place, the symbols behind that place, the count
//
// in numbers of 7 bits per byte, lowest first, the highest bit set in all but the last byte. `place` is the first one
// where it differs from the n-gram before, `rise` by how much; before the first n-gram stands one with -1 in the
// first place. Frequent words have small numbers, so an n-gram takes 3 to 6 bytes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "firth/types.hpp"
#include "lm/ngram_counts.hpp"

namespace firth::lm {

/// Turns n-grams, which come in rising order, into bytes.
class NgramEncoder {
 public:
  explicit NgramEncoder(int order) : order_(static_cast<std::size_t>(order)) { last_[0] = -1; }

  void add(std::span<const Symbol> ngram, Count count);

  /// The next n-gram stands behind this one, which others have written.
  void follow(std::span<const Symbol> ngram) { std::ranges::copy(ngram, last_.begin()); }

  /// What was added since the last call of clear().
  std::span<const std::byte> bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  void put(std::uint64_t number);

  std::size_t order_;
  std::array<std::int64_t, kMaxOrder> last_{};
  std::vector<std::byte> bytes_;
};

/// Turns bytes into n-grams again. Whatever the bytes are, the n-grams rise and their symbols are below `symbols`.
class NgramDecoder {
 public:
  NgramDecoder(std::span<const std::byte> bytes, int order, std::uint64_t symbols)
      : bytes_(bytes), order_(static_cast<std::size_t>(order)), symbols_(symbols) {}

  /// The next n-gram; false at the end, or where the bytes make no sense.
  bool next();
  std::span<const Symbol> ngram() const { return std::span(ngram_).first(order_); }
  Count count() const { return count_; }

  /// Whether the bytes made sense to the end.
  bool is_complete() const { return at_ == bytes_.size() && !wrong_; }

 private:
  std::optional<std::uint64_t> take();
  bool decode();

  std::span<const std::byte> bytes_;
  std::size_t order_;
  std::uint64_t symbols_;
  std::size_t at_ = 0;
  bool first_ = true;
  bool wrong_ = false;
  std::array<Symbol, kMaxOrder> ngram_{};
  Count count_ = 0;
};

}  // namespace firth::lm
