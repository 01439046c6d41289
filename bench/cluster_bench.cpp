// Inner loops of Brown clustering and of exchange, by number of classes.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "base/rng.hpp"
#include "cluster/brown/kernel.hpp"
#include "cluster/exchange/kernel.hpp"

namespace firth {
namespace {

/// Many small counts, few large ones.
std::uint32_t skewed(base::Rng& rng) {
  return rng.below(2) == 0 ? 0 : static_cast<std::uint32_t>(1 / (rng.uniform() + 1e-3));
}

void add_phi(benchmark::State& bench) {
  base::Rng rng(1);
  const auto lanes = static_cast<std::size_t>(bench.range(0));
  std::vector<std::uint32_t> cells(lanes);
  for (std::uint32_t& cell : cells) cell = skewed(rng);
  const base::FixedLog log(1 << 20);
  std::vector<brown::Score> row(lanes);
  for (auto _ : bench) {
    brown::add_phi(row, cells.data(), 7, log.table().data());
    benchmark::DoNotOptimize(row.data());
  }
  bench.SetItemsProcessed(bench.iterations() * bench.range(0));
}
BENCHMARK(add_phi)->Arg(192)->Arg(1024)->Arg(3200);

/// Words that follow each other by chance; rank r has about 1 / r of them.
Counts zipf_counts(std::size_t words, std::size_t tokens) {
  base::Rng rng(2);
  std::vector<std::pair<std::string, Count>> vocabulary;
  for (std::size_t i = 0; i < words; ++i) vocabulary.emplace_back(fmt::format("w{:06}", i), words - i);
  std::vector<PairCount> pairs;
  const auto draw = [&] {
    return static_cast<WordId>(std::pow(static_cast<double>(words), rng.uniform())) - 1;
  };
  for (std::size_t i = 0; i < tokens; ++i) pairs.push_back({draw(), draw(), 1});
  return Counts(Vocabulary::from_words(std::move(vocabulary)),
                PairCounts::from_pairs(words, std::move(pairs)), {});
}

void score_classes(benchmark::State& bench) {
  constexpr std::size_t kWords = 4000;
  const Counts counts = zipf_counts(kWords, 200000);
  std::vector<exchange::UnitId> units(kWords);
  std::iota(units.begin(), units.end(), 0U);
  const exchange::Problem problem(counts.bigrams(), units, kWords);
  const exchange::Tables tables(problem.total());
  const auto classes = static_cast<ClassId>(bench.range(0));
  std::vector<ClassId> class_of(kWords);
  for (std::size_t i = 0; i < kWords; ++i) class_of[i] = static_cast<ClassId>(i % classes);
  const exchange::State state(problem, tables, classes, class_of);
  exchange::Contexts contexts;
  contexts.resize(classes);
  base::AlignedVector<float> scores;
  exchange::UnitId unit = 0;
  for (auto _ : bench) {
    state.collect(unit, contexts);
    exchange::score_classes(state, unit, contexts, scores);
    benchmark::DoNotOptimize(scores.data());
    unit = (unit + 37) % kWords;
  }
}
BENCHMARK(score_classes)->Arg(200)->Arg(1000);

void draw_class(benchmark::State& bench) {
  base::Rng rng(3);
  std::vector<float> scores(static_cast<std::size_t>(bench.range(0)));
  for (float& score : scores) score = static_cast<float>(-20 * rng.uniform());
  exchange::DrawRoom room;
  for (auto _ : bench) benchmark::DoNotOptimize(exchange::draw_class(scores, 2, rng.uniform(), room));
}
BENCHMARK(draw_class)->Arg(200)->Arg(1000);

}  // namespace
}  // namespace firth
