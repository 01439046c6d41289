// The clusters that may merge, and how often they follow each other: exact counts, degrees, marginals and the
// objective F, kept up to date under insertions and merges.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cluster/brown/objective_terms.hpp"
#include "cluster/brown/window/new_word.hpp"
#include "cluster/brown/window/side.hpp"
#include "cluster/brown/window/slot_table.hpp"
#include "cluster/brown/window/square_counts.hpp"
#include "cluster/brown/window/word_slots.hpp"
#include "firth/counts.hpp"

namespace firth::brown {

template <class Cell>
class Window {
 public:
  /// Room for `capacity` clusters. `words`: size of the vocabulary.
  Window(const ObjectiveTerms& terms, std::size_t capacity, std::size_t words);

  /// Bytes that the constructor will ask for.
  static std::uint64_t bytes(std::size_t capacity, std::size_t words);

  std::size_t lanes() const noexcept { return slots_.lanes(); }  ///< slots in use or free, padded
  std::size_t stride() const noexcept { return cells_.stride(); }
  std::size_t used() const noexcept { return slots_.used(); }  ///< slots in use or free
  std::size_t live() const noexcept { return slots_.live(); }
  bool is_live(Slot slot) const { return slots_.is_live(slot); }
  std::uint32_t rank(Slot slot) const { return slots_.rank(slot); }
  std::uint32_t node(Slot slot) const { return slots_.node(slot); }
  void set_node(Slot slot, std::uint32_t node) { slots_.set_node(slot, node); }
  const SlotTable& slots() const noexcept { return slots_; }
  /// Whether slot 0 is the end of a line: a context, but no cluster that may merge.
  bool has_line_end() const noexcept { return line_end_; }
  void set_line_end(bool line_end) { line_end_ = line_end; }

  Slot slot_of(WordId word) const { return words_.slot_of(word); }
  WordId last_word() const noexcept { return words_.last_word(); }  ///< no word above it is inside
  std::vector<WordId> words(Slot slot) const { return words_.words(slot); }

  Score objective() const noexcept { return objective_; }
  Count inside() const noexcept { return inside_; }  ///< bigrams inside the window
  const ObjectiveTerms& terms() const noexcept { return terms_; }
  const Side<Cell>& left() const noexcept { return sides_.left; }
  const Side<Cell>& right() const noexcept { return sides_.right; }
  const RateBounds<Cell>& rates() const noexcept { return rates_; }

  const SquareCounts<Cell>& cells() const noexcept { return cells_; }
  const Cell* after(Slot slot) const { return cells_.after(slot); }
  const Cell* before(Slot slot) const { return cells_.before(slot); }
  /// Slots whose marginals changed, in order, since the last compact().
  const std::vector<Slot>& changes() const noexcept { return changes_; }
  std::uint32_t compactions() const noexcept { return compactions_; }

  /// AMI loss of merging two clusters, exact ...
  Score loss(Slot v, Slot w) const { return shared_loss(v, w) + own_loss(v, w); }
  /// ... as a sum over the contexts that both have ...
  Score shared_loss(Slot v, Slot w) const;
  /// ... and the rest: marginals, and the pair's own four cells (as contexts, they would be counted twice).
  Score own_loss(Slot v, Slot w) const;

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
  void prefetch(const NewWord& word, Slot slot) const;
  void add_word(const NewWord& word, Slot slot, Score change);
  void raise_rates(const NewWord& word, Slot slot);
  void renew_rates(Slot slot) { rates_.renew(slot, cells_, sides_, lanes()); }

  const ObjectiveTerms& terms_;
  SquareCounts<Cell> cells_;
  Sides<Cell> sides_;
  RateBounds<Cell> rates_;
  SlotTable slots_;
  WordSlots words_;
  std::vector<Slot> changes_;
  std::uint32_t compactions_ = 0;
  Score objective_ = 0;
  Count inside_ = 0;
  bool line_end_ = false;
};

extern template class Window<std::uint32_t>;
extern template class Window<std::uint64_t>;

}  // namespace firth::brown
