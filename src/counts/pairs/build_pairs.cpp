#include "counts/pairs/build_pairs.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "base/parallel.hpp"
#include "counts/pairs/pair_partitions.hpp"
#include "counts/pairs/sort_pairs.hpp"
#include "counts/pairs/spilled_build.hpp"

namespace firth::counts {
namespace {

constexpr std::uint64_t kPairsPerPart = std::uint64_t{1} << 14;
constexpr std::uint64_t kMaxParts = 2048;

using Sources = std::vector<std::unique_ptr<PairSource>>;

template <typename T>
struct RawArray {
  explicit RawArray(std::size_t length) : size(length), data(std::make_unique_for_overwrite<T[]>(length)) {}
  std::size_t size;
  std::unique_ptr<T[]> data;
  std::span<T> span() const { return {data.get(), size}; }
};

struct Matrix {
  Matrix(std::size_t words, std::size_t pairs) : offsets(words + 1), rights(pairs), counts(pairs) {}
  std::vector<std::uint64_t> offsets;
  RawArray<WordId> rights;
  RawArray<Count> counts;
};

// Everything in memory: distribute the pairs to their parts, sort each part, and put the parts side by side.
class MemoryBuild {
 public:
  MemoryBuild(std::size_t words, const Sources& sources, PairPartitions& partitions, const RunOptions& run)
      : words_(words), sources_(sources), partitions_(partitions), run_(run), pairs_(partitions.pairs()) {
    partitions_.cut(std::max(kPairsPerPart, partitions_.pairs() / kMaxParts));
    first_.assign(partitions_.parts() + 1, 0);
    for (std::size_t part = 0; part < partitions_.parts(); ++part)
      first_[part + 1] = first_[part] + partitions_.size(part);
  }

  PairCounts run() {
    distribute();
    sort();
    return assemble();
  }

 private:
  void distribute() {
    const std::size_t parts = partitions_.parts();
    std::vector<std::uint64_t> next(first_.begin(), first_.end() - 1);
    std::vector<std::vector<std::uint64_t>> places;
    for (std::size_t group = 0; group < partitions_.groups(); ++group) {
      places.push_back(next);
      for (std::size_t part = 0; part < parts; ++part) next[part] += partitions_.size(group, part);
    }
    base::parallel_for(partitions_.groups(), 1, run_.threads, [&](std::size_t group, std::size_t) {
      std::vector<std::uint64_t>& place = places[group];
      for (std::size_t i = group; i < sources_.size(); i += partitions_.groups()) {
        run_.check_stop();
        sources_[i]->for_each([&](std::span<const PairCount> batch) {
          for (const PairCount& pair : batch) pairs_.data[place[partitions_.part_for(pair.left)]++] = pair;
        });
      }
    });
  }

  void sort() {
    kept_.assign(partitions_.parts() + 1, 0);
    base::parallel_for(partitions_.parts(), 1, run_.threads, [&](std::size_t part, std::size_t) {
      run_.check_stop();
      const SortRange range{partitions_.first_row(part), partitions_.first_row(part + 1), words_};
      kept_[part + 1] =
          sort_and_add(pairs_.span().subspan(first_[part], first_[part + 1] - first_[part]), range);
    });
    std::partial_sum(kept_.begin(), kept_.end(), kept_.begin());
  }

  PairCounts assemble() const {
    const auto matrix = std::make_shared<Matrix>(words_, kept_.back());
    base::parallel_for(partitions_.parts(), 1, run_.threads, [&](std::size_t part, std::size_t) {
      const PairCount* from = pairs_.data.get() + first_[part];
      std::size_t row = partitions_.first_row(part);
      for (std::uint64_t i = kept_[part]; i < kept_[part + 1]; ++i, ++from) {
        for (; row <= from->left; ++row) matrix->offsets[row] = i;
        matrix->rights.data[i] = from->right;
        matrix->counts.data[i] = from->count;
      }
      for (; row < partitions_.first_row(part + 1); ++row) matrix->offsets[row] = kept_[part + 1];
    });
    matrix->offsets[words_] = kept_.back();
    return {matrix->offsets, matrix->rights.span(), matrix->counts.span(), matrix};
  }

  std::size_t words_;
  const Sources& sources_;
  PairPartitions& partitions_;
  const RunOptions& run_;
  RawArray<PairCount> pairs_;
  std::vector<std::uint64_t> first_;
  std::vector<std::uint64_t> kept_;
};

}  // namespace

PairCounts build_pairs(std::size_t words, const Sources& sources, const BuildOptions& options,
                       const RunOptions& run) {
  PairPartitions partitions(words, sources, run);
  const std::uint64_t needed = partitions.pairs() * (sizeof(PairCount) + sizeof(WordId) + sizeof(Count));
  if (options.max_bytes > 0 && needed > options.max_bytes) {
    return build_spilled(words, sources, partitions, options, run);
  }
  return MemoryBuild(words, sources, partitions, run).run();
}

}  // namespace firth::counts
