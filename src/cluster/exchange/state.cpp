#include "cluster/exchange/state.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <utility>

namespace firth::exchange {

namespace {

unsigned worker_count(const base::WorkerTeam* team) {
  return team == nullptr ? 1 : team->size();
}

/// Calls body(worker, c) for every class of a range, by all threads if there is a team.
template <typename Body>
void for_classes(base::Share classes, base::WorkerTeam* team, const Body& body) {
  constexpr std::size_t kGrain = 4;
  const auto piece = [&](unsigned worker, std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) body(worker, static_cast<ClassId>(classes.begin + c));
  };
  if (team == nullptr) {
    piece(0, 0, classes.size());
  } else {
    team->run(classes.size(), kGrain, piece);
  }
}

}  // namespace

State::State(const Problem& problem, const Tables& tables, ClassId classes, std::vector<ClassId> class_of,
             base::WorkerTeam* team)
    : problem_(&problem), tables_(&tables), classes_(classes), class_of_(std::move(class_of)) {
  counts_.tables = &tables;
  counts_.resize(classes);
  members_.assign(classes, 0);
  stale_.assign(classes, false);
  count_marginals();
  count_pairs(team);
  objective_ = compute_objective(team);
}

void State::count_marginals() {
  std::vector<Count> out(classes_);
  std::vector<Count> in(classes_);
  for (UnitId unit = 0; unit < class_of_.size(); ++unit) {
    ++members_[class_of_[unit]];
    out[class_of_[unit]] += problem_->out(unit);
    in[class_of_[unit]] += problem_->in(unit);
  }
  for (ClassId c = 0; c < classes_; ++c) {
    counts_.out.set(c, out[c]);
    counts_.in.set(c, in[c]);
  }
}

/// The units of a state by their classes, and what each class has to its right.
class State::PairRows {
 public:
  explicit PairRows(const State& state) : state_(state), end_(state.classes_) {
    std::inclusive_scan(state.members_.begin(), state.members_.end(), end_.begin(), std::plus<>(),
                        std::size_t{0});
    std::vector<std::size_t> next(state.classes_);
    for (ClassId c = 0; c < state.classes_; ++c) next[c] = end_[c] - state.members_[c];
    units_.resize(state.class_of_.size());
    for (UnitId unit = 0; unit < units_.size(); ++unit) units_[next[state.class_of_[unit]]++] = unit;
  }

  /// Of units whose lists are here; `row` has a place for each class.
  void fill(ClassId left, std::span<Count> row) const {
    std::ranges::fill(row, 0);
    for (std::size_t i = end_[left] - state_.members_[left]; i < end_[left]; ++i) {
      if (!state_.problem_->owns(units_[i])) continue;
      const Neighbours right = state_.problem_->right().of(units_[i]);
      for (const UnitId other : right.once) ++row[state_.class_of_[other]];
      for (std::size_t j = 0; j < right.often.size(); ++j) {
        row[state_.class_of_[right.often[j]]] += right.frequency[j];
      }
      row[left] += state_.problem_->self(units_[i]);
    }
  }

 private:
  const State& state_;
  std::vector<std::size_t> end_;  // of the units of each class
  std::vector<UnitId> units_;
};

void State::count_pairs(base::WorkerTeam* team) {
  const PairRows rows(*this);
  const auto largest = std::max_element(counts_.out.counts.begin(), counts_.out.counts.end());
  // Cells that may have to be widened on the way are set by one thread.
  if (largest != counts_.out.counts.end() && *largest > kMaxCell) team = nullptr;
  if (problem_->sharded()) return add_up_pairs(rows, team);
  std::vector<std::vector<Count>> row(worker_count(team), std::vector<Count>(classes_));
  for_classes({0, classes_}, team, [&](unsigned worker, ClassId left) {
    rows.fill(left, row[worker]);
    set_pairs(left, row[worker]);
  });
}

void State::add_up_pairs(const PairRows& rows, base::WorkerTeam* team) {
  constexpr std::size_t kCells = std::size_t{1} << 20;  // 8 MB at a time
  const auto height = static_cast<ClassId>(std::clamp<std::size_t>(kCells / classes_, 1, classes_));
  std::vector<Count> block(std::size_t{height} * classes_);
  for (ClassId begin = 0; begin < classes_; begin += height) {
    const ClassId end = std::min(classes_, begin + height);
    const auto row = [&](ClassId left) {
      return std::span(block).subspan(std::size_t{left - begin} * classes_, classes_);
    };
    for_classes({begin, end}, team, [&](unsigned, ClassId left) { rows.fill(left, row(left)); });
    problem_->ranks().add(std::span(block).first(std::size_t{end - begin} * classes_));
    for_classes({begin, end}, team, [&](unsigned, ClassId left) { set_pairs(left, row(left)); });
  }
}

