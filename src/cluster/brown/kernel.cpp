#include "cluster/brown/kernel.hpp"

#include <algorithm>

#include "base/simd.hpp"

namespace firth::brown {

FIRTH_CLONES
void add_phi(std::span<Score> acc, const std::uint32_t* cells, std::uint32_t count, const Score* table) {
  const Score* const shifted = table + count;
  const Score own = table[count];
  Score* const out = acc.data();
  const std::size_t lanes = acc.size();
  for (std::size_t w = 0; w < lanes; ++w) out[w] += own + table[cells[w]] - shifted[cells[w]];
}

FIRTH_CLONES
void add_phi(std::span<Score> acc, const std::uint64_t* cells, std::uint64_t count, const Score* table) {
  const Score* const shifted = table + count;
  const Score own = table[count];
  Score* const out = acc.data();
  const std::size_t lanes = acc.size();
  for (std::size_t w = 0; w < lanes; ++w) out[w] += own + table[cells[w]] - shifted[cells[w]];
}

FIRTH_CLONES
void add_marginals(std::span<Score> acc, const MarginalLanes& lanes, double scale) {
  const double* const degree = lanes.degree;
  const double* const ln_merged = lanes.ln_merged;
  const Score* const weighed = lanes.weighed;
  const double new_degree = lanes.new_degree;
  Score* const out = acc.data();
  const std::size_t size = acc.size();
  for (std::size_t w = 0; w < size; ++w)
    out[w] += static_cast<Score>((degree[w] + new_degree) * ln_merged[w] * scale) - weighed[w];
}

FIRTH_CLONES
Score smallest(std::span<const Score> values) {
  Score least = values[0];
  const std::size_t size = values.size();
  const Score* const in = values.data();
  for (std::size_t w = 0; w < size; ++w) least = in[w] < least ? in[w] : least;
  return least;
}

FIRTH_CLONES
void read_bounds(std::span<std::int32_t> row, const BoundLanes& lanes, std::uint32_t potential) {
  const std::uint32_t* const keys = lanes.keys;
  const std::uint32_t* const potentials = lanes.potentials;
  const std::int32_t* const floors = lanes.floors;
  std::int32_t* const out = row.data();
  const std::size_t size = row.size();
  for (std::size_t w = 0; w < size; ++w) {
    const auto bound = static_cast<std::int32_t>(keys[w] - potentials[w] - potential);
    out[w] = bound > floors[w] ? bound : floors[w];
  }
}

FIRTH_CLONES
std::int32_t cover(std::span<std::int32_t> covers, std::span<const std::int32_t> row) {
  const std::int32_t* const in = row.data();
  std::int32_t* const out = covers.data();
  const std::size_t size = row.size();
  std::int32_t least = INT32_MAX;
  for (std::size_t w = 0; w < size; ++w) {
    out[w] = in[w] < out[w] ? in[w] : out[w];
    least = in[w] < least ? in[w] : least;
  }
  return least;
}

FIRTH_CLONES
std::int32_t smallest(std::span<const std::int32_t> values) {
  std::int32_t least = INT32_MAX;
  const std::size_t size = values.size();
  const std::int32_t* const in = values.data();
  for (std::size_t w = 0; w < size; ++w) least = in[w] < least ? in[w] : least;
  return least;
}

}  // namespace firth::brown
