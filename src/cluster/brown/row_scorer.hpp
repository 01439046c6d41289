// Losses of merging a new word with each cluster of the window, before the word is part of it.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "cluster/brown/window.hpp"

namespace firth::brown {

/// Keeps logarithms between calls: one for each thread, but for lanes() and lane().
template <class Cell>
class RowScorer {
 public:
  explicit RowScorer(const Window<Cell>& window) : window_(window) {}

  /// Exact losses by lane, with the word inside the window; lanes without a cluster get the largest value.
  void score(const NewWord& word, std::span<Score> losses) {
    const Terms terms = prepare(word);
    lanes(word, terms, losses, 0, losses.size());
    finish(word, terms, losses);
  }

  /// The same in three steps, so that lanes can be shared out among threads.
  struct Terms {
    const double* left_logs;  ///< ln(Ml(w) + Ml(word)) by lane
    const double* right_logs;
    Score own;  ///< S ln M of the word, both sides
  };
  Terms prepare(const NewWord& word);
  /// Lanes [begin, end), both multiples of kLaneBlock.
  void lanes(const NewWord& word, const Terms& terms, std::span<Score> losses, std::size_t begin,
             std::size_t end) const;
  void finish(const NewWord& word, const Terms& terms, std::span<Score> losses) const;

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

  const double* merged_logs(LogRow& row, const Side& side, Count marginal);
  void add_context(std::span<Score> losses, BitRow<Cell> row, Count count, bool dense) const;
  Score side_loss(const Side& side, Slot w, Count word_marginal, Count word_degree, Count more) const;

  const Window<Cell>& window_;
  std::array<LogRow, kLogRows> left_rows_, right_rows_;
};

extern template class RowScorer<std::uint32_t>;
extern template class RowScorer<std::uint64_t>;

}  // namespace firth::brown
