// The next words of the queue, scored ahead of their turn by several threads.
#pragma once

#include <span>
#include <vector>

#include "base/aligned.hpp"
#include "base/parallel.hpp"
#include "cluster/brown/engine.hpp"
#include "cluster/brown/meetings.hpp"
#include "cluster/brown/row_scorer.hpp"
#include "cluster/brown/window.hpp"

namespace firth::brown {

/// Scores words in batches. When the words before it have been absorbed, only lanes they touched may differ:
/// the cluster that took a word is scored again; clusters that met it lose more than before, so that they are
/// scored again only if they might still be the best (README.md, section 2).
template <class Cell>
class Batch {
 public:
  Batch(const EngineInput& input, const Window<Cell>& window, base::Team& team);

  /// The first of `words`, scored against the window. Valid until the next call.
  const NewWord& next(std::span<const WordId> words);
  /// Its least loss; `ties`: the lanes that have it.
  Score least(std::vector<std::uint32_t>& ties);
  /// All its losses by lane.
  std::span<const Score> losses();

  /// The word that next() returned is now part of `slot`.
  void absorbed(const NewWord& word, Slot slot);
  /// Anything else has happened to the window.
  void discard() { done_ = size_ = 0; }

 private:
  struct Lane {
    Slot slot;
    Score loss;
  };

  /// A word and what its losses were when the batch was scored.
  struct alignas(base::kCacheLine) Scored {
    NewWord word;
    std::vector<Lane> near;  ///< the clusters that lost at most ...
    Score limit = 0;         ///< ... this
    bool follows = false;    ///< a neighbour of it is earlier in the batch: to be scored at its turn
  };

  /// What has happened to a loss.
  enum class Change : std::uint8_t { none, risen, any };

  /// A word of the batch became part of `slot`; clusters touched_[begin, end) met it.
  struct Absorption {
    Slot slot;
    std::size_t begin;
    std::size_t end;
  };

  /// What one thread works with.
  struct Worker {
    Worker(const EngineInput& input, const Window<Cell>& window)
        : scorer(window), gatherer(input), losses(window.stride()) {}
    RowScorer<Cell> scorer;
    Gatherer gatherer;
    std::vector<Score> losses;
    bool has_contexts = false;  ///< some of a word's contexts are in `losses`
    std::vector<std::uint32_t> lanes;
  };

  std::size_t choose_size(std::span<const WordId> words) const;
  void score_batch(std::span<const WordId> words);
  void fetch_batch(std::size_t size) const;
  void list_near(Scored& scored, Worker& worker) const;
  void score_now(NewWord& word);
  void share_contexts(const NewWord& word);
  bool catch_up(const Scored& scored);
  void mark_changes(const NewWord& word);

  const EngineInput& input_;
  const Window<Cell>& window_;
  base::Team& team_;
  std::vector<Worker> workers_;
  std::vector<Scored> words_;
  std::size_t size_ = 0;
  std::size_t done_ = 0;
  std::vector<Absorption> absorptions_;
  std::vector<Slot> touched_;
  std::vector<std::uint8_t> meets_;  ///< by lane: the word at hand meets it
  std::vector<Change> changes_;      ///< by lane: since the batch was scored
  std::vector<Lane> candidates_;     ///< of the word at hand, its least loss among them, if ...
  bool whole_row_ = false;           ///< ... the losses with all clusters are not with the first worker
};

extern template class Batch<std::uint32_t>;
extern template class Batch<std::uint64_t>;

}  // namespace firth::brown
