#include "cluster/points/seeds.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/parallel.hpp"
#include "base/rng.hpp"
#include "base/stage.hpp"

namespace firth::points {
namespace {

constexpr std::size_t kRowsPerPiece = 4096;

float row_distance(const float* a, const float* b, std::size_t size) {
  float lanes[8] = {};
  const std::size_t whole = size / 8 * 8;
  for (std::size_t i = 0; i < whole; i += 8)
    for (std::size_t lane = 0; lane < 8; ++lane) {
      const float difference = a[i + lane] - b[i + lane];
      lanes[lane] += difference * difference;
    }
  for (std::size_t i = whole; i < size; ++i) lanes[0] += (a[i] - b[i]) * (a[i] - b[i]);
  return std::accumulate(std::begin(lanes), std::end(lanes), 0.0F);
}

/// Squared distances to the nearest seed; those of seeds themselves are 0.
class SeedDistances {
 public:
  SeedDistances(linalg::View<const float> rows, const RunOptions& run)
      : rows_(rows), run_(run), nearest_(rows.rows, std::numeric_limits<float>::max()) {}

  void add_seed(std::uint32_t seed) {
    base::parallel_for(rows_.rows, kRowsPerPiece, run_.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const float distance = row_distance(rows_.row(i), rows_.row(seed), rows_.columns);
        nearest_[i] = std::min(nearest_[i], distance);
      }
    });
    nearest_[seed] = 0;
  }

  /// A row in proportion to its distance; rows.rows if all distances are 0.
  [[nodiscard]] std::size_t draw(base::Rng& rng) const {
    double total = 0;
    for (const float distance : nearest_) total += static_cast<double>(distance);
    double left = rng.uniform() * total;
    std::size_t chosen = rows_.rows;
    for (std::size_t i = 0; i < rows_.rows; ++i) {
      if (!(nearest_[i] > 0)) continue;
      chosen = i;
      left -= static_cast<double>(nearest_[i]);
      if (left < 0) break;
    }
    return chosen;
  }

 private:
  linalg::View<const float> rows_;
  const RunOptions& run_;
  std::vector<float> nearest_;
};

std::vector<std::uint32_t> in_order(std::size_t count) {
  std::vector<std::uint32_t> seeds(count);
  std::iota(seeds.begin(), seeds.end(), 0u);
  return seeds;
}

std::vector<std::uint32_t> at_random(std::size_t rows, std::size_t count, std::uint64_t seed) {
  base::Rng rng(seed);
  std::vector<std::uint32_t> all = in_order(rows);
  for (std::size_t i = 0; i < count; ++i) std::swap(all[i], all[i + rng.below(rows - i)]);
  all.resize(count);
  return all;
}

std::vector<std::uint32_t> spread_out(linalg::View<const float> rows, std::size_t count,
                                      const RunOptions& run) {
  base::Rng rng(run.seed);
  base::Stage stage(run, "choosing starts", "classes", count);
  SeedDistances distances(rows, run);
  std::vector<std::uint32_t> seeds;
  std::vector<char> taken(rows.rows, 0);
  std::size_t next = rng.below(rows.rows);
  while (seeds.size() < count) {
    run.check_stop();
    if (next == rows.rows)
      next = static_cast<std::size_t>(std::find(taken.begin(), taken.end(), 0) - taken.begin());
    seeds.push_back(static_cast<std::uint32_t>(next));
    taken[next] = 1;
    distances.add_seed(seeds.back());
    next = distances.draw(rng);
    stage.advance(seeds.size());
  }
  return seeds;
}

}  // namespace

std::vector<std::uint32_t> choose_seeds(linalg::View<const float> rows, std::size_t count, KmeansStart start,
                                        const RunOptions& run) {
  switch (start) {
    case KmeansStart::frequent:
      return in_order(count);
    case KmeansStart::random:
      return at_random(rows.rows, count, run.seed);
    case KmeansStart::ward:  // has no rows to start at
    case KmeansStart::spread:
      break;
  }
  return spread_out(rows, count, run);
}

}  // namespace firth::points
