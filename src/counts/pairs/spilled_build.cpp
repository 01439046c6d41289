#include "counts/pairs/spilled_build.hpp"

#include <algorithm>
#include <atomic>
#include <span>
#include <utility>

#include "base/parallel.hpp"
#include "base/temp_file.hpp"
#include "counts/pairs/sort_pairs.hpp"

namespace firth::counts {
namespace {

constexpr std::size_t kBufferPairs = 256;
constexpr std::uint64_t kMaxSpilledParts = 1024;
constexpr std::uint64_t kMinPairsPerPart = 1024;

using Sources = std::vector<std::unique_ptr<PairSource>>;

// A stretch of the scratch file that belongs to one part.
struct Extent {
  std::uint64_t first_pair;
  std::size_t pairs;
};

// The arrays of the matrix, written one after the other.
struct MatrixFiles {
  explicit MatrixFiles(const std::string& folder) : rights(folder), counts(folder) {}

  void append(std::span<const PairCount> pairs) {
    std::vector<WordId> right_words(pairs.size());
    std::vector<Count> pair_counts(pairs.size());
    std::transform(pairs.begin(), pairs.end(), right_words.begin(),
                   [](const PairCount& p) { return p.right; });
    std::transform(pairs.begin(), pairs.end(), pair_counts.begin(),
                   [](const PairCount& p) { return p.count; });
    rights.write_at(size * sizeof(WordId), std::as_bytes(std::span(right_words)));
    counts.write_at(size * sizeof(Count), std::as_bytes(std::span(pair_counts)));
    size += pairs.size();
  }

  base::TempFile rights;
  base::TempFile counts;
  std::uint64_t size = 0;
};

// What keeps the finished matrix alive.
struct MappedMatrix {
  std::vector<std::uint64_t> offsets;
  std::shared_ptr<const void> rights;
  std::shared_ptr<const void> counts;
};

class SpilledBuild {
 public:
  SpilledBuild(std::size_t words, const Sources& sources, PairPartitions& partitions,
               const BuildOptions& options, const RunOptions& run)
      : words_(words),
        sources_(sources),
        partitions_(partitions),
        run_(run),
        wave_(base::resolve_threads(run.threads)),
        scratch_(options.temp_folder),
        output_(options.temp_folder) {
    // A wave of parts is in memory at once, each with a copy on its way to the output.
    const std::uint64_t share = options.max_bytes / (2 * sizeof(PairCount) * wave_);
    partitions_.cut(std::max({share, partitions_.pairs() / kMaxSpilledParts, kMinPairsPerPart}));
  }

  PairCounts run() {
    distribute();
    const auto matrix = std::make_shared<MappedMatrix>();
    matrix->offsets.assign(words_ + 1, 0);
    for (std::size_t part = 0; part < partitions_.parts(); part += wave_) build_wave(part, matrix->offsets);
    matrix->offsets[words_] = output_.size;
    matrix->rights = output_.rights.map(output_.size * sizeof(WordId));
    matrix->counts = output_.counts.map(output_.size * sizeof(Count));
    return {matrix->offsets,
            {static_cast<const WordId*>(matrix->rights.get()), output_.size},
            {static_cast<const Count*>(matrix->counts.get()), output_.size},
            matrix};
  }

 private:
  using Extents = std::vector<std::vector<Extent>>;  // by part

  void distribute() {
    extents_.assign(partitions_.groups(), Extents(partitions_.parts()));
    base::parallel_for(partitions_.groups(), 1, run_.threads, [&](std::size_t group, std::size_t) {
      std::vector<std::vector<PairCount>> buffers(partitions_.parts());
      for (std::size_t i = group; i < sources_.size(); i += partitions_.groups()) {
        run_.check_stop();
        sources_[i]->for_each([&](std::span<const PairCount> batch) {
          for (const PairCount& pair : batch) {
            const std::size_t part = partitions_.part_for(pair.left);
            buffers[part].push_back(pair);
            if (buffers[part].size() == kBufferPairs) flush(buffers[part], extents_[group][part]);
          }
        });
      }
      for (std::size_t part = 0; part < buffers.size(); ++part) flush(buffers[part], extents_[group][part]);
    });
  }

  void flush(std::vector<PairCount>& buffer, std::vector<Extent>& extents) {
    if (buffer.empty()) return;
    const std::uint64_t first = scratch_pairs_.fetch_add(buffer.size());
    scratch_.write_at(first * sizeof(PairCount), std::as_bytes(std::span(buffer)));
    extents.push_back({first, buffer.size()});
    buffer.clear();
  }

  void build_wave(std::size_t first_part, std::vector<std::uint64_t>& offsets) {
    const std::size_t parts = std::min(wave_, partitions_.parts() - first_part);
    std::vector<std::vector<PairCount>> built(parts);
    base::parallel_for(parts, 1, run_.threads, [&](std::size_t i, std::size_t) {
      run_.check_stop();
      built[i] = build_part(first_part + i);
    });
    for (std::size_t i = 0; i < parts; ++i) {
      std::size_t row = partitions_.first_row(first_part + i);
      std::uint64_t at = output_.size;
      for (const PairCount& pair : built[i]) {
        for (; row <= pair.left; ++row) offsets[row] = at;
        ++at;
      }
      for (; row < partitions_.first_row(first_part + i + 1); ++row) offsets[row] = at;
      output_.append(built[i]);
    }
  }

  std::vector<PairCount> build_part(std::size_t part) const {
    std::vector<PairCount> pairs(partitions_.size(part));
    std::size_t filled = 0;
    for (const Extents& extents : extents_) {
      for (const Extent& extent : extents[part]) {
        const auto place = std::span(pairs).subspan(filled, extent.pairs);
        scratch_.read_at(extent.first_pair * sizeof(PairCount), std::as_writable_bytes(place));
        filled += extent.pairs;
      }
    }
    pairs.resize(sort_and_add(pairs, {partitions_.first_row(part), partitions_.first_row(part + 1), words_}));
    return pairs;
  }

  std::size_t words_;
  const Sources& sources_;
  PairPartitions& partitions_;
  const RunOptions& run_;
  std::size_t wave_;
  base::TempFile scratch_;
  std::atomic<std::uint64_t> scratch_pairs_ = 0;
  MatrixFiles output_;
  std::vector<Extents> extents_;
};

}  // namespace

PairCounts build_spilled(std::size_t words, const Sources& sources, PairPartitions& partitions,
                         const BuildOptions& options, const RunOptions& run) {
  return SpilledBuild(words, sources, partitions, options, run).run();
}

}  // namespace firth::counts
