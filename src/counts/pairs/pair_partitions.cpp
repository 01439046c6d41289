#include "counts/pairs/pair_partitions.hpp"

#include <algorithm>
#include <numeric>

#include "base/parallel.hpp"

namespace firth::counts {

namespace {

// Fewer pairs than this are not worth waking a thread for.
constexpr std::uint64_t kPairsPerGroup = std::uint64_t{1} << 16;

std::size_t group_count(const std::vector<std::unique_ptr<PairSource>>& sources, unsigned threads) {
  std::uint64_t most = 0;
  for (const auto& source : sources) most += source->max_pairs();
  return std::clamp<std::uint64_t>(most / kPairsPerGroup, 1, base::resolve_threads(threads));
}

}  // namespace

PairPartitions::PairPartitions(std::size_t words, const std::vector<std::unique_ptr<PairSource>>& sources,
                               const RunOptions& run)
    : words_(words), group_cells_(group_count(sources, run.threads)) {
  while (words > kSingleRows && ((words - kSingleRows) >> shift_) >= kMaxCells - kSingleRows) ++shift_;
  const std::size_t cells = words == 0 ? 0 : cell_of(static_cast<WordId>(words - 1)) + 1;
  base::parallel_for(groups(), 1, run.threads, [&](std::size_t group, std::size_t) {
    std::vector<std::uint64_t>& count = group_cells_[group];
    count.assign(cells, 0);
    for (std::size_t i = group; i < sources.size(); i += groups()) {
      run.check_stop();
      sources[i]->for_each([&](std::span<const PairCount> pairs) {
        for (const PairCount& pair : pairs) ++count[cell_of(pair.left)];
      });
    }
  });
  for (const auto& count : group_cells_) pairs_ = std::accumulate(count.begin(), count.end(), pairs_);
}

void PairPartitions::cut(std::uint64_t pairs_per_part) {
  const std::size_t cells = group_cells_.front().size();
  cell_part_.resize(cells);
  first_row_.clear();
  std::uint64_t in_part = pairs_per_part;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    std::uint64_t in_cell = 0;
    for (const auto& count : group_cells_) in_cell += count[cell];
    if (first_row_.empty() || (in_part > 0 && in_part + in_cell > pairs_per_part)) {
      first_row_.push_back(first_row_of_cell(cell));
      in_part = 0;
    }
    in_part += in_cell;
    cell_part_[cell] = static_cast<std::uint32_t>(first_row_.size() - 1);
  }
  first_row_.push_back(words_);
  sizes_.assign(groups() * parts(), 0);
  for (std::size_t group = 0; group < groups(); ++group) {
    for (std::size_t cell = 0; cell < cells; ++cell) {
      sizes_[group * parts() + cell_part_[cell]] += group_cells_[group][cell];
    }
  }
}

std::uint64_t PairPartitions::size(std::size_t part) const noexcept {
  std::uint64_t sum = 0;
  for (std::size_t group = 0; group < groups(); ++group) sum += size(group, part);
  return sum;
}

}  // namespace firth::counts
