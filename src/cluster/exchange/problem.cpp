#include "cluster/exchange/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "firth/error.hpp"

namespace firth::exchange {
namespace {

/// Larger counts become several entries of a neighbour list.
constexpr Count kMaxEntry = std::numeric_limits<std::uint32_t>::max();

/// Calls visit(left unit, right unit, count) for every pair of words.
template <typename Visit>
void for_pairs(const PairCounts& bigrams, std::span<const UnitId> unit_of, const Visit& visit) {
  bigrams.for_each_pair(
      [&](WordId left, WordId right, Count count) { visit(unit_of[left], unit_of[right], count); });
}

void begins_from_sizes(std::vector<std::uint64_t>& sizes) {
  std::exclusive_scan(sizes.begin(), sizes.end(), sizes.begin(), std::uint64_t{0});
}

}  // namespace

void Side::count(UnitId unit, Count count) {
  if (count == 1) {
    ++once_begin_[unit];
  } else {
    often_begin_[unit] += (count + kMaxEntry - 1) / kMaxEntry;
  }
}

void Side::allocate() {
  begins_from_sizes(once_begin_);
  begins_from_sizes(often_begin_);
  once_.resize(once_begin_.back());
  often_.resize(often_begin_.back());
  frequency_.resize(often_begin_.back());
}

void Side::put(UnitId unit, UnitId other, Count count) {
  if (count == 1) {
    once_[once_begin_[unit]++] = other;
    return;
  }
  for (Count left = count; left > 0; left -= std::min(left, kMaxEntry)) {
    const std::uint64_t place = often_begin_[unit]++;
    often_[place] = other;
    frequency_[place] = static_cast<std::uint32_t>(std::min(left, kMaxEntry));
  }
}

void Side::finish() {
  // Filling moved every begin to its end, that is to the next begin; shifting by one puts them back.
  for (auto* begin : {&once_begin_, &often_begin_}) {
    begin->insert(begin->begin(), 0);
    begin->pop_back();
  }
}

Problem::Problem(const PairCounts& bigrams, std::span<const UnitId> unit_of, std::size_t units)
    : total_(bigrams.total()), right_(units), left_(units), self_(units), out_(units), in_(units) {
  if (total_ > kMaxTotal) {
    throw ResourceError(
        fmt::format("at most {} bigrams can be clustered, the text has {}", kMaxTotal, total_),
        "divide the counts, or use a part of the text");
  }
  for_pairs(bigrams, unit_of, [&](UnitId left, UnitId right, Count count) {
    out_[left] += count;
    in_[right] += count;
    if (left == right) {
      self_[left] += count;
      return;
    }
    right_.count(left, count);
    left_.count(right, count);
  });
  right_.allocate();
  left_.allocate();
  for_pairs(bigrams, unit_of, [&](UnitId left, UnitId right, Count count) {
    if (left == right) return;
    right_.put(left, right, count);
    left_.put(right, left, count);
  });
  right_.finish();
  left_.finish();
}

}  // namespace firth::exchange
