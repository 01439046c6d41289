// Losses of merging a new word with each cluster of the window, before the word is part of it.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "cluster/brown/window.hpp"

namespace firth::brown {

/// Not shared between threads: it keeps logarithms between calls.
template <class Cell>
class RowScorer {
 public:
  explicit RowScorer(const Window<Cell>& window) : window_(window) {}

  /// Exact losses by lane, with the word inside the window; free lanes get the largest value.
  void score(const NewWord& word, std::span<Score> losses);

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
  void add_contexts(const NewWord& word, std::span<Score> losses) const;
  void add_context(std::span<Score> losses, const Cell* cells, const std::uint64_t* bits, std::uint32_t fill,
                   Count count, Count peak) const;
  void correct_meetings(const NewWord& word, std::span<Score> losses, const double* left_logs,
                        const double* right_logs) const;

  const Window<Cell>& window_;
  std::array<LogRow, kLogRows> left_rows_, right_rows_;
};

extern template class RowScorer<std::uint32_t>;
extern template class RowScorer<std::uint64_t>;

}  // namespace firth::brown
