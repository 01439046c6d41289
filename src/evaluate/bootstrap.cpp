#include "evaluate/bootstrap.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/parallel.hpp"
#include "base/rng.hpp"
#include "evaluate/contingency.hpp"

namespace firth::evaluate {
namespace {

constexpr std::array kScores = {&TagAgreement::many_to_one, &TagAgreement::one_to_one_greedy,
                                &TagAgreement::one_to_one,  &TagAgreement::vi_bits,
                                &TagAgreement::nvi,         &TagAgreement::v_measure,
                                &TagAgreement::homogeneity, &TagAgreement::completeness,
                                &TagAgreement::prototype};

constexpr double kTail = 0.025;

TagAgreement resample(const BootstrapTable& shape, const BootstrapItems& items, base::Rng rng) {
  Contingency table(shape.classes, shape.tags);
  for (std::size_t draw = 0; draw < items.ends.size(); ++draw) {
    const std::uint64_t group = rng.below(items.ends.size());
    const std::uint64_t begin = group == 0 ? 0 : items.ends[group - 1];
    for (std::uint64_t i = begin; i < items.ends[group]; ++i) table.add(items.cells[i], 1);
  }
  return score(table, shape.prototype_tags);
}

}  // namespace

ScoreIntervals bootstrap(const BootstrapTable& table, const BootstrapItems& items, std::uint32_t resamples,
                         const RunOptions& run) {
  Contingency whole(table.classes, table.tags);
  for (const std::uint32_t cell : items.cells) whole.add(cell, 1);
  const TagAgreement sample = score(whole, table.prototype_tags);
  std::vector<TagAgreement> scores(resamples);
  base::parallel_for(resamples, 1, run.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      run.check_stop();
      scores[i] = resample(table, items, base::Rng::stream(run.seed, i));
    }
  });
  ScoreIntervals intervals;
  std::vector<double> values(resamples);
  for (const auto score_of : kScores) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = scores[i].*score_of;
    std::sort(values.begin(), values.end());
    const auto last = static_cast<double>(values.size() - 1);
    // Resampled tables have more empty cells than the sample, which bends entropies: the mean shift is the
    // estimate of that bias, and is taken out.
    const double mean =
        std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    const double shift = sample.*score_of - mean;
    intervals.low.*score_of = values[static_cast<std::size_t>(std::floor(kTail * last))] + shift;
    intervals.high.*score_of = values[static_cast<std::size_t>(std::ceil((1 - kTail) * last))] + shift;
  }
  return intervals;
}

}  // namespace firth::evaluate
