// The clusters that may merge, and how often they follow each other: exact counts, degrees, marginals and the
// objective F, kept up to date under insertions and merges.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "cluster/brown/kernel.hpp"
#include "cluster/brown/measure.hpp"
#include "firth/counts.hpp"

namespace firth::brown {

/// Number of a place in the window.
using Slot = std::uint32_t;
inline constexpr Slot kNoSlot = static_cast<Slot>(-1);

/// How often a new word meets a cluster of the window.
struct Neighbour {
  Slot slot;
  Count after;   ///< times the cluster follows the word
  Count before;  ///< times the cluster stands before the word
};

/// A word about to enter, with all that it has to do with the window.
struct NewWord {
  WordId word = 0;
  Count self = 0;          ///< times it follows itself
  Count left_degree = 0;   ///< Sl: self + sum of `after`
  Count right_degree = 0;  ///< Sr: self + sum of `before`
  std::vector<Neighbour> meetings;
  std::uint32_t first_outside =
      UINT32_MAX;  ///< smallest rank of a neighbour not in the window, if below its own
};

/// Sums of cells are exact in this type. As doubles, those of 32-bit cells need no conversion in hot loops.
template <class Cell>
using Degree = std::conditional_t<sizeof(Cell) == 4, double, Count>;

/// One side (row or column sums and marginals) of all slots.
template <class Cell>
struct Side {
  std::vector<Degree<Cell>> degree;  ///< S
  std::vector<Count> marginal;       ///< M, in the whole text
  std::vector<double> ln_marginal;   ///< ln M
  std::vector<double> inverse;       ///< 1 / M, 0 where M is 0
  std::vector<Score> weighed;        ///< S ln M
};

/// Cell is the type of one count: 32 bits where the number of bigrams allows, else 64.
template <class Cell>
class Window {
 public:
  /// Room for `capacity` clusters. `words`: size of the vocabulary.
  Window(const Measure& measure, std::size_t capacity, std::size_t words);

  /// Bytes that the constructor will ask for.
  static std::uint64_t bytes(std::size_t capacity, std::size_t words);

  std::size_t lanes() const noexcept { return lanes_; }  ///< slots in use or free, padded
  std::size_t stride() const noexcept { return stride_; }
  std::size_t used() const noexcept { return used_; }  ///< slots in use or free
  std::size_t live() const noexcept { return live_; }
  bool is_live(Slot slot) const { return live_flag_[slot] != 0; }
  std::uint32_t rank(Slot slot) const { return rank_[slot]; }
  std::uint32_t node(Slot slot) const { return node_[slot]; }
  void set_node(Slot slot, std::uint32_t node) { node_[slot] = node; }
  WordId head(Slot slot) const { return head_[slot]; }  ///< the most frequent word: the smallest id
  Slot slot_of(WordId word) const { return slot_of_[word]; }
  WordId last_word() const noexcept { return last_word_; }  ///< no word above it is inside
  Score objective() const noexcept { return objective_; }
  Count inside() const noexcept { return inside_; }
  const Side<Cell>& left() const noexcept { return left_; }
  const Side<Cell>& right() const noexcept { return right_; }
  const Measure& measure() const noexcept { return measure_; }
  const std::vector<Slot>& free_slots() const noexcept { return free_; }

  /// N(slot, .) and N(., slot) by lane, and the bit sets of their non-zeros.
  const Cell* after(Slot slot) const { return after_.data() + slot * stride_; }
  const Cell* before(Slot slot) const { return before_.data() + slot * stride_; }
  const std::uint64_t* after_bits(Slot slot) const { return after_bits_.data() + slot * (stride_ / 64); }
  const std::uint64_t* before_bits(Slot slot) const { return before_bits_.data() + slot * (stride_ / 64); }
  std::span<const Cell> diagonal() const { return diagonal_; }
  /// Number of non-zeros of after(slot) and before(slot).
  std::uint32_t after_fill(Slot slot) const { return after_fill_[slot]; }
  std::uint32_t before_fill(Slot slot) const { return before_fill_[slot]; }
  /// Slots whose marginals changed, in order, since the last compact().
  const std::vector<Slot>& changes() const noexcept { return changes_; }
  std::uint32_t compactions() const noexcept { return compactions_; }
  /// At least as large as every cell of after(slot) and before(slot).
  Count peak(Slot slot) const { return peak_[slot]; }
  /// At least as large as every N(w, slot) / Ml(w), and as every N(slot, w) / Mr(w).
  double before_rate(Slot slot) const { return before_rate_[slot]; }
  double after_rate(Slot slot) const { return after_rate_[slot]; }

