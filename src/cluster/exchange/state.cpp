#include "cluster/exchange/state.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace firth::exchange {
namespace {

constexpr std::size_t kLanes = base::kCacheLine / sizeof(Cell);

std::size_t padded(ClassId classes) {
  return (classes + kLanes - 1) / kLanes * kLanes;
}

}  // namespace

std::uint64_t state_bytes(ClassId classes) {
  return std::uint64_t{padded(classes)} * classes * 2 * (sizeof(Cell) + sizeof(float));
}

void ContextList::collect(const Neighbours& neighbours, std::span<const ClassId> class_of) {
  clear();
  const auto add = [&](UnitId unit, Cell count) {
    const ClassId c = class_of[unit];
    if (counts_[c] == 0) present_.push_back(c);
    counts_[c] += count;
  };
  for (std::size_t i = 0; i < neighbours.often.size(); ++i) add(neighbours.often[i], neighbours.frequency[i]);
  for (const UnitId unit : neighbours.once) add(unit, 1);
  split_by_count();
}

void ContextList::collect_row(std::span<const Cell> row, ClassId skip) {
  clear();
  for (ClassId c = 0; c < row.size(); ++c) {
    if (row[c] == 0 || c == skip) continue;
    present_.push_back(c);
    counts_[c] = row[c];
  }
  split_by_count();
}

void ContextList::clear() {
  for (const ClassId c : present_) counts_[c] = 0;
  present_.clear();
}

void ContextList::split_by_count() {
  once_.clear();
  often_.clear();
  for (const ClassId c : present_) {
    if (counts_[c] == 1) {
      once_.push_back(c);
    } else {
      often_.push_back({c, counts_[c]});
    }
  }
}

void MarginalRow::resize(std::size_t classes, std::size_t padded) {
  classes_ = classes;
  counts.assign(padded, 0);
  slopes.assign(padded, 0);
  inverses.assign(padded, 0);
}

void MarginalRow::set(ClassId c, Cell count) {
  const auto n = static_cast<double>(count);
  counts[c] = count;
  slopes[c] = count == 0 ? 0 : static_cast<float>(std::log(n) + 1);
  inverses[c] = static_cast<float>(1 / n);  // infinite for a class without bigrams on this side
  largest_inverse = std::max(largest_inverse, inverses[c]);
}

void MarginalRow::refresh_bound() {
  largest_inverse = 0;
  for (std::size_t c = 0; c < classes_; ++c) largest_inverse = std::max(largest_inverse, inverses[c]);
}

void ClassCounts::add(ClassId left, ClassId right, Cell change) {
  const std::size_t row_place = left * before.stride + right;
  const std::size_t column_place = right * after.stride + left;
  const Cell n = before.cells[row_place] + change;  // unsigned arithmetic wraps: -k is a subtraction
  const float step = tables->step(n);
  before.cells[row_place] = n;
  before.steps[row_place] = step;
  after.cells[column_place] = n;
  after.steps[column_place] = step;
}

State::State(const Problem& problem, const Tables& tables, ClassId classes, std::vector<ClassId> class_of)
    : problem_(&problem), tables_(&tables), classes_(classes), class_of_(std::move(class_of)) {
  const std::size_t stride = padded(classes);
  counts_.tables = &tables;
  for (PairMatrix* matrix : {&counts_.after, &counts_.before}) {
    matrix->stride = stride;
    matrix->cells.assign(stride * classes, 0);
    matrix->steps.resize(stride * classes);
  }
  counts_.out.resize(classes, stride);
  counts_.in.resize(classes, stride);
  members_.assign(classes, 0);
  count_pairs();
  for (PairMatrix* matrix : {&counts_.after, &counts_.before}) {
    for (std::size_t i = 0; i < matrix->cells.size(); ++i) matrix->steps[i] = tables.step(matrix->cells[i]);
  }
  objective_ = compute_objective();
}

void State::count_pairs() {
  std::vector<Cell> out(classes_);
  std::vector<Cell> in(classes_);
  for (UnitId unit = 0; unit < class_of_.size(); ++unit) {
    const ClassId left = class_of_[unit];
    ++members_[left];
    out[left] += problem_->out(unit);
    in[left] += problem_->in(unit);
    Cell* row = counts_.before.cells.data() + left * counts_.before.stride;
    const Neighbours right = problem_->right().of(unit);
    for (const UnitId other : right.once) ++row[class_of_[other]];
    for (std::size_t i = 0; i < right.often.size(); ++i) row[class_of_[right.often[i]]] += right.frequency[i];
    row[left] += problem_->self(unit);
  }
  for (ClassId left = 0; left < classes_; ++left) {
    counts_.out.set(left, out[left]);
    counts_.in.set(left, in[left]);
    for (ClassId right = 0; right < classes_; ++right) {
      counts_.after.cells[right * counts_.after.stride + left] =
          counts_.before.cells[left * counts_.before.stride + right];
    }
  }
}

std::int64_t State::compute_objective() const {
  std::int64_t sum = 0;
  for (const Cell n : counts_.before.cells) sum += tables_->h(n);
  for (const Cell n : counts_.out.counts) sum -= tables_->h(n);
  for (const Cell n : counts_.in.counts) sum -= tables_->h(n);
  return sum + size_worth();
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
  const Cell self = problem_->self(unit);
  const auto without = [&](ClassId left, ClassId right) {
    Cell n = counts_.pair(left, right);
    if (left == home) n -= contexts.right.count(right);
    if (right == home) n -= contexts.left.count(left);
    return left == home && right == home ? n - self : n;
  };
  const auto grown = [&](Cell n, Cell k) { return tables_->h(Count{n} + k) - tables_->h(n); };
  std::int64_t sum = 0;
  for (const ClassId c : contexts.right.present()) {
    if (c != target) sum += grown(without(target, c), contexts.right.count(c));
  }
  for (const ClassId c : contexts.left.present()) {
    if (c != target) sum += grown(without(c, target), contexts.left.count(c));
  }
  sum += grown(without(target, target), contexts.right.count(target) + contexts.left.count(target) + self);
  const Cell out = problem_->out(unit);
  const Cell in = problem_->in(unit);
  sum -= grown(counts_.out[target] - (target == home ? out : 0), out);
  sum -= grown(counts_.in[target] - (target == home ? in : 0), in);
  return sum + tables_->one_more(members_[target] + (target == home ? 0U : 1U));
}

void State::move(UnitId unit, const Contexts& contexts, ClassId target, std::int64_t gain) {
  const ClassId home = class_of_[unit];
  const Cell self = problem_->self(unit);
  for (const ClassId c : contexts.right.present()) {
    const Cell k = contexts.right.count(c);
    counts_.add(home, c, 0 - k);
    counts_.add(target, c, k);
  }
  for (const ClassId c : contexts.left.present()) {
    const Cell k = contexts.left.count(c);
    counts_.add(c, home, 0 - k);
    counts_.add(c, target, k);
  }
  if (self > 0) {
    counts_.add(home, home, 0 - self);
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

}  // namespace firth::exchange
