#include "cluster/exchange/class_counts.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <utility>

namespace firth::exchange {

void MarginalRow::resize(ClassId classes) {
  counts.assign(classes, 0);
  for (base::AlignedVector<float>* row : {&values, &slopes, &inverses}) row->assign(padded_lanes(classes), 0);
}

void MarginalRow::set(ClassId c, Count count) {
  const auto n = static_cast<double>(count);
  counts[c] = count;
  values[c] = static_cast<float>(count);
  slopes[c] = count == 0 ? 0 : static_cast<float>(std::log(n) + 1);
  inverses[c] = static_cast<float>(1 / n);  // infinite for a class without bigrams on this side
  largest_inverse = std::max(largest_inverse, inverses[c]);
}

void MarginalRow::refresh_bound() {
  largest_inverse = 0;
  for (std::size_t c = 0; c < counts.size(); ++c) largest_inverse = std::max(largest_inverse, inverses[c]);
}

namespace {

constexpr std::size_t kPairBits = 64;

std::size_t words_of(std::size_t lanes) {
  return (lanes + kPairBits - 1) / kPairBits;
}

}  // namespace

void ClassCounts::resize(ClassId classes) {
  changed.assign(words_of(padded_lanes(classes)) * classes, 0);
  before.resize(classes);
  after.resize(classes);
  out.resize(classes);
  in.resize(classes);
}

void ClassCounts::set(ClassId left, ClassId right, Count count) {
  if (count > kMaxCell && !before.is_wide()) {
    before.widen();
    after.widen();
  }
  const float step = tables->step(count);
  before.set(left, right, count, step);
  after.set(right, left, count, step);
}

Count ClassCounts::change(ClassId left, ClassId right, Count change, bool shared) {
  if (!shared && !before.is_wide() && pair(left, right) + change > kMaxCell) {
    before.widen();
    after.widen();
  }
  std::uint64_t& bits = changed[left * words_of(before.stride()) + right / kPairBits];
  const std::uint64_t bit = std::uint64_t{1} << right % kPairBits;
  if (!shared) {
    bits |= bit;
    return before.add(left, right, change);
  }
  const std::atomic_ref<std::uint64_t> shared_bits(bits);
  if ((shared_bits.load(std::memory_order_relaxed) & bit) == 0)
    shared_bits.fetch_or(bit, std::memory_order_relaxed);
  return before.add_shared(left, right, change);
}

void ClassCounts::refresh(base::WorkerTeam& team) {
  // Of rows that share the lines of the other orientation.
  constexpr std::size_t kRows = base::kCacheLine / sizeof(Cell);
  const std::size_t words = words_of(before.stride());
  const std::size_t rows = changed.size() / words;
  const auto refresh_word = [&](std::size_t row, std::size_t word) {
    for (std::uint64_t bits = std::exchange(changed[row * words + word], 0); bits != 0; bits &= bits - 1) {
      const auto left = static_cast<ClassId>(row);
      const auto right =
          static_cast<ClassId>(word * kPairBits + static_cast<std::size_t>(std::countr_zero(bits)));
      const Count count = pair(left, right);
      const float step = tables->step(count);
      before.set_step(left, right, step);
      after.set(right, left, count, step);
    }
  };
  team.run((rows + kRows - 1) / kRows, 1, [&](unsigned, std::size_t block, std::size_t) {
    for (std::size_t word = 0; word < words; ++word)
      for (std::size_t row = block * kRows; row < std::min(rows, (block + 1) * kRows); ++row)
        refresh_word(row, word);
  });
}

}  // namespace firth::exchange
