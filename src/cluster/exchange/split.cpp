#include "cluster/exchange/split.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_map>

#include "base/message.hpp"
#include "base/rng.hpp"

namespace firth::exchange {
namespace {

constexpr int kPasses = 5;

/// A neighbour in the same class.
struct Inner {
  UnitId unit;
  Count count;
};

/// What splitting a class needs to know of one of its units, on one side.
struct MemberSide {
  std::vector<Context> contexts;
  std::vector<Inner> inner;
};

struct Member {
  MemberSide right;
  MemberSide left;
};

/// Units whose lists are on other ranks, as these see them; empty where all lists are here.
using Members = std::unordered_map<UnitId, Member>;

/// Calls use(unit, count) for neighbours of class `home`.
template <typename Use>
void for_inner(const Neighbours& neighbours, std::span<const ClassId> class_of, ClassId home,
               const Use& use) {
  for (const UnitId unit : neighbours.once) {
    if (class_of[unit] == home) use(unit, Count{1});
  }
  for (std::size_t i = 0; i < neighbours.often.size(); ++i) {
    const UnitId unit = neighbours.often[i];
    if (class_of[unit] == home) use(unit, Count{neighbours.frequency[i]});
  }
}

/// Two halves of one class and their counts with all other classes. Large because every count of both halves
/// changes with each unit that moves, and is part of the score of the next.
class Halves {
 public:
  Halves(const State& state, ClassId home, std::span<const UnitId> units, const MoveRules* rules,
         const Members& members)
      : state_(state), home_(home), units_(units), rules_(rules), members_(members), half_(units.size()) {
    contexts_.resize(state.classes());
    for (Half& half : halves_) {
      half.right.assign(state.classes(), 0);
      half.left.assign(state.classes(), 0);
    }
  }

  /// Splits at random, improves, and returns the gain of F over the undivided class.
  std::int64_t split(base::Rng rng, std::vector<std::uint8_t>& half_of) {
    for (std::size_t i = 0; i < units_.size(); ++i) {
      const bool fixed = rules_ != nullptr && rules_->fixed(units_[i]);
      half_[i] = fixed ? 0 : static_cast<std::uint8_t>(rng.next() >> 63);
      half_of[units_[i]] = half_[i];
    }
    for (std::size_t i = 0; i < units_.size(); ++i) {
      collect(units_[i], half_of);
      shift(units_[i], half_[i], true);
    }
    bool moved = true;
    for (int pass = 0; pass < kPasses && moved; ++pass) moved = improve(half_of);
    const auto ones = std::count(half_.begin(), half_.end(), 1);
    return ones == 0 || ones == std::ssize(half_) ? -1 : objective() - undivided();
  }

 private:
  struct Half {
    std::vector<Count> right;  // N(half,c), c another class
    std::vector<Count> left;   // N(c,half)
    Count out = 0;
    Count in = 0;
  };

  std::int64_t h(Count x) const { return state_.tables().h(x); }
  std::int64_t grown(Count n, Count k) const { return h(n + k) - h(n); }

  /// Contexts of a unit, those inside the class by half.
  void collect(UnitId unit, const std::vector<std::uint8_t>& half_of) {
    inner_right_ = inner_left_ = {};
    if (state_.problem().sharded()) {
      const Member& member = members_.at(unit);
      load(member.right, contexts_.right, inner_right_, half_of);
      load(member.left, contexts_.left, inner_left_, half_of);
      return;
    }
    state_.collect(unit, contexts_);
    for_inner(state_.problem().right().of(unit), state_.class_of(), home_,
              [&](UnitId other, Count count) { inner_right_[half_of[other]] += count; });
    for_inner(state_.problem().left().of(unit), state_.class_of(), home_,
              [&](UnitId other, Count count) { inner_left_[half_of[other]] += count; });
  }

  static void load(const MemberSide& side, ContextList& contexts, std::array<Count, 2>& inner,
                   const std::vector<std::uint8_t>& half_of) {
    contexts.load(side.contexts);
    for (const Inner& neighbour : side.inner) inner[half_of[neighbour.unit]] += neighbour.count;
  }

  /// Puts the collected unit into a half, or takes it out. Pairs of two members are counted at their left
  /// member while the halves are filled, at both once units move.
  void shift(UnitId unit, std::uint8_t index, bool filling) {
    Half& half = halves_[index];
    for (const ClassId c : contexts_.right.present()) {
      if (c != home_) half.right[c] += contexts_.right.count(c);
    }
    for (const ClassId c : contexts_.left.present()) {
      if (c != home_) half.left[c] += contexts_.left.count(c);
    }
    half.out += state_.problem().out(unit);
    half.in += state_.problem().in(unit);
    inner_[index][index] += state_.problem().self(unit);
    for (std::size_t other = 0; other < 2; ++other) {
      inner_[index][other] += inner_right_[other];
      if (!filling) inner_[other][index] += inner_left_[other];
    }
  }

