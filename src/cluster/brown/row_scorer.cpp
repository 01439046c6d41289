#include "cluster/brown/row_scorer.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace firth::brown {

template <class Cell>
const double* RowScorer<Cell>::merged_logs(LogRow& row, const Side& side, Count marginal) {
  const auto& changes = window_.changes();
  const std::size_t lanes = window_.lanes();
  const bool known = row.lanes == lanes && row.marginal == marginal &&
                     row.compactions == window_.compactions() && changes.size() - row.seen < lanes;
  if (!known) {
    row.ln.resize(lanes);
    for (std::size_t w = 0; w < lanes; ++w) row.ln[w] = Measure::ln(side.marginal[w] + marginal);
  } else {
    for (std::size_t i = row.seen; i < changes.size(); ++i)
      row.ln[changes[i]] = Measure::ln(side.marginal[changes[i]] + marginal);
  }
  row.marginal = marginal;
  row.compactions = window_.compactions();
  row.seen = changes.size();
  row.lanes = lanes;
  return row.ln.data();
}

template <class Cell>
void RowScorer<Cell>::add_context(std::span<Score> losses, const Cell* cells, const std::uint64_t* bits,
                                  std::uint32_t fill, Count count, Count peak) const {
  const Measure& measure = window_.measure();
  if (fill * 2 > losses.size() && peak + count < measure.table().size()) {
    add_phi(losses, cells, static_cast<Cell>(count), measure.table().data());
    return;
  }
  const Score own = measure.h(count);
  for (std::size_t i = 0; i < losses.size() / 64; ++i)
    for (std::uint64_t rest = bits[i]; rest != 0; rest &= rest - 1) {
      const std::size_t lane = i * 64 + static_cast<std::size_t>(std::countr_zero(rest));
      const Count cell = cells[lane];
      losses[lane] += own + measure.h(cell) - measure.h(cell + count);
    }
}

template <class Cell>
void RowScorer<Cell>::add_contexts(const NewWord& word, std::span<Score> losses) const {
  for (const Meeting& meeting : word.meetings) {
    const Slot c = meeting.slot;
    if (meeting.after > 0)
      add_context(losses, window_.before(c), window_.before_bits(c), window_.before_fill(c), meeting.after,
                  window_.peak(c));
    if (meeting.before > 0)
      add_context(losses, window_.after(c), window_.after_bits(c), window_.after_fill(c), meeting.before,
                  window_.peak(c));
  }
  if (word.self == 0) return;
  const Measure& measure = window_.measure();
  const auto diagonal = window_.diagonal();
  for (std::size_t w = 0; w < losses.size(); ++w)
    losses[w] += measure.h(word.self) + measure.h(diagonal[w]) - measure.h(word.self + diagonal[w]);
}

// Lanes of clusters that meet the word: the pair's own four cells are one block, and the cluster's degree
// includes the word.
template <class Cell>
void RowScorer<Cell>::correct_meetings(const NewWord& word, std::span<Score> losses, const double* left_logs,
                                       const double* right_logs) const {
  const Measure& measure = window_.measure();
  const auto phi = [&](Count a, Count b) { return measure.h(a) + measure.h(b) - measure.h(a + b); };
  const auto degree_change = [&](const Side& side, Slot w, double ln_merged, Count own, Count more) {
    const double before = side.degree[w];
    const double after = before + static_cast<double>(more);
    const auto mine = static_cast<double>(own);
    return measure.weigh(after + mine, ln_merged) - measure.weigh(before + mine, ln_merged) -
           measure.weigh(after, side.ln_marginal[w]) + side.weighed[w];
  };
  for (const Meeting& meeting : word.meetings) {
    const Slot w = meeting.slot;
    const Count cell = window_.diagonal()[w];
    losses[w] -= phi(meeting.after, cell) + phi(meeting.before, cell) + phi(word.self, cell);
    losses[w] += measure.h(word.self) + measure.h(meeting.after) + measure.h(meeting.before) +
                 measure.h(cell) - measure.h(word.self + meeting.after + meeting.before + cell);
    losses[w] += degree_change(window_.left(), w, left_logs[w], word.left_degree, meeting.before) +
                 degree_change(window_.right(), w, right_logs[w], word.right_degree, meeting.after);
  }
}

template <class Cell>
void RowScorer<Cell>::score(const NewWord& word, std::span<Score> losses) {
  const Measure& measure = window_.measure();
  const Count left = measure.left_marginal(word.word);
  const Count right = measure.right_marginal(word.word);
  const double* const left_logs = merged_logs(left_rows_[left % kLogRows], window_.left(), left);
  const double* const right_logs = merged_logs(right_rows_[right % kLogRows], window_.right(), right);
  const auto left_degree = static_cast<double>(word.left_degree);
  const auto right_degree = static_cast<double>(word.right_degree);
  const Score own =
      measure.weigh(left_degree, Measure::ln(left)) + measure.weigh(right_degree, Measure::ln(right));
  std::fill(losses.begin(), losses.end(), -own);
  add_contexts(word, losses);
  add_marginals(losses, {window_.left().degree.data(), left_logs, window_.left().weighed.data(), left_degree},
                measure.scale());
  add_marginals(losses,
                {window_.right().degree.data(), right_logs, window_.right().weighed.data(), right_degree},
                measure.scale());
  correct_meetings(word, losses, left_logs, right_logs);
  for (const Slot slot : window_.free_slots()) losses[slot] = std::numeric_limits<Score>::max();
  for (std::size_t w = window_.used(); w < losses.size(); ++w) losses[w] = std::numeric_limits<Score>::max();
}

template class RowScorer<std::uint32_t>;
template class RowScorer<std::uint64_t>;

}  // namespace firth::brown
