#include "cluster/brown/kernel.hpp"

#include <algorithm>
#include <bit>

#include "base/simd.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define FIRTH_BROWN_AVX512 1
#endif

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

namespace {

template <class Degree>
inline __attribute__((always_inline)) void add_marginal_lanes(std::span<Score> acc,
                                                              const MarginalLanes<Degree>& lanes,
                                                              double scale) {
  const Degree* const degree = lanes.degree;
  const double* const ln_merged = lanes.ln_merged;
  const Score* const weighed = lanes.weighed;
  const Degree new_degree = lanes.new_degree;
  Score* const out = acc.data();
  const std::size_t size = acc.size();
  for (std::size_t w = 0; w < size; ++w)
    out[w] +=
        static_cast<Score>(static_cast<double>(degree[w] + new_degree) * ln_merged[w] * scale) - weighed[w];
}

template <class Cell>
inline void weigh_lanes(std::span<Score> out, WeighedRow<Cell> a, WeighedRow<Cell> b, Score slack) {
  for (std::size_t w = 0; w < out.size(); ++w) {
    const Score sum = static_cast<Score>(static_cast<double>(a.cells[w]) * a.weight) +
                      static_cast<Score>(static_cast<double>(b.cells[w]) * b.weight);
    out[w] = sum == 0 ? 0 : sum + slack;
  }
}

}  // namespace

FIRTH_CLONES
void add_marginals(std::span<Score> acc, const MarginalLanes<double>& lanes, double scale) {
  add_marginal_lanes(acc, lanes, scale);
}

FIRTH_CLONES
void add_marginals(std::span<Score> acc, const MarginalLanes<Count>& lanes, double scale) {
  add_marginal_lanes(acc, lanes, scale);
}

FIRTH_CLONES
void weigh_cells(std::span<Score> out, WeighedRow<std::uint32_t> a, WeighedRow<std::uint32_t> b,
                 Score slack) {
  weigh_lanes(out, a, b, slack);
}

FIRTH_CLONES
void weigh_cells(std::span<Score> out, WeighedRow<std::uint64_t> a, WeighedRow<std::uint64_t> b,
                 Score slack) {
  weigh_lanes(out, a, b, slack);
}

FIRTH_CLONES
double largest_rate(const std::uint32_t* cells, const double* inverse, std::size_t lanes) {
  double most[8] = {};
  for (std::size_t w = 0; w < lanes; w += 8)
    for (std::size_t i = 0; i < 8; ++i) {
      const double rate = static_cast<double>(cells[w + i]) * inverse[w + i];
      most[i] = rate > most[i] ? rate : most[i];
    }
  return *std::max_element(most, most + 8);
}