void State::set_pairs(ClassId left, std::span<const Count> row) {
  for (ClassId right = 0; right < classes_; ++right) counts_.set(left, right, row[right]);
}

std::int64_t State::compute_objective(base::WorkerTeam* team) const {
  std::vector<std::int64_t> sums(classes_);
  for_classes({0, classes_}, team, [&](unsigned, ClassId left) {
    std::int64_t sum = -tables_->h(counts_.out[left]) - tables_->h(counts_.in[left]);
    for (ClassId right = 0; right < classes_; ++right) sum += tables_->h(counts_.pair(left, right));
    sums[left] = sum;
  });
  return std::accumulate(sums.begin(), sums.end(), size_worth());
}

std::int64_t State::size_worth() const {
  std::int64_t sum = 0;
  for (const std::uint32_t members : members_) sum += tables_->size_worth(members);
  return sum;
}

double State::ami_bits() const {
  const Count total = problem_->total();
  if (total == 0) return 0;
  const double nats = tables_->nats(objective_ - size_worth() + tables_->h(total));
  return nats / (static_cast<double>(total) * std::numbers::ln2);
}

void State::refresh_bounds() {
  counts_.out.refresh_bound();
  counts_.in.refresh_bound();
}

void State::collect(UnitId unit, Contexts& contexts) const {
  contexts.right.collect(problem_->right().of(unit), class_of_);
  contexts.left.collect(problem_->left().of(unit), class_of_);
}

std::int64_t State::value(UnitId unit, const Contexts& contexts, ClassId target) const {
  // Counts without the unit: only its own class `home` sees them change.
  const ClassId home = class_of_[unit];
  const Count self = problem_->self(unit);
  const auto without = [&](ClassId left, ClassId right) {
    Count n = counts_.pair(left, right);
    if (left == home) n -= contexts.right.count(right);
    if (right == home) n -= contexts.left.count(left);
    return left == home && right == home ? n - self : n;
  };
  const auto grown = [&](Count n, Count k) { return tables_->h(n + k) - tables_->h(n); };
  std::int64_t sum = 0;
  for (const ClassId c : contexts.right.present()) {
    if (c != target) sum += grown(without(target, c), contexts.right.count(c));
  }
  // The same pairs by their other end: one row instead of one cell of many rows.
  const auto without_before = [&](ClassId c) {
    Count n = counts_.after.at(target, c);
    if (c == home) n -= contexts.right.count(target);
    return target == home ? n - contexts.left.count(c) : n;
  };
  for (const ClassId c : contexts.left.present()) {
    if (c != target) sum += grown(without_before(c), contexts.left.count(c));
  }
  sum += grown(without(target, target), contexts.right.count(target) + contexts.left.count(target) + self);
  const Count out = problem_->out(unit);
  const Count in = problem_->in(unit);
  sum -= grown(counts_.out[target] - (target == home ? out : 0), out);
  sum -= grown(counts_.in[target] - (target == home ? in : 0), in);
  return sum + tables_->one_more(members_[target] + (target == home ? 0U : 1U));
}

void State::move(UnitId unit, const Contexts& contexts, ClassId target, std::int64_t gain) {
  const ClassId home = class_of_[unit];
  const Count self = problem_->self(unit);
  for (const ClassId c : contexts.right.present()) {
    const Count k = contexts.right.count(c);
    counts_.subtract(home, c, k);
    counts_.add(target, c, k);
  }
  for (const ClassId c : contexts.left.present()) {
    const Count k = contexts.left.count(c);
    counts_.subtract(c, home, k);
    counts_.add(c, target, k);
  }
  if (self > 0) {
    counts_.subtract(home, home, self);
    counts_.add(target, target, self);
  }
  counts_.out.set(home, counts_.out[home] - problem_->out(unit));
  counts_.in.set(home, counts_.in[home] - problem_->in(unit));
  counts_.out.set(target, counts_.out[target] + problem_->out(unit));
  counts_.in.set(target, counts_.in[target] + problem_->in(unit));
  --members_[home];
  ++members_[target];
  class_of_[unit] = target;
  objective_ += gain;
}

