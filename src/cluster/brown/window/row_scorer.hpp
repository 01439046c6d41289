// Losses of merging a new word with each cluster of the window, before the word is part of it.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "cluster/brown/window/window.hpp"

namespace firth::brown {

/// Keeps logarithms between calls: one for each thread, but for add_contexts() and lane().
template <class Cell>
class RowScorer {
 public:
  explicit RowScorer(const Window<Cell>& window) : window_(window) {}

  /// Exact losses by lane, with the word inside the window; lanes without a cluster, and the end of a line,
  /// get the largest value.
  void score(const NewWord& word, std::span<Score> losses) {
    std::fill(losses.begin(), losses.end(), 0);
    add_contexts(word.neighbours, losses);
    finish(word, losses);
  }

  /// The same in two steps: contexts, from zero on, which several threads can share out among them ...
  void add_contexts(std::span<const Neighbour> neighbours, std::span<Score> losses) const;
  /// ... and the rest: marginals, and what the word and a cluster have with themselves and each other.
  void finish(const NewWord& word, std::span<Score> losses);

  /// The loss with one cluster.
  Score lane(const NewWord& word, Slot w) const;

 private:
  /// ln(M_w + marginal) of all lanes for one value of `marginal`: words arrive by frequency, so the same few
  /// values return, and one merge changes one lane.
  struct LogRow {
    Count marginal = 0;
    std::uint32_t compactions = 0;
    std::size_t seen = 0;  ///< changes of the window already taken over
    std::size_t lanes = 0;
    std::vector<double> ln;
  };
  static constexpr std::size_t kLogRows = 64;

  const double* merged_logs(LogRow& row, const Side<Cell>& side, Count marginal);
  void add_context(std::span<Score> losses, BitRow<Cell> row, Count count, bool dense) const;
  void finish_met(const NewWord& word, const double* left_logs, const double* right_logs,
                  std::span<Score> losses) const;
  Score side_loss(const Side<Cell>& side, Slot w, Count word_marginal, Count word_degree, Count more) const;

  const Window<Cell>& window_;
  std::array<LogRow, kLogRows> left_rows_, right_rows_;
};

extern template class RowScorer<std::uint32_t>;
extern template class RowScorer<std::uint64_t>;

}  // namespace firth::brown
