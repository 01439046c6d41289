// The window of the variant ALLSAME: some hundred citizens, whose rows of counts are dense, and perhaps a
// hundred thousand immigrants, single words with a short list of neighbours each (group_engine.hpp has the
// definitions, DECISIONS.md the reasons).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cluster/brown/count_rows.hpp"
#include "cluster/brown/engine_input.hpp"
#include "cluster/brown/window/neighbours.hpp"
#include "cluster/brown/window/slot_table.hpp"
#include "cluster/brown/window/word_slots.hpp"

namespace firth::brown {

/// Number of a citizen's row.
using Row = std::uint32_t;
inline constexpr Row kNoRow = static_cast<Row>(-1);

/// Row or column sum and marginal of one cluster.
struct Marginal {
  Count count = 0;    ///< M, in the whole text
  Count degree = 0;   ///< S, inside the window
  Score weighed = 0;  ///< S ln M
};

struct MarginalPair {
  Marginal left, right;
};

/// What marginals and degrees add to the loss of two clusters.
Score marginal_loss(const MarginalPair& a, const MarginalPair& b, const ObjectiveTerms& terms);

/// Every cluster has a lane (Slot); citizens have a row, too.
template <class Cell>
class GroupWindow {
 public:
  GroupWindow(const EngineInput& input, std::size_t citizens, std::size_t clusters);

  /// Bytes that the constructor will ask for.
  static std::uint64_t bytes(std::size_t citizens, std::size_t clusters, std::size_t words);

  std::size_t lanes() const noexcept { return slots_.lanes(); }    ///< in use or free, padded
  std::size_t stride() const noexcept { return after_.stride(); }  ///< largest number of lanes
  std::size_t rows() const noexcept { return lane_of_.size(); }    ///< in use or free
  const SlotTable& slots() const noexcept { return slots_; }
  bool is_live(Slot lane) const { return slots_.is_live(lane); }
  bool is_immigrant(Slot lane) const { return is_live(lane) && row_of(lane) == kNoRow; }
  Row row_of(Slot lane) const { return clusters_[lane].row; }
  Slot lane_of(Row row) const { return lane_of_[row]; }  ///< kNoSlot for a free row
  /// Whether the row's citizen is another cluster than that of the lane.
  bool may_merge(Row row, Slot lane) const { return lane_of_[row] != kNoSlot && lane_of_[row] != lane; }
  Slot slot_of(WordId word) const { return words_.slot_of(word); }
  WordId last_word() const noexcept { return words_.last_word(); }  ///< no word above it is inside
  std::vector<WordId> words(Slot lane) const { return words_.words(lane); }
  std::size_t word_count(Slot lane) const { return clusters_[lane].words; }
  Score objective() const noexcept { return objective_; }
  Count inside() const noexcept { return inside_; }  ///< bigrams inside the window
  const ObjectiveTerms& terms() const noexcept { return input_.terms; }

  /// Counts with a citizen by lane: N(citizen, lane) and N(lane, citizen).
  const Cell* after(Row row) const { return after_.cells(row); }
  const Cell* before(Row row) const { return before_.cells(row); }
  const std::uint64_t* after_bits(Row row) const { return after_.bits(row); }
  const std::uint64_t* before_bits(Row row) const { return before_.bits(row); }
  /// An immigrant's neighbours.
  std::span<const Neighbour> neighbours(Slot immigrant) const { return clusters_[immigrant].neighbours; }
  Count self(Slot lane) const { return clusters_[lane].self; }  ///< times it follows itself
  const MarginalPair& marginals(Slot lane) const { return clusters_[lane].marginals; }

  /// A word becomes an immigrant.
  Slot insert(WordId word);
  /// An immigrant gets a row.
  void make_citizen(Slot immigrant);

  /// AMI loss of merging a citizen with an immigrant or another citizen, exact.
  Score loss(Slot v, Slot w) const;
  Score immigrant_loss(Slot immigrant, Row row) const;

  /// `gone`, an immigrant or a citizen, becomes part of a citizen for `loss`.
  void merge(Row kept, Slot gone, Score loss);
  void set_node(Slot lane, std::uint32_t node) { slots_.set_node(lane, node); }

  /// Recomputes every sum from the cells; throws std::logic_error if one differs.
  void check() const;

 private:
  struct Cluster {
    Row row = kNoRow;
    Count self = 0;
    std::size_t words = 0;
    MarginalPair marginals;
    std::vector<Neighbour> neighbours;  ///< of immigrants
  };

  Marginal make_marginal(Count count, Count degree) const;
  void add_degrees(Cluster& cluster, Count left, Count right);
  void set_cells(Row row, Slot lane, Count after, Count before);
  Score citizen_loss(Row v, Row w) const;
  std::vector<Neighbour> take_row(Row row);
  void move_neighbour(const Neighbour& neighbour, Slot from, Slot to);

  const EngineInput& input_;
  NeighbourCounter counter_;
  NewWord new_word_;
  CountRows<Cell> after_, before_;
  SlotTable slots_;
  WordSlots words_;
  std::vector<Cluster> clusters_;  ///< by lane
  std::vector<Slot> lane_of_;      ///< by row
  std::vector<Row> free_rows_;
  Score objective_ = 0;
  Count inside_ = 0;
};

extern template class GroupWindow<std::uint32_t>;
extern template class GroupWindow<std::uint64_t>;

}  // namespace firth::brown
