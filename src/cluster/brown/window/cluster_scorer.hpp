// All losses of one cluster of the window at once, context by context.
#pragma once

#include <span>
#include <vector>

#include "cluster/brown/window/row_scorer.hpp"
#include "cluster/brown/window/window.hpp"

namespace firth::brown {

template <class Cell>
class ClusterScorer {
 public:
  explicit ClusterScorer(const Window<Cell>& window)
      : window_(window), rows_(window), losses_(window.stride()) {}

  /// Whether clusters with so few neighbours are scored all at once in less time than some of them one by one.
  bool is_worth_it(std::size_t neighbours) const { return neighbours * kShortRow < window_.lanes(); }

  /// By lane; valid until the next call. Free lanes have any value.
  std::span<const Score> losses(Slot v) {
    const std::span<Score> losses(losses_.data(), window_.lanes());
    window_.cells().list_neighbours(v, window_.lanes(), neighbours_);
    std::fill(losses.begin(), losses.end(), 0);
    rows_.add_contexts(neighbours_, losses);
    for (Slot w = 0; w < window_.used(); ++w)
      if (window_.is_live(w) && w != v) losses[w] += window_.own_loss(v, w);
    return losses;
  }

 private:
  static constexpr std::size_t kShortRow = 16;

  const Window<Cell>& window_;
  RowScorer<Cell> rows_;
  std::vector<Neighbour> neighbours_;
  std::vector<Score> losses_;
};

}  // namespace firth::brown
