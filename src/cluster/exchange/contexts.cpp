#include "cluster/exchange/contexts.hpp"

#include <algorithm>

namespace firth::exchange {

void ContextList::collect(const Neighbours& neighbours, std::span<const ClassId> class_of) {
  load(neighbours, class_of);
  split_by_count();
}

void ContextList::add_up(const Neighbours& neighbours, std::span<const ClassId> class_of) {
  const auto add = [&](UnitId unit, Count count) {
    const ClassId c = class_of[unit];
    if (counts_[c] == 0) present_.push_back(c);
    counts_[c] += count;
  };
  for (std::size_t i = 0; i < neighbours.often.size(); ++i) add(neighbours.often[i], neighbours.frequency[i]);
  for (const UnitId unit : neighbours.once) add(unit, 1);
}

void ContextList::collect_row(const PairMatrix& matrix, ClassId row) {
  clear();
  for (ClassId c = 0; c < counts_.size(); ++c) {
    const Count count = matrix.at(row, c);
    if (count == 0 || c == row) continue;
    present_.push_back(c);
    counts_[c] = count;
  }
  split_by_count();
}

void ContextList::append_to(std::vector<Context>& saved) const {
  for (const ClassId c : present_)
    if (counts_[c] > 0) saved.push_back({c, counts_[c]});
}

void ContextList::load(std::span<const Context> saved) {
  clear();
  for (const Context& context : saved) {
    present_.push_back(context.other);
    counts_[context.other] = context.count;
  }
}

void ContextList::shift(ClassId from, ClassId to, Count count) {
  if (counts_[to] == 0 && std::find(present_.begin(), present_.end(), to) == present_.end()) {
    present_.push_back(to);
  }
  counts_[from] -= count;
  counts_[to] += count;
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

}  // namespace firth::exchange
