// The next words of the queue, scored ahead of their turn by several threads.
#pragma once

#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "cluster/brown/engine.hpp"
#include "cluster/brown/meetings.hpp"
#include "cluster/brown/row_scorer.hpp"
#include "cluster/brown/window.hpp"

namespace firth::brown {

/// A word with its losses by lane.
struct ScoredWord {
  NewWord word;
  std::vector<Score> losses;
  bool follows = false;  ///< a neighbour of it is earlier in the batch: to be scored again at its turn
};

/// Scores words in batches. When the words before it have been absorbed, only lanes they touched may differ:
/// the cluster that took a word is scored again; clusters that met it lose more than before, so that they are
/// scored again only if they might still be the best (README.md, section 2).
template <class Cell>
class Batch {
 public:
  Batch(const EngineInput& input, const Window<Cell>& window, base::Team& team);

  /// The first of `words`, scored against the window: lanes hold the losses of today, or, where that cannot
  /// make them the least, of before. Valid until the next call.
  ScoredWord& next(std::span<const WordId> words);
  /// The least loss of the word that next() returned; `ties`: the lanes that have it.
  Score least(std::vector<std::uint32_t>& ties);
  /// Brings all lanes of that word up to date.
  void settle();

  /// The word that next() returned is now part of `slot`.
  void absorbed(const NewWord& word, Slot slot);
  /// Anything else has happened to the window.
  void discard() { done_ = size_ = 0; }

 private:
  std::size_t choose_size(std::span<const WordId> words) const;
  void score_batch(std::span<const WordId> words);
  void score_one(ScoredWord& scored, WordId word);
  bool follows(WordId word, std::size_t position) const;
  void catch_up(ScoredWord& scored);
  void rescore(ScoredWord& scored, Slot lane);

  /// What has happened to a loss.
  enum class Change : std::uint8_t { none, risen, any };

  /// A word of the batch became part of `slot`; clusters touched_[begin, end) met it.
  struct Absorption {
    Slot slot;
    std::size_t begin;
    std::size_t end;
  };

  const EngineInput& input_;
  const Window<Cell>& window_;
  base::Team& team_;
  std::vector<RowScorer<Cell>> scorers_;
  std::vector<Gatherer> gatherers_;
  std::vector<ScoredWord> words_;
  std::size_t size_ = 0;
  std::size_t done_ = 0;
  std::vector<std::uint32_t> position_;  ///< by word: 1 + place in the batch
  std::vector<Absorption> absorptions_;
  std::vector<Slot> touched_;
  std::vector<std::uint8_t> meets_;  ///< by lane: the word at hand meets it
  std::vector<Change> changes_;      ///< by lane: since the loss at hand was computed
};

extern template class Batch<std::uint32_t>;
extern template class Batch<std::uint64_t>;

}  // namespace firth::brown
