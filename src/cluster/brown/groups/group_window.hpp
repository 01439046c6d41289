// The window of the variant ALLSAME: some hundred citizens, whose rows of counts are dense, and perhaps a
// hundred thousand immigrants, single words with a short list of neighbours each (README.md, section 4).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cluster/brown/kernel.hpp"
#include "cluster/brown/window/engine.hpp"
#include "cluster/brown/window/neighbours.hpp"
#include "cluster/brown/window/window.hpp"

namespace firth::brown {

/// Number of a citizen's row.
using Row = std::uint32_t;
inline constexpr Row kNoRow = static_cast<Row>(-1);

/// Every cluster has a lane (Slot); citizens have a row, too.
template <class Cell>
class GroupWindow {
 public:
  struct Marginal {
    Count count = 0;    ///< M, in the whole text
    Count degree = 0;   ///< S, inside the window
    double ln = 0;      ///< ln M
    Score weighed = 0;  ///< S ln M
  };
  struct Sides {
    Marginal left, right;
  };

  GroupWindow(const EngineInput& input, std::size_t citizens, std::size_t clusters);

  /// Bytes that the constructor will ask for.
  static std::uint64_t bytes(std::size_t citizens, std::size_t clusters, std::size_t words);

  std::size_t lanes() const noexcept { return lanes_; }    ///< in use or free, padded
  std::size_t stride() const noexcept { return stride_; }  ///< lanes at most
  std::size_t live() const noexcept { return live_; }
  std::size_t rows() const noexcept { return lane_of_.size(); }  ///< in use or free
  bool is_live(Slot lane) const { return clusters_[lane].node != kNoNode; }
  bool is_immigrant(Slot lane) const { return is_live(lane) && row_of(lane) == kNoRow; }
  Row row_of(Slot lane) const { return clusters_[lane].row; }
  Slot lane_of(Row row) const { return lane_of_[row]; }  ///< kNoSlot for a free row
  std::uint32_t node(Slot lane) const { return clusters_[lane].node; }
  std::uint32_t rank(Slot lane) const { return clusters_[lane].rank; }
  Slot slot_of(WordId word) const { return slot_of_[word]; }
  WordId last_word() const noexcept { return last_word_; }  ///< no word above it is inside
  std::span<const WordId> words(Slot lane) const { return clusters_[lane].words; }
  Score objective() const noexcept { return objective_; }
  Count inside() const noexcept { return inside_; }
  const Measure& measure() const noexcept { return input_.measure; }

  /// Counts with a citizen by lane: N(citizen, lane) and N(lane, citizen).
  const Cell* after(Row row) const { return after_.data() + row * stride_; }
  const Cell* before(Row row) const { return before_.data() + row * stride_; }
  const std::uint64_t* after_bits(Row row) const { return after_bits_.data() + row * (stride_ / 64); }
  const std::uint64_t* before_bits(Row row) const { return before_bits_.data() + row * (stride_ / 64); }
  /// An immigrant's neighbours.
  std::span<const Neighbour> meetings(Slot immigrant) const { return clusters_[immigrant].meetings; }

  /// A word becomes an immigrant.
  Slot insert(WordId word);
  /// An immigrant gets a row.
  void make_citizen(Slot immigrant);

  Count self(Slot lane) const { return clusters_[lane].self; }  ///< times it follows itself
  const Sides& sides(Slot lane) const { return clusters_[lane].sides; }
  /// What marginals and degrees add to the loss of two clusters.
  Score marginal_loss(const Sides& a, const Sides& b) const;

  /// AMI losses, exact.
  Score immigrant_loss(Slot immigrant, Row row) const;
  Score citizen_loss(Row v, Row w) const;
  Score any_loss(Slot v, Slot w) const;

  /// `gone`, an immigrant or a citizen, becomes part of a citizen for `loss`.
  void merge(Row kept, Slot gone, Score loss);
  void set_node(Slot lane, std::uint32_t node) { clusters_[lane].node = node; }
  WordId head(Slot lane) const { return clusters_[lane].head; }

  /// Recomputes every sum from the cells; throws std::logic_error if one differs.
  void check() const;

 private:
  static constexpr std::uint32_t kNoNode = static_cast<std::uint32_t>(-1);

  struct Cluster {
    std::uint32_t node = kNoNode;
    std::uint32_t rank = 0;
    WordId head = 0;
    Row row = kNoRow;
    Count self = 0;
    Sides sides;
    std::vector<Neighbour> meetings;  ///< of immigrants
    std::vector<WordId> words;
  };

  void set_marginal(Marginal& marginal, Count count, Count degree) const;
  void set_cells(Row row, Slot lane, Count after, Count before);
  std::vector<Neighbour> take_row(Row row);
  void move_meeting(const Neighbour& meeting, Slot from, Slot to);

  const EngineInput& input_;
  NeighbourCounter gatherer_;
  NewWord met_;
  std::size_t stride_;
  std::size_t lanes_ = 0;
  std::size_t used_ = 0;
  std::size_t live_ = 0;
  Score objective_ = 0;
  Count inside_ = 0;
  std::vector<Cell> after_, before_;
  std::vector<std::uint64_t> after_bits_, before_bits_;
  std::vector<Cluster> clusters_;  ///< by lane
  std::vector<Slot> lane_of_;      ///< by row
  std::vector<Slot> free_lanes_;
  std::vector<Row> free_rows_;
  std::vector<Slot> slot_of_;  ///< by word: its lane
  WordId last_word_ = 0;
};

extern template class GroupWindow<std::uint32_t>;
extern template class GroupWindow<std::uint64_t>;

}  // namespace firth::brown
