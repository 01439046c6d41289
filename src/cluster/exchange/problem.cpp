#include "cluster/exchange/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <queue>
#include <utility>

#include "base/message.hpp"
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

ListSizes entries_of(Count count) {
  if (count == 1) return {1, 0};
  return {0, (count + kMaxEntry - 1) / kMaxEntry};
}

void Side::add(UnitId unit, ListSizes sizes) {
  const UnitId list = number(unit);
  once_begin_[list] += sizes.once;
  often_begin_[list] += sizes.often;
}

void Side::allocate() {
  begins_from_sizes(once_begin_);
  begins_from_sizes(often_begin_);
  once_.resize(once_begin_.back());
  often_.resize(often_begin_.back());
  frequency_.resize(often_begin_.back());
}

void Side::put(UnitId unit, UnitId other, Count count) {
  const UnitId list = number(unit);
  if (count == 1) {
    once_[once_begin_[list]++] = other;
    return;
  }
  for (Count left = count; left > 0; left -= std::min(left, kMaxEntry)) {
    const std::uint64_t place = often_begin_[list]++;
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

void Problem::check_total() const {
  if (total_ <= kMaxTotal) return;
  throw InputError({}, fmt::format("at most {} bigrams can be clustered, the text has {}", kMaxTotal, total_),
                   "divide the counts, or use a part of the text");
}

void Problem::add(UnitId left, UnitId right, Count count) {
  out_[left] += count;
  in_[right] += count;
  if (left == right) self_[left] += count;
}

Problem::Problem(const PairCounts& bigrams, std::span<const UnitId> unit_of, std::size_t units)
    : total_(bigrams.total()), right_(units), left_(units), self_(units), out_(units), in_(units) {
  check_total();
  for_pairs(bigrams, unit_of, [&](UnitId left, UnitId right, Count count) {
    add(left, right, count);
    if (left == right) return;
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

/// The lists of a problem, from the bigrams of rank 0 to the ranks that hold them. Entries arrive in the order in which
/// one process puts them: scores are sums of floats in the order of the lists.
class ListShards {
 public:
  ListShards(Problem& problem, const PairCounts& bigrams, std::span<const UnitId> unit_of)
      : problem_(problem), ranks_(problem.ranks_), bigrams_(bigrams), unit_of_(unit_of) {}

  void fill() {
    add_up();
    choose_owners();
    number_lists();
    send_sizes();
    problem_.right_.allocate();
    problem_.left_.allocate();
    send_pairs();
    problem_.right_.finish();
    problem_.left_.finish();
  }

 private:
  struct UnitSizes {
    ListSizes right;
    ListSizes left;

    std::uint64_t entries() const { return right.once + right.often + left.once + left.often; }
  };
  using Messages = std::vector<std::vector<std::byte>>;

  /// Pairs that go out at a time, 16 bytes each.
  static constexpr std::uint64_t kPiece = std::uint64_t{1} << 16;

  /// Marginals on all ranks, sizes of lists on rank 0.
  void add_up() {
    if (ranks_.is_root()) {
      sizes_.resize(problem_.units());
      for_pairs(bigrams_, unit_of_, [&](UnitId left, UnitId right, Count count) {
        problem_.add(left, right, count);
        if (left == right) return;
        add_sizes(sizes_[left].right, count);
        add_sizes(sizes_[right].left, count);
      });
    }
    for (std::vector<Count>* counts : {&problem_.self_, &problem_.out_, &problem_.in_})
      ranks_.broadcast_all(std::span(*counts));
  }

  static void add_sizes(ListSizes& sizes, Count count) {
    const ListSizes more = entries_of(count);
    sizes.once += more.once;
    sizes.often += more.often;
  }

  /// Every unit goes to the rank that has least, frequent units first.
  void choose_owners() {
    if (ranks_.is_root()) {
      using Load = std::pair<std::uint64_t, std::uint16_t>;  // entries, rank
      std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
      for (unsigned r = 0; r < ranks_.size(); ++r) loads.emplace(0, static_cast<std::uint16_t>(r));
      for (UnitId unit = 0; unit < problem_.units(); ++unit) {
        const Load least = loads.top();
        loads.pop();
        problem_.owner_[unit] = least.second;
        loads.emplace(least.first + sizes_[unit].entries() + 1, least.second);
      }
    }
    ranks_.broadcast_all(std::span(problem_.owner_));
  }

  void number_lists() {
    auto numbers = std::make_shared<ListNumbers>(problem_.units(), std::numeric_limits<UnitId>::max());
    UnitId next = 0;
    for (UnitId unit = 0; unit < problem_.units(); ++unit)
      if (problem_.owns(unit)) (*numbers)[unit] = next++;
    problem_.right_ = Side(next, numbers);
    problem_.left_ = Side(next, numbers);
  }

  void send_sizes() {
    std::vector<base::MessageWriter> writers(ranks_.size());
    for (UnitId unit = 0; unit < sizes_.size(); ++unit) writers[problem_.owner(unit)].put(sizes_[unit]);
    sizes_ = {};
    const Messages received = exchange(writers);
    base::MessageReader reader(received[0]);
    for (UnitId unit = 0; unit < problem_.units(); ++unit) {
      if (!problem_.owns(unit)) continue;
      const auto sizes = reader.get<UnitSizes>();
      problem_.right_.add(unit, sizes.right);
      problem_.left_.add(unit, sizes.left);
    }
  }

  void send_pairs() {
    std::uint64_t pairs = bigrams_.distinct();
    ranks_.broadcast_all(std::span(&pairs, 1));
    if (!ranks_.is_root()) {
      for (std::uint64_t sent = 0; sent < pairs; sent += kPiece) send_piece();
      return;
    }
    std::uint64_t next = 0;
    for_pairs(bigrams_, unit_of_, [&](UnitId left, UnitId right, Count count) {
      const PairCount pair{left, right, count};
      const unsigned left_owner = problem_.owner(left);
      const unsigned right_owner = problem_.owner(right);
      if (left != right) writers_[left_owner].put(pair);
      if (left != right && left_owner != right_owner) writers_[right_owner].put(pair);
      if (++next % kPiece == 0 || next == pairs) send_piece();
    });
  }

  void send_piece() {
    const Messages received = exchange(writers_);
    for (base::MessageReader reader(received[0]); !reader.done();) {
      const auto pair = reader.get<PairCount>();
      if (problem_.owns(pair.left)) problem_.right_.put(pair.left, pair.right, pair.count);
      if (problem_.owns(pair.right)) problem_.left_.put(pair.right, pair.left, pair.count);
    }
  }

  Messages exchange(std::vector<base::MessageWriter>& writers) {
    Messages messages;
    for (base::MessageWriter& writer : writers) messages.push_back(writer.take());
    return ranks_.world().exchange(messages);
  }

  Problem& problem_;
  const base::Ranks& ranks_;
  const PairCounts& bigrams_;
  std::span<const UnitId> unit_of_;
  std::vector<UnitSizes> sizes_;  // on rank 0
  std::vector<base::MessageWriter> writers_{ranks_.size()};
};

Problem::Problem(const PairCounts& bigrams, std::span<const UnitId> unit_of, std::size_t units,
                 const base::Ranks& ranks)
    : ranks_(ranks),
      owner_(units),
      total_(bigrams.total()),
      right_(0),
      left_(0),
      self_(units),
      out_(units),
      in_(units) {
  ranks_.broadcast_all(std::span(&total_, 1));
  check_total();
  ListShards(*this, bigrams, unit_of).fill();
}

}  // namespace firth::exchange
