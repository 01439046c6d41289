// The losses of the words to come, one word after the other; with several threads, computed ahead of time.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "cluster/brown/lookahead/lookahead.hpp"
#include "cluster/brown/lookahead/word_scorer.hpp"
#include "cluster/brown/window/engine.hpp"

namespace firth::brown {

/// Scores each word at its turn, or takes what lookahead have found out before: the words that have entered
/// meanwhile have touched some lanes. The cluster that took a word is scored again; clusters that met it lose
/// more than before, so that they are scored again only if they might still be the best (README.md, section
/// 2).
template <class Cell>
class IncomingWords {
 public:
  /// `lookahead`: other threads may keep copies of the window.
  IncomingWords(const EngineInput& input, const Window<Cell>& window, base::Team& team, bool lookahead);

  /// The first of `words`, scored against the window. Valid until entered().
  const NewWord& next(std::span<const WordId> words);
  /// Its least loss; `ties`: the lanes that have it.
  Score least(std::vector<std::uint32_t>& ties);
  /// All its losses by lane.
  std::span<const Score> losses();

  /// What has become of the word that next() returned.
  void entered(Placement entrance);

  /// Words that were not scored at their turn.
  std::uint64_t from_scouts() const noexcept { return from_scouts_; }

 private:
  /// What has happened to a loss.
  enum class Change : std::uint8_t { none, risen, any };

  /// A word that has entered, and the clusters that met it.
  struct Recent {
    Slot slot = kNoSlot;
    std::vector<Slot> touched;
  };

  bool worth_scouting(std::span<const WordId> words) const;
  void score_now(WordId word);
  void share_contexts(const NewWord& word);
  std::span<Score> sums(WordScorer<Cell>& scorer) { return {scorer.losses.data(), window_.lanes()}; }
  bool knows(const typename LookaheadScorers<Cell>::Report& report) const;
  bool catch_up(const typename LookaheadScorers<Cell>::Report& report);
  void mark_changes(const NewWord& word, std::uint32_t seen);
  const Recent& recent(std::uint32_t word) const { return recent_[word % recent_.size()]; }

  LookaheadScorers<Cell> lookahead_;
  const EngineInput& input_;
  const Window<Cell>& window_;
  base::Team& team_;
  bool may_scout_;
  std::vector<WordScorer<Cell>> scorers_;  ///< one for each thread
  std::vector<std::uint8_t> has_sums_;     ///< by thread: some of a word's contexts are in its losses
  NewWord own_;                            ///< the word at hand, if it was scored at its turn
  const NewWord* word_ = nullptr;          ///< the word at hand
  std::array<Recent, LookaheadScorers<Cell>::kAhead> recent_;  ///< by number of the word: no report is older
  std::uint32_t first_known_ = 0;    ///< reports from before this word are worthless
  std::vector<std::uint8_t> meets_;  ///< by lane: the word at hand meets it
  std::vector<Change> changes_;      ///< by lane: since the word at hand was scored
  bool whole_row_ = false;           ///< all losses of the word at hand are with the first scorer; else ...
  std::vector<Lane> candidates_;     ///< ... the least is among these
  std::uint64_t from_scouts_ = 0;
};

extern template class IncomingWords<std::uint32_t>;
extern template class IncomingWords<std::uint64_t>;

}  // namespace firth::brown
