#include "cluster/brown/lookahead/word_scorer.hpp"

#include <algorithm>

#include "cluster/brown/window/loss_drops.hpp"

namespace firth::brown {
namespace {

constexpr Score kNearShare = 8;  // losses above the least by more than this part of it are not kept

}  // namespace

template <class Cell>
void WordScorer<Cell>::score(WordId word, std::uint32_t rank, ScoredWord& scored) {
  counter.count(window, word, scored.word);
  scored.follows_neighbour = scored.word.first_outside < rank;
  if (scored.follows_neighbour) return;
  const std::span<Score> row(losses.data(), window.lanes());
  rows.score(scored.word, row);
  const Score least = smallest(std::span<const Score>(row));
  scored.limit = least + std::max(least / kNearShare, 4 * kTouchSlack);
  lanes.clear();
  collect(std::span<const Score>(row), scored.limit, lanes);
  scored.near.clear();
  for (const Slot slot : lanes) scored.near.push_back({slot, losses[slot]});
}

template struct WordScorer<std::uint32_t>;
template struct WordScorer<std::uint64_t>;

}  // namespace firth::brown
