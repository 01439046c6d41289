#include "linalg/kmeans.hpp"

#include <algorithm>
#include <limits>

#include "base/parallel.hpp"
#include "base/rng.hpp"
#include "base/simd.hpp"

namespace firth::linalg {
namespace {

constexpr std::size_t kPiece = 4096;

float squared_distance(const float* a, const float* b, std::size_t size) {
  float sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

/// Centres stand by dimension, so that the distances to all of them are computed side by side.
FIRTH_CLONES_SHORT void distances(const float* row, std::size_t size, const float* centres, std::size_t count,
                                  float* out) {
  for (std::size_t k = 0; k < count; ++k) out[k] = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const float value = row[i];
    const float* at = centres + i * count;
    for (std::size_t k = 0; k < count; ++k) out[k] += (value - at[k]) * (value - at[k]);
  }
}

/// The first centre by chance, each next one far from those before: in proportion to the squared distance.
std::vector<std::size_t> choose_seeds(View<const float> rows, std::size_t wanted, std::uint64_t seed) {
  base::Rng rng(seed);
  std::vector<std::size_t> seeds = {rng.below(rows.rows)};
  std::vector<float> nearest(rows.rows, std::numeric_limits<float>::max());
  while (seeds.size() < wanted) {
    double total = 0;
    for (std::size_t i = 0; i < rows.rows; ++i) {
      nearest[i] = std::min(nearest[i], squared_distance(rows.row(i), rows.row(seeds.back()), rows.columns));
      total += static_cast<double>(nearest[i]);
    }
    if (!(total > 0)) break;
    double draw = rng.uniform() * total;
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < rows.rows; ++i) {
      if (!(nearest[i] > 0)) continue;
      chosen = i;
      draw -= static_cast<double>(nearest[i]);
      if (draw < 0) break;
    }
    seeds.push_back(chosen);
  }
  return seeds;
}

/// Assigns every row to its nearest centre; returns how many moved.
std::size_t assign(View<const float> rows, const std::vector<float>& centres, std::size_t count,
                   Kmeans& result, const RunOptions& run) {
  const std::size_t pieces = (rows.rows + kPiece - 1) / kPiece;
  std::vector<std::size_t> moved(pieces, 0);
  std::vector<double> distortion(pieces, 0.0);
  base::parallel_for(pieces, 1, run.threads, [&](std::size_t begin, std::size_t end) {
    std::vector<float> out(count);
    for (std::size_t piece = begin; piece < end; ++piece) {
      run.check_stop();
      const std::size_t last = std::min(rows.rows, (piece + 1) * kPiece);
      for (std::size_t i = piece * kPiece; i < last; ++i) {
        distances(rows.row(i), rows.columns, centres.data(), count, out.data());
        const auto best = std::min_element(out.begin(), out.end());
        const auto cluster = static_cast<std::uint32_t>(best - out.begin());
        if (result.assignment[i] != cluster) ++moved[piece];
        result.assignment[i] = cluster;
        distortion[piece] += static_cast<double>(*best);
      }
    }
  });
  result.distortion = 0;
  std::size_t total = 0;
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    total += moved[piece];
    result.distortion += distortion[piece];
  }
  return total;
}

/// Means of the clusters, by dimension; an empty cluster keeps its centre.
void update_centres(View<const float> rows, const Kmeans& result, std::size_t count,
                    std::vector<float>& centres) {
  std::vector<double> sums(count * rows.columns, 0.0);
  std::vector<double> sizes(count, 0.0);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    double* to = sums.data() + result.assignment[i] * rows.columns;
    const float* from = rows.row(i);
    for (std::size_t j = 0; j < rows.columns; ++j) to[j] += static_cast<double>(from[j]);
    sizes[result.assignment[i]] += 1;
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (sizes[k] == 0) continue;
    for (std::size_t j = 0; j < rows.columns; ++j)
      centres[j * count + k] = static_cast<float>(sums[k * rows.columns + j] / sizes[k]);
  }
}

void drop_empty(Kmeans& result, std::size_t count) {
  std::vector<std::uint32_t> number(count, std::numeric_limits<std::uint32_t>::max());
  std::vector<char> used(count, 0);
  for (const std::uint32_t cluster : result.assignment) used[cluster] = 1;
  for (std::size_t k = 0; k < count; ++k)
    if (used[k] != 0) number[k] = static_cast<std::uint32_t>(result.clusters++);
  for (std::uint32_t& cluster : result.assignment) cluster = number[cluster];
}

}  // namespace

Kmeans kmeans(View<const float> rows, const KmeansOptions& options, const RunOptions& run) {
  Kmeans result;
  if (rows.rows == 0) return result;
  const std::vector<std::size_t> seeds = choose_seeds(rows, std::min(options.clusters, rows.rows), run.seed);
  const std::size_t count = seeds.size();
  std::vector<float> centres(count * rows.columns);
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t j = 0; j < rows.columns; ++j) centres[j * count + k] = rows.row(seeds[k])[j];
  result.assignment.assign(rows.rows, std::numeric_limits<std::uint32_t>::max());
  for (std::size_t i = 0; i < std::max<std::size_t>(1, options.iterations); ++i) {
    if (assign(rows, centres, count, result, run) == 0) break;
    update_centres(rows, result, count, centres);
  }
  drop_empty(result, count);
  return result;
}

}  // namespace firth::linalg
