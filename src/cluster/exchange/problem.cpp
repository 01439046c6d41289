#include "cluster/exchange/problem.hpp"

#include <limits>
#include <numeric>

#include "firth/error.hpp"

namespace firth::exchange {
namespace {

/// Calls visit(left unit, right unit, count) for every pair of words.
template <typename Visit>
void for_pairs(const PairCounts& bigrams, std::span<const UnitId> unit_of, const Visit& visit) {
  bigrams.for_each_pair([&](WordId left, WordId right, Count count) {
    visit(unit_of[left], unit_of[right], static_cast<Cell>(count));
  });
}

void begins_from_sizes(std::vector<std::uint64_t>& sizes) {
  std::exclusive_scan(sizes.begin(), sizes.end(), sizes.begin(), std::uint64_t{0});
}

}  // namespace

Problem::Problem(const PairCounts& bigrams, std::span<const UnitId> unit_of, std::size_t units)
    : total_(bigrams.total()), self_(units), out_(units), in_(units) {
  if (total_ > std::numeric_limits<std::int32_t>::max()) {
    throw ResourceError(
        "exchange clustering counts at most 2147483647 bigrams, the text has " + std::to_string(total_),
        "use a part of the text, or cluster_brown()");
  }
  for (Side* side : {&right_, &left_}) {
    side->once_begin_.assign(units + 1, 0);
    side->often_begin_.assign(units + 1, 0);
  }
  for_pairs(bigrams, unit_of, [&](UnitId left, UnitId right, Cell count) {
    out_[left] += count;
    in_[right] += count;
    if (left == right) {
      self_[left] += count;
      return;
    }
    ++(count == 1 ? right_.once_begin_ : right_.often_begin_)[left];
    ++(count == 1 ? left_.once_begin_ : left_.often_begin_)[right];
  });
  for (Side* side : {&right_, &left_}) {
    begins_from_sizes(side->once_begin_);
    begins_from_sizes(side->often_begin_);
    side->once_.resize(side->once_begin_[units]);
    side->often_.resize(side->often_begin_[units]);
    side->frequency_.resize(side->often_begin_[units]);
  }
  // Filling moves every begin to its end, that is to the next begin; shifting by one puts them back.
  const auto put = [](Side& side, UnitId unit, UnitId other, Cell count) {
    if (count == 1) {
      side.once_[side.once_begin_[unit]++] = other;
    } else {
      const std::uint64_t place = side.often_begin_[unit]++;
      side.often_[place] = other;
      side.frequency_[place] = count;
    }
  };
  for_pairs(bigrams, unit_of, [&](UnitId left, UnitId right, Cell count) {
    if (left == right) return;
    put(right_, left, right, count);
    put(left_, right, left, count);
  });
  for (Side* side : {&right_, &left_}) {
    for (auto* begin : {&side->once_begin_, &side->often_begin_}) {
      begin->insert(begin->begin(), 0);
      begin->pop_back();
    }
  }
}

}  // namespace firth::exchange
