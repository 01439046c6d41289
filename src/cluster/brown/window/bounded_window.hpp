// The window and the lower bounds of its losses, changed together; the recorder is told of every insertion and
// merge.
#pragma once

#include <span>
#include <vector>

#include "cluster/brown/engine_input.hpp"
#include "cluster/brown/merge_engine.hpp"
#include "cluster/brown/recorder.hpp"
#include "cluster/brown/window/bounds.hpp"
#include "cluster/brown/window/candidate.hpp"
#include "cluster/brown/window/cluster_scorer.hpp"
#include "cluster/brown/window/loss_drops.hpp"
#include "cluster/brown/window/neighbours.hpp"
#include "cluster/brown/window/window.hpp"

namespace firth::brown {

/// Two slots of which one has become part of the other.
struct MergedSlots {
  Slot kept;
  Slot gone;
};

template <class Cell>
class BoundedWindow {
 public:
  /// `input` and `recorder` must outlive this.
  BoundedWindow(const EngineInput& input, std::size_t capacity, Recorder& recorder);

  const Window<Cell>& window() const noexcept { return window_; }
  Bounds& bounds() noexcept { return bounds_; }
  ClusterScorer<Cell>& scorer() noexcept { return scorer_; }

  /// The bounds are valid after this, whatever was replayed before.
  void require_bounds();

  /// Whether the word must stay apart from a word inside.
  bool is_bound(WordId word) const;
  const ClosedPairs& closed() const noexcept { return closed_; }
  /// From now on, any two clusters may merge.
  void open_all();

  /// A word becomes a cluster. Nothing is known of its losses, or all of them are (by lane).
  void insert(const NewWord& word);
  void insert(const NewWord& word, std::span<const Score> losses);

  /// A word that has not entered becomes part of a cluster.
  void absorb(const NewWord& word, Slot slot, Score loss);

  MergedSlots merge(const Candidate& best);

  /// insert() and merge() that leave the bounds as they are: they must be renewed before the next search.
  void replay_insert(const NewWord& word);
  void replay_merge(Slot kept, Slot gone);

  /// A cluster of another engine: the recorder knows its words and merges already.
  void add_cluster(const ClusterWords& cluster, NeighbourCounter& counter);

  /// Moves the clusters together if many slots are free.
  void compact_if_empty();

  /// Rounding of one loss: half a step for each cell, a few for each S ln M.
  Score row_slack() const { return kTouchSlack + static_cast<Score>(16 * window_.used()); }

 private:
  Slot insert_in_window(const NewWord& word);
  void merge_in_window(Slot kept, Slot gone, Score loss);
  void lower_neighbours(const NewWord& word);
  void lower(const Drops& drops);
  WindowState state() const { return {window_.objective(), window_.inside(), window_.live()}; }
  std::size_t neighbour_count(Slot slot) const {
    return window_.cells().after_fill(slot) + window_.cells().before_fill(slot);
  }

  const EngineInput& input_;
  Recorder& recorder_;
  Window<Cell> window_;
  ClosedPairs closed_;
  Bounds bounds_;
  ClusterScorer<Cell> scorer_;
  std::vector<Score> drops_;          ///< of a merge, by lane
  std::vector<PairDrop> pair_drops_;  ///< of a merge, by pair
  Drops word_drops_;                  ///< of a word that joins a cluster
  bool has_bounds_ = true;
};

extern template class BoundedWindow<std::uint32_t>;
extern template class BoundedWindow<std::uint64_t>;

}  // namespace firth::brown
