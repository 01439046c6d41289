// Row sums (or column sums) of the window with the marginals of the whole text, by slot.
#pragma once

#include <span>
#include <type_traits>
#include <vector>

#include "cluster/brown/objective_terms.hpp"
#include "cluster/brown/window/square_counts.hpp"

namespace firth::brown {

/// Sums of cells are exact in this type. As doubles, those of 32-bit cells need no conversion in hot loops.
template <class Cell>
using Degree = std::conditional_t<sizeof(Cell) == 4, double, Count>;

template <class Cell>
struct Side {
  std::vector<Degree<Cell>> degree;  ///< S, inside the window
  std::vector<Count> marginal;       ///< M, in the whole text
  std::vector<double> ln_marginal;   ///< ln M
  std::vector<double> inverse;       ///< 1 / M, 0 where M is 0
  std::vector<Score> weighed;        ///< S ln M

  explicit Side(std::size_t slots)
      : degree(slots), marginal(slots), ln_marginal(slots), inverse(slots), weighed(slots) {}

  static constexpr std::uint64_t kBytesPerSlot = 40;

  /// S ln M if `more` is added to S.
  Score weigh_with(Slot slot, Count more, const ObjectiveTerms& terms) const {
    return terms.weigh(static_cast<double>(degree[slot] + static_cast<Degree<Cell>>(more)),
                       ln_marginal[slot]);
  }

  /// What S and M of two clusters add to the loss of their merge.
  Score loss(Slot v, Slot w, const ObjectiveTerms& terms) const {
    return terms.weigh(static_cast<double>(degree[v] + degree[w]),
                       ObjectiveTerms::ln(marginal[v] + marginal[w])) -
           weighed[v] - weighed[w];
  }

  void set(Slot slot, Degree<Cell> new_degree, Count new_marginal, const ObjectiveTerms& terms) {
    degree[slot] = new_degree;
    marginal[slot] = new_marginal;
    ln_marginal[slot] = ObjectiveTerms::ln(new_marginal);
    inverse[slot] = new_marginal == 0 ? 0.0 : 1.0 / static_cast<double>(new_marginal);
    weighed[slot] = terms.weigh(static_cast<double>(new_degree), ln_marginal[slot]);
  }

  /// Adds to S and M.
  void add(Slot slot, Degree<Cell> more_degree, Count more_marginal, const ObjectiveTerms& terms) {
    set(slot, degree[slot] + more_degree, marginal[slot] + more_marginal, terms);
  }

  /// Adds to S only.
  void add_degree(Slot slot, Count more, const ObjectiveTerms& terms) {
    degree[slot] += static_cast<Degree<Cell>>(more);
    weighed[slot] = terms.weigh(static_cast<double>(degree[slot]), ln_marginal[slot]);
  }

  void merge(Slot kept, Slot gone, const ObjectiveTerms& terms) {
    add(kept, degree[gone], marginal[gone], terms);
    set(gone, 0, 0, terms);
  }

  /// The degree will be written soon.
  void prefetch(Slot slot) const {
    __builtin_prefetch(&degree[slot], 1);
    __builtin_prefetch(&weighed[slot], 1);
  }

  /// The slots `kept`, rising, move to the front.
  void compact(std::span<const Slot> kept) {
    move_to_front(degree, kept);
    move_to_front(marginal, kept);
    move_to_front(ln_marginal, kept);
    move_to_front(inverse, kept);
    move_to_front(weighed, kept);
  }
};

/// Both sides of a window.
template <class Cell>
struct Sides {
  Side<Cell> left;   ///< row sums, left marginals
  Side<Cell> right;  ///< column sums, right marginals

  explicit Sides(std::size_t slots) : left(slots), right(slots) {}
};

/// Upper bounds of the rates N(w, slot) / Ml(w) and N(slot, w) / Mr(w) over all w.
template <class Cell>
class RateBounds {
 public:
  explicit RateBounds(std::size_t slots) : before_(slots), after_(slots), age_(slots) {}

  static constexpr std::uint64_t kBytesPerSlot = 20;

  double before(Slot slot) const { return before_[slot]; }
  double after(Slot slot) const { return after_[slot]; }

  /// The cell (from, to) has grown.
  void raise(Slot from, Slot to, const SquareCounts<Cell>& cells, const Sides<Cell>& sides) {
    const auto cell = static_cast<double>(cells.after(from)[to]);
    before_[to] = std::max(before_[to], cell * sides.left.inverse[from]);
    after_[from] = std::max(after_[from], cell * sides.right.inverse[to]);
  }

  /// Rates fall as marginals grow: they must be renewed now and then.
  bool is_old(Slot slot) { return ++age_[slot] >= kMaxAge; }

  /// The rates of a slot as they are.
  void renew(Slot slot, const SquareCounts<Cell>& cells, const Sides<Cell>& sides, std::size_t lanes) {
    before_[slot] = largest_rate(cells.before(slot), sides.left.inverse.data(), lanes);
    after_[slot] = largest_rate(cells.after(slot), sides.right.inverse.data(), lanes);
    age_[slot] = 0;
  }

  void compact(std::span<const Slot> kept) {
    move_to_front(before_, kept);
    move_to_front(after_, kept);
    move_to_front(age_, kept);
  }

 private:
  static constexpr std::uint32_t kMaxAge = 8;

  std::vector<double> before_, after_;
  std::vector<std::uint32_t> age_;  ///< words absorbed since the rates were computed
};

}  // namespace firth::brown
