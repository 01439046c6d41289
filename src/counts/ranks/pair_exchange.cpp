#include "counts/ranks/pair_exchange.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/message.hpp"
#include "base/rank_error.hpp"
#include "base/temp_file.hpp"
#include "counts/ranks/matrix_gather.hpp"
#include "counts/ranks/packed_pairs.hpp"

namespace firth::counts {
namespace {

using Sources = std::vector<std::unique_ptr<PairSource>>;

bool has_words(const PairCount& pair) {
  return pair.left != kNoWord && pair.right != kNoWord;
}

/// Ranges of left words, one for each rank, with about the same number of pairs. Frequent words are handled one
/// by one, the others in groups.
class RowRanges {
 public:
  RowRanges(std::size_t words, const Sources& sources, const base::Ranks& ranks) {
    while (words > kSingleRows && ((words - kSingleRows) >> shift_) >= kMaxCells - kSingleRows) ++shift_;
    std::vector<std::uint64_t> pairs = sample(sources);
    ranks.add(pairs);
    const std::uint64_t all = std::accumulate(pairs.begin(), pairs.end(), std::uint64_t{0});
    std::uint64_t before = 0;
    std::uint32_t rank = 0;
    for (std::size_t cell = 0; cell < kMaxCells; ++cell) {
      while (rank + 1 < ranks.size() && before * ranks.size() >= all * (rank + 1)) ++rank;
      rank_of_cell_.push_back(rank);
      before += pairs[cell];
    }
  }

  unsigned rank_of(WordId left) const { return rank_of_cell_[cell_of(left)]; }

 private:
  static constexpr std::size_t kSingleRows = std::size_t{1} << 14;
  static constexpr std::size_t kMaxCells = std::size_t{1} << 15;
  static constexpr std::size_t kSampledSources = 8;

  std::size_t cell_of(WordId left) const {
    return left < kSingleRows ? left : kSingleRows + ((left - kSingleRows) >> shift_);
  }

  /// About how many pairs each cell has here. Sources are stretches of hash tables, so a few of them are like all.
  std::vector<std::uint64_t> sample(const Sources& sources) const {
    std::vector<std::uint64_t> pairs(kMaxCells, 0);
    const std::size_t step = sources.size() / kSampledSources + 1;
    for (std::size_t i = 0; i < sources.size(); i += step) {
      sources[i]->for_each([&](std::span<const PairCount> batch) {
        for (const PairCount& pair : batch) {
          if (has_words(pair)) pairs[cell_of(pair.left)] += step;
        }
      });
    }
    return pairs;
  }

  unsigned shift_ = 0;
  std::vector<std::uint32_t> rank_of_cell_;
};

/// Pairs that have arrived, in memory or in a file without a name.
std::unique_ptr<PairSource> keep(std::vector<std::byte> message, const BuildOptions& options) {
  if (options.max_bytes > 0 && !message.empty()) {
    base::TempFile file(options.temp_folder);
    file.write_at(0, message);
    std::shared_ptr<const void> mapped = file.map(message.size());
    const std::span bytes(static_cast<const std::byte*>(mapped.get()), message.size());
    return std::make_unique<PackedPairs>(bytes, std::move(mapped));
  }
  auto stored = std::make_shared<const std::vector<std::byte>>(std::move(message));
  const std::span<const std::byte> bytes(*stored);
  return std::make_unique<PackedPairs>(bytes, std::move(stored));
}

/// Sends every pair to the rank of its row, in rounds; every message becomes a source.
Sources deal_pairs(const Sources& sources, const RowRanges& rows, const JoinOptions& options,
                   const base::Ranks& ranks, const RunOptions& run) {
  Sources received;
  std::size_t next = 0;
  bool more = true;
  while (more) {
    std::vector<PairPacker> packers(ranks.size());
    std::uint64_t filled = 0;
    base::together(ranks, [&] {
      for (; next < sources.size() && filled < options.bytes_per_round; ++next) {
        run.check_stop();
        sources[next]->for_each([&](std::span<const PairCount> batch) {
          for (const PairCount& pair : batch) {
            if (has_words(pair)) packers[rows.rank_of(pair.left)].add(pair);
          }
          filled += batch.size() * PairPacker::kMinBytes;
        });
      }
    });
    base::RankMessages to;
    for (PairPacker& packer : packers) to.push_back(packer.take());
    base::RankMessages from = ranks.world().exchange(to);
    base::together(ranks, [&] {
      for (std::vector<std::byte>& message : from)
        received.push_back(keep(std::move(message), options.build));
    });
    more = ranks.any(next < sources.size() ? 1 : 0) != 0;
  }
  return received;
}

}  // namespace

PairCounts join_pairs(const Sources& sources, const JoinOptions& options, const base::Ranks& ranks,
                      const RunOptions& run) {
  const RowRanges rows(options.words, sources, ranks);
  const Sources received = deal_pairs(sources, rows, options, ranks, run);
  PairCounts own;
  base::together(ranks, [&] { own = build_pairs(options.words, received, options.build, run); });
  return gather_rows(own, options.build, options.bytes_per_round, ranks);
}

}  // namespace firth::counts