  void take_out(UnitId unit, std::uint8_t index) {
    Half& half = halves_[index];
    for (const ClassId c : contexts_.right.present()) {
      if (c != home_) half.right[c] -= contexts_.right.count(c);
    }
    for (const ClassId c : contexts_.left.present()) {
      if (c != home_) half.left[c] -= contexts_.left.count(c);
    }
    half.out -= state_.problem().out(unit);
    half.in -= state_.problem().in(unit);
    inner_[index][index] -= state_.problem().self(unit);
    for (std::size_t other = 0; other < 2; ++other) {
      inner_[index][other] -= inner_right_[other];
      inner_[other][index] -= inner_left_[other];
    }
  }

  /// F with the unit, now outside, in a half, less F without it.
  std::int64_t value(UnitId unit, std::uint8_t index) const {
    const Half& half = halves_[index];
    std::int64_t sum = 0;
    for (const ClassId c : contexts_.right.present()) {
      if (c != home_) sum += grown(half.right[c], contexts_.right.count(c));
    }
    for (const ClassId c : contexts_.left.present()) {
      if (c != home_) sum += grown(half.left[c], contexts_.left.count(c));
    }
    const std::size_t other = 1U - index;
    sum +=
        grown(inner_[index][index], inner_right_[index] + inner_left_[index] + state_.problem().self(unit));
    sum += grown(inner_[index][other], inner_right_[other]);
    sum += grown(inner_[other][index], inner_left_[other]);
    sum -= grown(half.out, state_.problem().out(unit));
    sum -= grown(half.in, state_.problem().in(unit));
    return sum;
  }

  bool improve(std::vector<std::uint8_t>& half_of) {
    bool moved = false;
    for (std::size_t i = 0; i < units_.size(); ++i) {
      const UnitId unit = units_[i];
      if (rules_ != nullptr && rules_->fixed(unit)) continue;
      collect(unit, half_of);
      take_out(unit, half_[i]);
      const auto other = static_cast<std::uint8_t>(1 - half_[i]);
      if (value(unit, other) > value(unit, half_[i])) {
        half_[i] = other;
        half_of[unit] = other;
        moved = true;
      }
      shift(unit, half_[i], false);
    }
    return moved;
  }

  std::int64_t objective() const {
    std::int64_t sum = 0;
    for (const Half& half : halves_) {
      for (const Count n : half.right) sum += h(n);
      for (const Count n : half.left) sum += h(n);
      sum -= h(half.out) + h(half.in);
    }
    for (const auto& row : inner_) sum += h(row[0]) + h(row[1]);
    return sum;
  }

  std::int64_t undivided() const {
    const ClassCounts& counts = state_.counts();
    std::int64_t sum = -h(counts.out[home_]) - h(counts.in[home_]) - h(counts.pair(home_, home_));
    for (ClassId c = 0; c < state_.classes(); ++c) sum += h(counts.pair(home_, c)) + h(counts.pair(c, home_));
    return sum;
  }

  const State& state_;
  ClassId home_;
  std::span<const UnitId> units_;
  const MoveRules* rules_;
  const Members& members_;
  std::vector<std::uint8_t> half_;
  Contexts contexts_;
  std::array<Count, 2> inner_right_{};
  std::array<Count, 2> inner_left_{};
  std::array<Half, 2> halves_;
  std::array<std::array<Count, 2>, 2> inner_{};
};

/// Every rank has found the halves of its share of some classes; afterwards all ranks have all halves.
void share_halves(std::span<const std::vector<UnitId>> members, const base::Ranks& ranks,
                  std::vector<std::uint8_t>& half_of) {
  if (ranks.alone()) return;
  std::vector<std::byte> own;
  const base::Share share = ranks.share(members.size());
  for (std::size_t c = share.begin; c < share.end; ++c) {
    for (const UnitId unit : members[c]) own.push_back(std::byte{half_of[unit]});
  }
  std::vector<std::byte> all;
  for (const auto& message : ranks.gather_messages(std::move(own))) {
    all.insert(all.end(), message.begin(), message.end());
  }
  auto next = all.begin();
  for (const auto& units : members) {
    for (const UnitId unit : units) half_of[unit] = std::to_integer<std::uint8_t>(*next++);
  }
}

/// Ranks that hold the lists of units send what others need to split the classes of their share of `classes`.
class MemberExchange {
 public:
  MemberExchange(const State& state, const base::Ranks& ranks) : state_(state), ranks_(ranks) {
    contexts_.resize(state.classes());
  }

