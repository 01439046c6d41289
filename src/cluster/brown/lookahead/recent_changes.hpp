// What the last few words did to the losses of a word that was scored before them (MATH.md, section 2).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cluster/brown/lookahead/lookahead.hpp"

namespace firth::brown {

/// Words are numbered as by the lookahead.
template <class Cell>
class RecentChanges {
 public:
  explicit RecentChanges(std::size_t slots) : is_neighbour_(slots), changes_(slots) {}

  /// Nothing has happened yet.
  void clear() { first_known_ = 0; }

  /// A word has been placed.
  void add(std::uint32_t number, const NewWord& word, Placement placement);

  /// The least losses of a word now, among them all that may be the least: `rows` computes the loss with a
  /// cluster that has changed. False if other clusters than those of the report may be the best.
  bool update(const typename LookaheadScorers<Cell>::Report& report, std::uint32_t now,
              const RowScorer<Cell>& rows, std::vector<SlotLoss>& candidates);

 private:
  /// What has happened to a loss.
  enum class Change : std::uint8_t { none, risen, any };

  /// A word that was placed.
  struct Recent {
    Slot slot = kNoSlot;
    std::vector<Slot> neighbours;
  };

  const Recent& recent(std::uint32_t number) const { return recent_[number % recent_.size()]; }
  void mark(const NewWord& word, std::uint32_t seen, std::uint32_t now);

  std::array<Recent, LookaheadScorers<Cell>::kMaxAhead> recent_;  ///< by number: no report is older
  std::uint32_t first_known_ = 0;           ///< reports from before this word are worthless
  std::vector<std::uint8_t> is_neighbour_;  ///< by lane: of the word to update
  std::vector<Change> changes_;             ///< by lane: since that word was scored
};

extern template class RecentChanges<std::uint32_t>;
extern template class RecentChanges<std::uint64_t>;

}  // namespace firth::brown