  /// AMI loss of merging two clusters, exact ...
  Score loss(Slot v, Slot w) const { return shared_loss(v, w, 0, lanes_) + own_loss(v, w); }
  /// ... as a sum of what contexts in the lanes [begin, end), multiples of kLaneBlock, take part in ...
  Score shared_loss(Slot v, Slot w, std::size_t begin, std::size_t end) const;
  /// ... and the rest: marginals, and the pair's own four cells (as contexts, they would be counted twice).
  Score own_loss(Slot v, Slot w) const;

  /// How often the cluster meets each of the others, and itself.
  void list_meetings(Slot slot, std::vector<Neighbour>& meetings) const;

  /// F after `word` enters minus F now.
  Score gain(const NewWord& word) const;

  /// A cluster of its own for the word; its slot is returned.
  Slot insert(const NewWord& word, std::uint32_t rank);

  /// The word enters and becomes part of cluster `slot` at once; `change` is what this adds to F.
  void absorb(const NewWord& word, Slot slot, Score change, std::uint32_t rank);

  /// Cluster `gone` becomes part of `kept`; `loss` is what F loses.
  void merge(Slot kept, Slot gone, Score loss);

  /// Moves the clusters together: old slot to new slot, kNoSlot for free ones; no free slots remain. With
  /// `shrink`, rows become shorter, too, and no more clusters than there are now will fit.
  std::vector<Slot> compact(bool shrink);

  /// Recomputes every sum from the cells; throws std::logic_error if one differs.
  void check() const;

 private:
  void fetch_cells(const NewWord& word, Slot slot) const;
  void add(Slot from, Slot to, Count count);
  void clear(Slot from, Slot to);
  void set_side(Side<Cell>& side, Slot slot, Degree<Cell> degree, Count marginal);
  void change_degree(Side<Cell>& side, Slot slot, Count by);
  void relabel(Slot from, Slot to);
  void raise_rates(Slot from, Slot to);
  void renew_rates(Slot slot);
  void update_lanes();

  const Measure& measure_;
  std::size_t stride_;
  std::size_t lanes_ = 0;
  std::size_t used_ = 0;
  std::size_t live_ = 0;
  Score objective_ = 0;
  Count inside_ = 0;
  std::vector<Cell> after_, before_, diagonal_;
  std::vector<std::uint64_t> after_bits_, before_bits_;
  std::vector<Count> peak_;
  std::vector<double> before_rate_, after_rate_;
  std::vector<std::uint32_t> rate_age_;  ///< words absorbed since the rates were computed
  std::vector<std::uint32_t> after_fill_, before_fill_;
  std::vector<Slot> changes_;
  std::uint32_t compactions_ = 0;
  Side<Cell> left_, right_;
  std::vector<std::uint32_t> rank_, node_;
  std::vector<WordId> head_;
  std::vector<std::uint8_t> live_flag_;
  std::vector<Slot> free_;
  std::vector<Slot> slot_of_;  ///< by word; kNoSlot outside
  WordId last_word_ = 0;
  std::vector<WordId> first_of_;  ///< by slot: head of the chain of its words
  std::vector<WordId> last_of_;
  std::vector<WordId> next_of_;  ///< by word
};

extern template class Window<std::uint32_t>;
extern template class Window<std::uint64_t>;

}  // namespace firth::brown