  /// The members of this rank's share.
  Members run(std::span<const std::vector<UnitId>> classes) {
    if (!state_.problem().sharded()) return {};
    std::vector<std::vector<std::byte>> messages;
    for (unsigned r = 0; r < ranks_.size(); ++r) {
      base::MessageWriter writer;
      const base::Share share = ranks_.share(classes.size(), r);
      for (std::size_t c = share.begin; c < share.end; ++c)
        for (const UnitId unit : classes[c])
          if (state_.problem().owns(unit)) write(unit, writer);
      messages.push_back(writer.take());
    }
    Members members;
    for (const std::vector<std::byte>& message : ranks_.world().exchange(messages)) {
      for (base::MessageReader reader(message); !reader.done();) {
        Member& member = members[reader.get<UnitId>()];
        for (MemberSide* side : {&member.right, &member.left}) {
          reader.get_all(side->contexts);
          reader.get_all(side->inner);
        }
      }
    }
    return members;
  }

 private:
  void write(UnitId unit, base::MessageWriter& writer) {
    writer.put(unit);
    state_.collect(unit, contexts_);
    write_side(contexts_.right, state_.problem().right().of(unit), state_.class_of()[unit], writer);
    write_side(contexts_.left, state_.problem().left().of(unit), state_.class_of()[unit], writer);
  }

  void write_side(const ContextList& contexts, const Neighbours& neighbours, ClassId home,
                  base::MessageWriter& writer) {
    side_.contexts.clear();
    contexts.append_to(side_.contexts);
    side_.inner.clear();
    for_inner(neighbours, state_.class_of(), home, [&](UnitId unit, Count count) {
      side_.inner.push_back({unit, count});
    });
    writer.put_all(side_.contexts);
    writer.put_all(side_.inner);
  }

  const State& state_;
  base::Ranks ranks_;
  Contexts contexts_;
  MemberSide side_;
};

/// Classes whose members are on their way at the same time: all of them, or a tenth where ranks hold parts of the lists,
/// since what is sent takes more memory than these.
std::size_t classes_at_once(const State& state) {
  constexpr std::size_t kRounds = 10;
  return state.problem().sharded() ? state.classes() / kRounds + 1 : state.classes();
}

}  // namespace

std::vector<ClassId> split_classes(const State& state, ClassId target, const MoveRules* rules,
                                   std::uint64_t seed, const base::Crew& crew) {
  std::vector<std::vector<UnitId>> members(state.classes());
  for (UnitId unit = 0; unit < state.class_of().size(); ++unit)
    members[state.class_of()[unit]].push_back(unit);
  // Each class writes only its own units, so the halves of all classes share one array.
  std::vector<std::uint8_t> half_of(state.class_of().size(), 0);
  std::vector<std::int64_t> gains(state.classes(), -1);
  MemberExchange exchange(state, crew.ranks);
  const std::size_t step = classes_at_once(state);
  for (std::size_t begin = 0; begin < gains.size(); begin += step) {
    const std::size_t size = std::min(step, gains.size() - begin);
    const auto round = std::span<const std::vector<UnitId>>(members).subspan(begin, size);
    const Members received = exchange.run(round);
    crew.compute(std::span(gains).subspan(begin, size), 1, [&](unsigned, std::size_t i) {
      const auto c = static_cast<ClassId>(begin + i);
      if (members[c].size() < 2) return;
      gains[c] = Halves(state, c, members[c], rules, received).split(base::Rng::stream(seed, c), half_of);
    });
    share_halves(round, crew.ranks, half_of);
  }
  std::vector<ClassId> order(state.classes());
  std::iota(order.begin(), order.end(), ClassId{0});
  std::stable_sort(order.begin(), order.end(), [&](ClassId a, ClassId b) { return gains[a] > gains[b]; });
  std::vector<ClassId> classes(state.class_of().begin(), state.class_of().end());
  ClassId next = state.classes();
  for (const ClassId c : order) {
    if (next >= target || gains[c] < 0) break;
    for (const UnitId unit : members[c]) {
      if (half_of[unit] == 1) classes[unit] = next;
    }
    ++next;
  }
  return classes;
}

}  // namespace firth::exchange
