// The inner loops of Brown clustering. Lanes are slots of the window: a row of counts, of scores, of bounds
// is one contiguous array, padded so that every vector width divides it.
//
// Notation: h(x) = x ln x in fixed point; phi(a,b) = h(a) + h(b) - h(a+b) <= 0, 0 when a or b is 0.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cluster/brown/objective_terms.hpp"

namespace firth::brown {

/// Lanes come in multiples of this: one word of a bit set.
inline constexpr std::size_t kLaneBlock = 64;

/// Calls visit(lane) for every bit that is set in word(0), word(1) ... word(words - 1), rising.
template <class Word, class Visit>
void for_each_bit(std::size_t words, Word word, Visit visit) {
  for (std::size_t i = 0; i < words; ++i)
    for (std::uint64_t rest = word(i); rest != 0; rest &= rest - 1)
      visit(static_cast<std::uint32_t>(i * 64 + static_cast<std::size_t>(std::countr_zero(rest))));
}

/// The same for one bit set.
template <class Visit>
void for_each_bit(std::size_t words, const std::uint64_t* bits, Visit visit) {
  for_each_bit(
      words, [bits](std::size_t i) { return bits[i]; }, visit);
}

/// acc[w] += phi(count, cells[w]) for all lanes. Every cell + count must be inside the table.
void add_phi(std::span<Score> acc, const std::uint32_t* cells, std::uint32_t count, const Score* table);
void add_phi(std::span<Score> acc, const std::uint64_t* cells, std::uint64_t count, const Score* table);

/// What the kernel needs to know of the marginals to finish a row of losses.
template <class Degree>
struct MarginalLanes {
  const Degree* degree;     ///< S of each lane
  const double* ln_merged;  ///< ln of each lane's marginal plus that of the new word
  const Score* weighed;     ///< S ln M of each lane
  Degree new_degree;        ///< S of the new word
};

/// acc[w] += (S_w + S_u) ln(M_w + M_u) - S_w ln M_w, the middle term cut to an integer.
void add_marginals(std::span<Score> acc, const MarginalLanes<double>& lanes, double scale);
void add_marginals(std::span<Score> acc, const MarginalLanes<Count>& lanes, double scale);

/// A row of counts and what each count weighs.
template <class Cell>
struct WeighedRow {
  const Cell* cells;
  double weight;
};

/// out[w] = a.cells[w] * a.weight + b.cells[w] * b.weight, each product cut to an integer; where the sum is
/// not 0, plus `slack`.
void weigh_cells(std::span<Score> out, WeighedRow<std::uint32_t> a, WeighedRow<std::uint32_t> b, Score slack);
void weigh_cells(std::span<Score> out, WeighedRow<std::uint64_t> a, WeighedRow<std::uint64_t> b, Score slack);

/// The largest cells[w] * inverse[w].
double largest_rate(const std::uint32_t* cells, const double* inverse, std::size_t lanes);
double largest_rate(const std::uint64_t* cells, const double* inverse, std::size_t lanes);

/// The smallest and the largest value.
Score smallest(std::span<const Score> values);
Score largest(std::span<const Score> values);

/// Potentials of all rows, exact and in units, and the rows' covers.
struct PotentialLanes {
  Score* exact;
  std::uint32_t* units;
  std::int32_t* covers;
};

/// Where drops[w] > 0: adds it to the exact potential, rounds that up to units of 2^shift, and takes twice
/// the growth off the cover, which does not fall below `least`. The largest of all potentials is returned.
std::uint32_t lower_covers(std::span<const Score> drops, const PotentialLanes& lanes, int shift,
                           std::int32_t least);

/// One row of the bound matrix and what it takes to read it.
struct BoundLanes {
  const std::uint32_t* keys;
  const std::uint32_t* potentials;
  const std::int32_t* floors;
};

/// row[w] = max(keys[w] - potentials[w] - potential, floors[w]), the difference in wrapping arithmetic.
void read_bounds(std::span<std::int32_t> row, const BoundLanes& lanes, std::uint32_t potential);

/// Appends the lanes whose value is at most `limit`, rising. Lanes come in blocks of kLaneBlock.
void collect(std::span<const std::int32_t> values, std::int32_t limit, std::vector<std::uint32_t>& lanes);
void collect(std::span<const Score> values, Score limit, std::vector<std::uint32_t>& lanes);

/// values[w] += by[kinds[w]] for all lanes.
void add_by_kind(std::span<Score> values, const std::uint8_t* kinds, const Score* by);

/// Limits of lanes, and whom they belong to.
struct OwnedLanes {
  const Score* limits;
  const std::uint32_t* owners;
};

/// Appends the lanes whose value minus `fall` is at most their limit, or whose owner is `owner`, rising.
void collect_changed(std::span<const Score> values, Score fall, const OwnedLanes& known, std::uint32_t owner,
                     std::vector<std::uint32_t>& lanes);

/// A row of counts with the bit set of its non-zeros.
template <class Cell>
struct BitRow {
  const Cell* cells;
  const std::uint64_t* bits;
};

/// Sum of phi(a[w], b[w]) over the lanes where both are set; `words` = lanes / 64. `inside`: every sum of two
/// cells is inside the table of h.
Score shared_phi(BitRow<std::uint32_t> a, BitRow<std::uint32_t> b, std::size_t words,
                 const ObjectiveTerms& terms, bool inside);
Score shared_phi(BitRow<std::uint64_t> a, BitRow<std::uint64_t> b, std::size_t words,
                 const ObjectiveTerms& terms, bool inside);

/// covers[w] = min(covers[w], row[w]); the smallest of row is returned.
std::int32_t cover(std::span<std::int32_t> covers, std::span<const std::int32_t> row);

/// The smallest value of an array.
std::int32_t smallest(std::span<const std::int32_t> values);

}  // namespace firth::brown
