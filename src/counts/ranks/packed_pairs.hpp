// Pairs on their way to another rank: nine bytes each, as a rule, instead of sixteen.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "counts/pairs/pair_source.hpp"
#include "firth/types.hpp"

namespace firth::counts {

/// Most pairs are seen a few times, so that their count is one byte: seven bits per byte, lowest first, the highest bit set
/// in all but the last. Written by hand because every pair of a text comes through here.
class PairPacker {
 public:
  static constexpr std::size_t kMaxCountBytes = 10;
  static constexpr std::size_t kMinBytes = 2 * sizeof(WordId) + 1;
  static constexpr std::size_t kMaxBytes = 2 * sizeof(WordId) + kMaxCountBytes;

  void add(const PairCount& pair) {
    if (size_ + kMaxBytes > bytes_.size()) bytes_.resize(2 * bytes_.size() + 16 * kMaxBytes);
    std::byte* next = bytes_.data() + size_;
    std::memcpy(next, &pair.left, sizeof(WordId));
    std::memcpy(next + sizeof(WordId), &pair.right, sizeof(WordId));
    size_ = static_cast<std::size_t>(put_count(pair.count, next + 2 * sizeof(WordId)) - bytes_.data());
  }
  std::size_t size() const noexcept { return size_; }
  std::vector<std::byte> take() {
    bytes_.resize(size_);
    size_ = 0;
    return std::exchange(bytes_, {});
  }

  static std::size_t count_bytes(Count count) {
    return (static_cast<std::size_t>(std::bit_width(count | 1)) + 6) / 7;
  }
  static std::byte* put_count(Count count, std::byte* next) {
    constexpr Count kMore = 0x80;
    for (; count >= kMore; count >>= 7) *next++ = static_cast<std::byte>(count | kMore);
    *next++ = static_cast<std::byte>(count);
    return next;
  }
  static const std::byte* get_count(const std::byte* next, Count& count) {
    count = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = std::to_integer<Count>(*next++);
      count |= (byte & 0x7f) << shift;
      if (byte < 0x80) return next;
    }
  }

  /// Counts that were put one after the other, up to the end of `bytes`. Most take one byte, so eight are read together.
  static void get_counts(std::span<const std::byte> bytes, std::span<Count> counts) {
    constexpr std::size_t kTogether = 8;
    const std::byte* next = bytes.data();
    const std::byte* const end = next + bytes.size();
    for (std::size_t i = 0; i < counts.size();) {
      if (counts.size() - i >= kTogether && end - next >= static_cast<std::ptrdiff_t>(kTogether)) {
        std::uint64_t eight = 0;
        std::memcpy(&eight, next, kTogether);
        if ((eight & 0x8080808080808080u) == 0) {
          for (std::size_t j = 0; j < kTogether; ++j) counts[i + j] = std::to_integer<Count>(next[j]);
          next += kTogether;
          i += kTogether;
          continue;
        }
      }
      next = get_count(next, counts[i++]);
    }
  }

 private:
  std::vector<std::byte> bytes_;
  std::size_t size_ = 0;
};

/// What a PairPacker has made.
class PackedPairs final : public PairSource {
 public:
  /// `owner` keeps the bytes.
  PackedPairs(std::span<const std::byte> bytes, std::shared_ptr<const void> owner)
      : bytes_(bytes), owner_(std::move(owner)) {}

  void for_each(const Visit& visit) const override {
    PairBatch batch(visit);
    const std::byte* const end = bytes_.data() + bytes_.size();
    for (const std::byte* next = bytes_.data(); next != end;) {
      PairCount pair;
      std::memcpy(&pair.left, next, sizeof(WordId));
      std::memcpy(&pair.right, next + sizeof(WordId), sizeof(WordId));
      next = PairPacker::get_count(next + 2 * sizeof(WordId), pair.count);
      batch.add(pair);
    }
    batch.flush();
  }
  std::uint64_t max_pairs() const override { return bytes_.size() / PairPacker::kMinBytes; }

 private:
  std::span<const std::byte> bytes_;
  std::shared_ptr<const void> owner_;
};

}  // namespace firth::counts
