#include "counts/pairs/sort_pairs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <utility>

namespace firth::counts {
namespace {

constexpr unsigned kDigitBits = 11;
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
// Below this, the counters of the digits cost more than comparing.
constexpr std::size_t kFewPairs = 512;

bool before(const PairCount& a, const PairCount& b) {
  return a.left != b.left ? a.left < b.left : a.right < b.right;
}

// A radix sort from the last digit on. The digits are those of (left - first_row) above right, in as many
// bits as the range needs: a part of a matrix has few rows, so two or three rounds do.
class RadixSort {
 public:
  RadixSort(std::span<PairCount> pairs, const SortRange& range)
      : pairs_(pairs),
        first_row_(range.first_row),
        right_bits_(static_cast<unsigned>(std::bit_width(range.words))),
        bits_(right_bits_ + static_cast<unsigned>(std::bit_width(range.end_row - range.first_row))),
        scratch_(std::make_unique_for_overwrite<PairCount[]>(pairs.size())) {}

  void run() {
    std::span<PairCount> from = pairs_;
    std::span<PairCount> to(scratch_.get(), pairs_.size());
    for (unsigned shift = 0; shift < bits_; shift += kDigitBits) {
      if (distribute(from, to, shift)) std::swap(from, to);
    }
    if (from.data() != pairs_.data()) std::copy(from.begin(), from.end(), pairs_.begin());
  }

 private:
  std::size_t digit(const PairCount& pair, unsigned shift) const {
    const std::uint64_t key = ((pair.left - first_row_) << right_bits_) | pair.right;
    return (key >> shift) % kDigits;
  }

  // False if all pairs have the same digit: nothing was moved.
  bool distribute(std::span<const PairCount> from, std::span<PairCount> to, unsigned shift) const {
    std::array<std::size_t, kDigits> place = {};
    for (const PairCount& pair : from) ++place[digit(pair, shift)];
    if (place[digit(from.front(), shift)] == from.size()) return false;
    std::size_t sum = 0;
    for (std::size_t& count : place) sum += std::exchange(count, sum);
    for (const PairCount& pair : from) to[place[digit(pair, shift)]++] = pair;
    return true;
  }

  std::span<PairCount> pairs_;
  std::uint64_t first_row_;
  unsigned right_bits_;
  unsigned bits_;
  std::unique_ptr<PairCount[]> scratch_;
};

}  // namespace

std::size_t sort_and_add(std::span<PairCount> pairs, const SortRange& range) {
  if (pairs.size() < kFewPairs) {
    std::sort(pairs.begin(), pairs.end(), before);
  } else {
    RadixSort(pairs, range).run();
  }
  std::size_t kept = 0;
  for (const PairCount& pair : pairs) {
    if (kept > 0 && !before(pairs[kept - 1], pair)) {
      pairs[kept - 1].count += pair.count;
    } else {
      pairs[kept++] = pair;
    }
  }
  return kept;
}

}  // namespace firth::counts
