#include "evaluate/contingency.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace firth::evaluate {

Count Contingency::total() const {
  return std::accumulate(cells_.begin(), cells_.end(), Count{0});
}

std::vector<Count> Contingency::class_sums() const {
  std::vector<Count> sums(classes());
  for (std::size_t c = 0; c < sums.size(); ++c) {
    const auto cells = row(c);
    sums[c] = std::accumulate(cells.begin(), cells.end(), Count{0});
  }
  return sums;
}

std::vector<Count> Contingency::tag_sums() const {
  std::vector<Count> sums(tags_);
  for (std::size_t i = 0; i < cells_.size(); ++i) sums[i % tags_] += cells_[i];
  return sums;
}

std::size_t Contingency::best_tag(std::size_t c) const {
  const auto cells = row(c);
  return static_cast<std::size_t>(std::max_element(cells.begin(), cells.end()) - cells.begin());
}

Count greedy_assignment(const Contingency& table) {
  struct Cell {
    Count count;
    std::size_t c;
    std::size_t tag;
  };
  std::vector<Cell> cells;
  for (std::size_t c = 0; c < table.classes(); ++c) {
    for (std::size_t tag = 0; tag < table.tags(); ++tag) {
      if (table.at(c, tag) > 0) cells.push_back({table.at(c, tag), c, tag});
    }
  }
  std::stable_sort(cells.begin(), cells.end(),
                   [](const Cell& a, const Cell& b) { return a.count > b.count; });
  std::vector<bool> class_used(table.classes());
  std::vector<bool> tag_used(table.tags());
  Count sum = 0;
  for (const Cell& cell : cells) {
    if (class_used[cell.c] || tag_used[cell.tag]) continue;
    class_used[cell.c] = true;
    tag_used[cell.tag] = true;
    sum += cell.count;
  }
  return sum;
}

namespace {

/// The assignment problem by shortest augmenting paths with potentials (Kuhn 1955, Munkres 1957; in the form
/// that adds one row after the other, O(rows^2 columns)). Rows are the smaller side.
class OptimalAssignment {
 public:
  explicit OptimalAssignment(const Contingency& table)
      : table_(table),
        swapped_(table.classes() > table.tags()),
        rows_(std::min(table.classes(), table.tags())),
        columns_(std::max(table.classes(), table.tags())),
        row_potential_(rows_ + 1),
        column_potential_(columns_ + 1),
        row_of_(columns_ + 1, 0) {}

  Count solve() {
    for (std::size_t row = 1; row <= rows_; ++row) add_row(row);
    Count sum = 0;
    for (std::size_t column = 1; column <= columns_; ++column) {
      if (row_of_[column] > 0) sum += count(row_of_[column], column);
    }
    return sum;
  }

 private:
  // Rows and columns count from 1; column 0 holds the row that is being added.
  Count count(std::size_t row, std::size_t column) const {
    return swapped_ ? table_.at(column - 1, row - 1) : table_.at(row - 1, column - 1);
  }
  std::int64_t reduced_cost(std::size_t row, std::size_t column) const {
    return -static_cast<std::int64_t>(count(row, column)) - row_potential_[row] - column_potential_[column];
  }

  void add_row(std::size_t row) {
    constexpr auto kFar = std::numeric_limits<std::int64_t>::max();
    row_of_[0] = row;
    std::vector<std::int64_t> distance(columns_ + 1, kFar);
    std::vector<std::size_t> previous(columns_ + 1, 0);
    std::vector<bool> reached(columns_ + 1);
    std::size_t column = 0;
    do {
      reached[column] = true;
      std::size_t nearest = 0;
      std::int64_t step = kFar;
      for (std::size_t next = 1; next <= columns_; ++next) {
        if (reached[next]) continue;
        const std::int64_t cost = reduced_cost(row_of_[column], next);
        if (cost < distance[next]) {
          distance[next] = cost;
          previous[next] = column;
        }
        if (distance[next] < step) {
          step = distance[next];
          nearest = next;
        }
      }
      for (std::size_t j = 0; j <= columns_; ++j) {
        if (reached[j]) {
          row_potential_[row_of_[j]] += step;
          column_potential_[j] -= step;
        } else if (distance[j] != kFar) {
          distance[j] -= step;
        }
      }
      column = nearest;
    } while (row_of_[column] != 0);
    while (column != 0) {
      row_of_[column] = row_of_[previous[column]];
      column = previous[column];
    }
  }

  const Contingency& table_;
  bool swapped_;
  std::size_t rows_;
  std::size_t columns_;
  std::vector<std::int64_t> row_potential_;
  std::vector<std::int64_t> column_potential_;
  std::vector<std::size_t> row_of_;  // row of each column, 0 = free
};

/// Entropy in bits of counts that add up to `total`.
double entropy(std::span<const Count> counts, double total) {
  double sum = 0;
  for (const Count count : counts) {
    if (count == 0) continue;
    const double p = static_cast<double>(count) / total;
    sum -= p * std::log2(p);
  }
  return sum;
}

void add_information(const Contingency& table, double total, TagAgreement& scores) {
  const double class_entropy = entropy(table.class_sums(), total);
  const double tag_entropy = entropy(table.tag_sums(), total);
  double joint = 0;
  for (std::size_t c = 0; c < table.classes(); ++c) joint += entropy(table.row(c), total);
  // Rounding must not make a perfect clustering a little worse than perfect.
  const double class_given_tag = std::max(0.0, joint - tag_entropy);
  const double tag_given_class = std::max(0.0, joint - class_entropy);
  scores.vi_bits = class_given_tag + tag_given_class;
  scores.nvi = tag_entropy > 0 ? scores.vi_bits / tag_entropy : class_entropy;
  scores.homogeneity = tag_entropy > 0 ? 1 - tag_given_class / tag_entropy : 1;
  scores.completeness = class_entropy > 0 ? 1 - class_given_tag / class_entropy : 1;
  const double sum = scores.homogeneity + scores.completeness;
  scores.v_measure = sum > 0 ? 2 * scores.homogeneity * scores.completeness / sum : 0;
}

}  // namespace

Count best_assignment(const Contingency& table) {
  return OptimalAssignment(table).solve();
}

TagAgreement score(const Contingency& table, std::span<const std::uint32_t> prototype_tags) {
  TagAgreement scores;
  const auto total = static_cast<double>(table.total());
  if (total == 0) return scores;
  Count many = 0;
  Count prototype = 0;
  for (std::size_t c = 0; c < table.classes(); ++c) {
    many += table.at(c, table.best_tag(c));
    prototype += table.at(c, prototype_tags[c]);
  }
  scores.many_to_one = static_cast<double>(many) / total;
  scores.prototype = static_cast<double>(prototype) / total;
  scores.one_to_one_greedy = static_cast<double>(greedy_assignment(table)) / total;
  scores.one_to_one = static_cast<double>(best_assignment(table)) / total;
  add_information(table, total, scores);
  return scores;
}

}  // namespace firth::evaluate
