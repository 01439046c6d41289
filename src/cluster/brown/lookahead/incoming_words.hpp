// The losses of the words to come, one word after the other; with several threads, computed ahead of time.
#pragma once

#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "cluster/brown/lookahead/lookahead.hpp"
#include "cluster/brown/lookahead/recent_changes.hpp"
#include "cluster/brown/lookahead/team_scorer.hpp"

namespace firth::brown {

/// Scores each word at its turn, or takes what the lookahead found and brings it up to date: the words placed
/// since then have changed some of its losses.
template <class Cell>
class IncomingWords {
 public:
  /// `lookahead`: other threads may keep copies of the window.
  IncomingWords(const EngineInput& input, const Window<Cell>& window, base::Team& team, bool lookahead);

  /// The first of `words`, scored against the window. Valid until placed().
  const NewWord& next(std::span<const WordId> words);
  /// Its least loss; `ties`: the lanes that have it.
  Score least(std::vector<std::uint32_t>& ties);
  /// All its losses by lane.
  std::span<const Score> losses();

  /// The word that next() returned is in the window.
  void placed(Placement placement);

  /// Number of words that were not scored at their turn.
  std::uint64_t scored_ahead() const noexcept { return scored_ahead_; }

 private:
  bool is_worth_lookahead(std::span<const WordId> words) const;
  bool take_report();
  void score_now(WordId word);

  LookaheadScorers<Cell> lookahead_;
  const EngineInput& input_;
  const Window<Cell>& window_;
  TeamScorer<Cell> scorer_;
  RecentChanges<Cell> recent_;
  bool lookahead_allowed_;
  NewWord own_;                       ///< the current word, if it was scored at its turn
  const NewWord* word_ = nullptr;     ///< the current word
  bool has_all_losses_ = false;       ///< the scorer has all its losses; else ...
  std::vector<SlotLoss> candidates_;  ///< ... the least is among these
  std::uint64_t scored_ahead_ = 0;
};

extern template class IncomingWords<std::uint32_t>;
extern template class IncomingWords<std::uint64_t>;

}  // namespace firth::brown