std::int64_t State::gain_between(const UnitMove& move, const Meetings& home, const Meetings& target) const {
  const auto change = [this](Count before, Count after) { return tables_->h(after) - tables_->h(before); };
  const auto pair = [&](ClassId left, ClassId right, Count added, Count taken) {
    const Count n = counts_.pair(left, right);
    return change(n, n + added - taken);
  };
  const auto& [unit, from, to] = move;
  const Count self = problem_->self(unit);
  const Count out = problem_->out(unit);
  const Count in = problem_->in(unit);
  return pair(to, from, home.right, target.left) + pair(from, to, home.left, target.right) +
         pair(to, to, target.right + target.left + self, 0) +
         pair(from, from, 0, home.right + home.left + self) - change(counts_.out[to], counts_.out[to] + out) -
         change(counts_.in[to], counts_.in[to] + in) - change(counts_.out[from], counts_.out[from] - out) -
         change(counts_.in[from], counts_.in[from] - in) + tables_->one_more(members_[to] + std::size_t{1}) -
         tables_->one_more(members_[from]);
}

std::int64_t State::gain(const UnitMove& move, const ContextSpans& contexts) const {
  const ClassId home = move.from;
  const ClassId target = move.to;
  const auto count_of = [](std::span<const Context> side, ClassId c) {
    const auto found = std::ranges::find(side, c, &Context::other);
    return found == side.end() ? Count{0} : found->count;
  };
  const auto h = [this](Count n) { return tables_->h(n); };
  std::int64_t sum = 0;
  // A pair that the unit leaves has `from` now; one that it enters has `to`.
  const auto add = [&](Count from, Count to, Count k) { sum += h(from - k) - h(from) + h(to + k) - h(to); };
  const Count right_target = count_of(contexts.right, target);
  const Count left_target = count_of(contexts.left, target);
  Count right_home = 0;
  Count left_home = 0;
  for (const auto& [c, k] : contexts.right) {
    if (c == home) {
      right_home = k;
    } else if (c != target) {
      add(counts_.pair(home, c), counts_.pair(target, c), k);
    }
  }
  for (const auto& [c, k] : contexts.left) {
    if (c == home) {
      left_home = k;
    } else if (c != target) {
      add(counts_.pair(c, home), counts_.pair(c, target), k);
    }
  }
  return sum + gain_between(move, {right_home, left_home}, {right_target, left_target});
}

template <typename Body>
void State::for_pairs(UnitId unit, const ContextSpans& contexts, ClassId c, const Body& body) const {
  for (const auto& [right, count] : contexts.right) body(c, right, count);
  for (const auto& [left, count] : contexts.left) body(left, c, count);
  if (const Count self = problem_->self(unit); self > 0) body(c, c, self);
}

std::int64_t State::change_marginals(UnitId unit, ClassId c, bool joins) {
  std::int64_t change = 0;
  const auto shift = [&](Count& n, Count k) {
    change += tables_->h(n);
    n = joins ? n + k : n - k;
    change -= tables_->h(n);
  };
  shift(counts_.out.counts[c], problem_->out(unit));
  shift(counts_.in.counts[c], problem_->in(unit));
  stale_[c] = true;
  return change;
}

std::int64_t State::enter(const UnitMove& move) {
  entered_ = true;
  class_of_[move.unit] = move.to;
  const std::int64_t sizes =
      tables_->one_more(++members_[move.to]) - tables_->one_more(members_[move.from]--);
  return sizes + change_marginals(move.unit, move.from, false) + change_marginals(move.unit, move.to, true);
}

std::int64_t State::add_pairs(const UnitMove& move, const ContextSpans& contexts, bool shared) {
  std::int64_t sum = 0;
  for_pairs(move.unit, contexts, move.to, [&](ClassId left, ClassId right, Count count) {
    const Count n = counts_.change(left, right, count, shared);
    sum += tables_->h(n + count) - tables_->h(n);
  });
  return sum;
}

std::int64_t State::take_pairs(const UnitMove& move, const ContextSpans& contexts, bool shared) {
  std::int64_t sum = 0;
  for_pairs(move.unit, contexts, move.from, [&](ClassId left, ClassId right, Count count) {
    const Count n = counts_.change(left, right, Count{0} - count, shared);
    sum += tables_->h(n - count) - tables_->h(n);
  });
  return sum;
}

void State::prefetch(const ContextSpans& contexts, ClassId c) const {
  for (const Context& right : contexts.right) counts_.before.prefetch(c, right.other);
  for (const Context& left : contexts.left) counts_.before.prefetch(left.other, c);
}

void State::refresh(base::WorkerTeam& team) {
  if (!std::exchange(entered_, false)) return;
  counts_.refresh(team);
  for (ClassId c = 0; c < classes_; ++c) {
    if (!stale_[c]) continue;
    counts_.out.refresh(c);
    counts_.in.refresh(c);
    stale_[c] = false;
  }
}

}  // namespace firth::exchange
