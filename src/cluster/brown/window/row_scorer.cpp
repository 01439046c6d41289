#include "cluster/brown/window/row_scorer.hpp"

#include <algorithm>
#include <limits>

namespace firth::brown {
template <class Cell>
const double* RowScorer<Cell>::merged_logs(LogRow& row, const Side<Cell>& side, Count marginal) {
  const auto& changes = window_.changes();
  const std::size_t lanes = window_.lanes();
  const bool known = row.lanes == lanes && row.marginal == marginal &&
                     row.compactions == window_.compactions() && changes.size() - row.seen < lanes;
  if (known) {
    for (std::size_t i = row.seen; i < changes.size(); ++i)
      row.ln[changes[i]] = ObjectiveTerms::ln(side.marginal[changes[i]] + marginal);
  } else {
    row.ln.resize(lanes);
    for (std::size_t w = 0; w < lanes; ++w) row.ln[w] = ObjectiveTerms::ln(side.marginal[w] + marginal);
  }
  row.marginal = marginal;
  row.compactions = window_.compactions();
  row.seen = changes.size();
  row.lanes = lanes;
  return row.ln.data();
}

template <class Cell>
void RowScorer<Cell>::add_context(std::span<Score> losses, BitRow<Cell> row, Count count, bool dense) const {
  const ObjectiveTerms& terms = window_.terms();
  if (dense) return add_phi(losses, row.cells, static_cast<Cell>(count), terms.table().data());
  const Score own = terms.h(count);
  for_each_bit(losses.size() / 64, row.bits, [&](Slot lane) {
    const Count cell = row.cells[lane];
    losses[lane] += own + terms.h(cell) - terms.h(cell + count);
  });
}

template <class Cell>
void RowScorer<Cell>::add_contexts(std::span<const Neighbour> neighbours, std::span<Score> losses) const {
  const auto add = [&](BitRow<Cell> row, Slot c, std::uint32_t fill, Count count) {
    // Looking up every lane costs about as much as finding half of them one by one.
    const bool dense = std::size_t{fill} * 2 > losses.size() &&
                       window_.cells().peak(c) + count < window_.terms().table().size();
    add_context(losses, row, count, dense);
  };
  for (const auto& [c, after, before] : neighbours) {
    if (after > 0)
      add({window_.before(c), window_.cells().before_bits(c)}, c, window_.cells().before_fill(c), after);
    if (before > 0)
      add({window_.after(c), window_.cells().after_bits(c)}, c, window_.cells().after_fill(c), before);
  }
}

template <class Cell>
void RowScorer<Cell>::finish(const NewWord& word, std::span<Score> losses) {
  const ObjectiveTerms& terms = window_.terms();
  const Side<Cell>& left = window_.left();
  const Side<Cell>& right = window_.right();
  const Count left_marginal = terms.left_marginal(word.word);
  const Count right_marginal = terms.right_marginal(word.word);
  const double* const left_logs = merged_logs(left_rows_[left_marginal % kLogRows], left, left_marginal);
  const double* const right_logs = merged_logs(right_rows_[right_marginal % kLogRows], right, right_marginal);
  const auto left_degree = static_cast<Degree<Cell>>(word.left_degree);
  const auto right_degree = static_cast<Degree<Cell>>(word.right_degree);
  const Score own = terms.weigh(static_cast<double>(left_degree), ObjectiveTerms::ln(left_marginal)) +
                    terms.weigh(static_cast<double>(right_degree), ObjectiveTerms::ln(right_marginal));
  for (Score& loss : losses) loss -= own;
  if (word.self > 0)
    for (std::size_t w = 0; w < losses.size(); ++w)
      losses[w] += terms.phi(word.self, window_.cells().diagonal()[w]);
  using Lanes = MarginalLanes<Degree<Cell>>;
  add_marginals(losses, Lanes{left.degree.data(), left_logs, left.weighed.data(), left_degree},
                terms.scale());
  add_marginals(losses, Lanes{right.degree.data(), right_logs, right.weighed.data(), right_degree},
                terms.scale());
  finish_met(word, left_logs, right_logs, losses);
  for (const Slot slot : window_.slots().free()) losses[slot] = std::numeric_limits<Score>::max();
  if (window_.has_line_end()) losses[0] = std::numeric_limits<Score>::max();
  for (std::size_t w = window_.used(); w < losses.size(); ++w) losses[w] = std::numeric_limits<Score>::max();
}

// Lanes of the word's neighbours: the pair's own four cells are one block, and the cluster's degree
// includes the word.
template <class Cell>
void RowScorer<Cell>::finish_met(const NewWord& word, const double* left_logs, const double* right_logs,
                                 std::span<Score> losses) const {
  const ObjectiveTerms& terms = window_.terms();
  const auto weigh = [&](Degree<Cell> degree, double ln) {
    return terms.weigh(static_cast<double>(degree), ln);
  };
  const auto degree_change = [&](const Side<Cell>& side, Slot w, double ln_merged, Count own, Count more) {
    const Degree<Cell> before = side.degree[w];
    const Degree<Cell> after = before + static_cast<Degree<Cell>>(more);
    const auto mine = static_cast<Degree<Cell>>(own);
    return weigh(after + mine, ln_merged) - weigh(before + mine, ln_merged) -
           weigh(after, side.ln_marginal[w]) + side.weighed[w];
  };
  for (const auto& [w, after, before] : word.neighbours) {
    const Count cell = window_.cells().diagonal()[w];
    losses[w] += terms.phi(word.self, after, before, cell) - terms.phi(after, cell) -
                 terms.phi(before, cell) - terms.phi(word.self, cell) +
                 degree_change(window_.left(), w, left_logs[w], word.left_degree, before) +
                 degree_change(window_.right(), w, right_logs[w], word.right_degree, after);
  }
}

template <class Cell>
Score RowScorer<Cell>::side_loss(const Side<Cell>& side, Slot w, Count word_marginal, Count word_degree,
                                 Count more) const {
  const ObjectiveTerms& terms = window_.terms();
  const Degree<Cell> degree = side.degree[w] + static_cast<Degree<Cell>>(more);
  const auto mine = static_cast<Degree<Cell>>(word_degree);
  return terms.weigh(static_cast<double>(degree + mine),
                     ObjectiveTerms::ln(side.marginal[w] + word_marginal)) -
         terms.weigh(static_cast<double>(degree), side.ln_marginal[w]) -
         terms.weigh(static_cast<double>(mine), ObjectiveTerms::ln(word_marginal));
}

template <class Cell>
Score RowScorer<Cell>::lane(const NewWord& word, Slot w) const {
  if (w == 0 && window_.has_line_end()) return std::numeric_limits<Score>::max();
  const ObjectiveTerms& terms = window_.terms();
  const Cell* const after_row = window_.after(w);
  const Cell* const before_row = window_.before(w);
  Count after = 0;
  Count before = 0;
  Score sum = 0;
  for (const Neighbour& neighbour : word.neighbours) {
    if (neighbour.slot == w) {
      after = neighbour.after;
      before = neighbour.before;
      continue;
    }
    sum += terms.phi(neighbour.after, after_row[neighbour.slot]) +
           terms.phi(neighbour.before, before_row[neighbour.slot]);
  }
  return sum + terms.phi(word.self, after, before, window_.cells().diagonal()[w]) +
         side_loss(window_.left(), w, terms.left_marginal(word.word), word.left_degree, before) +
         side_loss(window_.right(), w, terms.right_marginal(word.word), word.right_degree, after);
}

template class RowScorer<std::uint32_t>;
template class RowScorer<std::uint64_t>;

}  // namespace firth::brown