FIRTH_CLONES
double largest_rate(const std::uint64_t* cells, const double* inverse, std::size_t lanes) {
  double most = 0;
  for (std::size_t w = 0; w < lanes; ++w) {
    const double rate = static_cast<double>(cells[w]) * inverse[w];
    most = rate > most ? rate : most;
  }
  return most;
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
Score largest(std::span<const Score> values) {
  Score most = values[0];
  const std::size_t size = values.size();
  const Score* const in = values.data();
  for (std::size_t w = 0; w < size; ++w) most = in[w] > most ? in[w] : most;
  return most;
}

FIRTH_CLONES
std::uint32_t lower_covers(std::span<const Score> drops, const PotentialLanes& lanes, int shift,
                           std::int32_t least) {
  const Score* const in = drops.data();
  Score* const exact = lanes.exact;
  std::uint32_t* const units = lanes.units;
  std::int32_t* const covers = lanes.covers;
  const std::size_t size = drops.size();
  std::uint32_t most = 0;
  for (std::size_t w = 0; w < size; ++w) {
    exact[w] += in[w];
    const auto rounded = static_cast<std::uint32_t>((exact[w] >> shift) + 1);
    const std::uint32_t now = in[w] > 0 ? rounded : units[w];
    const std::int32_t cover = covers[w] - 2 * static_cast<std::int32_t>(now - units[w]);
    units[w] = now;
    covers[w] = cover > least ? cover : least;
    most = now > most ? now : most;
  }
  return most;
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

namespace {

// Few lanes pass: look at whole blocks first.
template <class Value>
inline __attribute__((always_inline)) void collect_blocks(std::span<const Value> values, Value limit,
                                                          std::vector<std::uint32_t>& lanes) {
  const Value* const in = values.data();
  for (std::size_t block = 0; block < values.size(); block += kLaneBlock) {
    Value least = in[block];
    for (std::size_t w = block; w < block + kLaneBlock; ++w) least = in[w] < least ? in[w] : least;
    if (least > limit) continue;
    for (std::size_t w = block; w < block + kLaneBlock; ++w)
      if (in[w] <= limit) lanes.push_back(static_cast<std::uint32_t>(w));
  }
}

}  // namespace

FIRTH_CLONES
void collect(std::span<const std::int32_t> values, std::int32_t limit, std::vector<std::uint32_t>& lanes) {
  collect_blocks(values, limit, lanes);
}

FIRTH_CLONES
void collect(std::span<const Score> values, Score limit, std::vector<std::uint32_t>& lanes) {
  collect_blocks(values, limit, lanes);
}

FIRTH_CLONES
void add_by_kind(std::span<Score> values, const std::uint8_t* kinds, const Score* by) {
  Score* const out = values.data();
  const std::size_t size = values.size();
  for (std::size_t w = 0; w < size; ++w) out[w] += by[kinds[w]];
}

FIRTH_CLONES
void collect_changed(std::span<const Score> values, Score fall, const OwnedLanes& known, std::uint32_t owner,
                     std::vector<std::uint32_t>& lanes) {
  const Score* const in = values.data();
  const Score* const limits = known.limits;
  const std::uint32_t* const owners = known.owners;
  for (std::size_t block = 0; block < values.size(); block += kLaneBlock) {
    Score any = 0;
    for (std::size_t w = block; w < block + kLaneBlock; ++w)
      any |= static_cast<Score>(in[w] - fall <= limits[w]) | static_cast<Score>(owners[w] == owner);
    if (any == 0) continue;
    for (std::size_t w = block; w < block + kLaneBlock; ++w)
      if (in[w] - fall <= limits[w] || owners[w] == owner) lanes.push_back(static_cast<std::uint32_t>(w));
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

namespace {

template <class Cell, class H>
inline __attribute__((always_inline)) Score shared_phi_plain(BitRow<Cell> a, BitRow<Cell> b,
                                                             std::size_t words, const H& h) {
  Score sum = 0;
  for (std::size_t i = 0; i < words; ++i)
    for (std::uint64_t rest = a.bits[i] & b.bits[i]; rest != 0; rest &= rest - 1) {
      const std::size_t lane = i * 64 + static_cast<std::size_t>(std::countr_zero(rest));
      const Count x = a.cells[lane];
      const Count y = b.cells[lane];
      sum += h(x) + h(y) - h(x + y);
    }
  return sum;
}

#ifdef FIRTH_BROWN_AVX512
constexpr int kFewBits = 6;  // below, one bit after the other is faster

// Where many lanes are common, their cells are first packed into two short arrays, so that the look-ups run
// without branches that depend on the data.
__attribute__((target("avx512f,avx512bw,avx512vl,popcnt,bmi"))) Score shared_phi_avx512(
    BitRow<std::uint32_t> a, BitRow<std::uint32_t> b, std::size_t words, const Score* h) {
  Score sum = 0;
  std::uint32_t x[64 + 16];
  std::uint32_t y[64 + 16];
  for (std::size_t i = 0; i < words; ++i) {
    const std::uint64_t common = a.bits[i] & b.bits[i];
    if (common == 0) continue;
    const std::uint32_t* const a_cells = a.cells + i * 64;
    const std::uint32_t* const b_cells = b.cells + i * 64;
    if (__builtin_popcountll(common) < kFewBits) {
      for (std::uint64_t rest = common; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::size_t>(__builtin_ctzll(rest));
        const Count p = a_cells[lane];
        const Count q = b_cells[lane];
        sum += h[p] + h[q] - h[p + q];
      }
      continue;
    }
    std::size_t size = 0;
    for (std::size_t part = 0; part < 64; part += 16) {
      const auto mask = static_cast<__mmask16>(common >> part);
      _mm512_storeu_si512(x + size, _mm512_maskz_compress_epi32(mask, _mm512_loadu_si512(a_cells + part)));
      _mm512_storeu_si512(y + size, _mm512_maskz_compress_epi32(mask, _mm512_loadu_si512(b_cells + part)));
      size += static_cast<std::size_t>(__builtin_popcount(mask));
    }
    for (std::size_t j = 0; j < size; ++j) {
      const Count p = x[j];
      const Count q = y[j];
      sum += h[p] + h[q] - h[p + q];
    }
  }
  return sum;
}
#endif

}  // namespace

Score shared_phi(BitRow<std::uint32_t> a, BitRow<std::uint32_t> b, std::size_t words,
                 const ObjectiveTerms& terms, bool inside) {
  const Score* const table = terms.table().data();
  if (!inside) return shared_phi_plain(a, b, words, [&](Count x) { return terms.h(x); });
#ifdef FIRTH_BROWN_AVX512
  static const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                             __builtin_cpu_supports("avx512vl");
  if (avx512) return shared_phi_avx512(a, b, words, table);
#endif
  return shared_phi_plain(a, b, words, [table](Count x) { return table[x]; });
}

Score shared_phi(BitRow<std::uint64_t> a, BitRow<std::uint64_t> b, std::size_t words,
                 const ObjectiveTerms& terms, bool inside) {
  const Score* const table = terms.table().data();
  if (inside) return shared_phi_plain(a, b, words, [table](Count x) { return table[x]; });
  return shared_phi_plain(a, b, words, [&](Count x) { return terms.h(x); });
}

}  // namespace firth::brown
