#include "counts/ranks/pair_exchange.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "base/temp_file.hpp"

namespace firth::counts {
namespace {

using Sources = std::vector<std::unique_ptr<PairSource>>;
using Messages = std::vector<std::vector<std::byte>>;

/// Ranges of left words, one for each rank, with about the same number of pairs. Frequent words are handled one
/// by one, the others in groups.
class RowRanges {
 public:
  RowRanges(std::size_t words, const Sources& sources, const base::Ranks& ranks) {
    while (words > kSingleRows && ((words - kSingleRows) >> shift_) >= kMaxCells - kSingleRows) ++shift_;
    std::vector<std::uint64_t> pairs(kMaxCells, 0);
    for (const auto& source : sources) {
      source->for_each([&](std::span<const PairCount> batch) {
        for (const PairCount& pair : batch) ++pairs[cell_of(pair.left)];
      });
    }
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

  std::size_t cell_of(WordId left) const {
    return left < kSingleRows ? left : kSingleRows + ((left - kSingleRows) >> shift_);
  }

  unsigned shift_ = 0;
  std::vector<std::uint32_t> rank_of_cell_;
};

std::vector<PairCount> pairs_in(const Messages& messages) {
  std::vector<PairCount> pairs;
  for (const auto& message : messages) {
    const std::size_t before = pairs.size();
    pairs.resize(before + message.size() / sizeof(PairCount));
    if (!message.empty()) std::memcpy(pairs.data() + before, message.data(), message.size());
  }
  return pairs;
}

/// Pairs in a file without a name.
class SpilledPairs final : public PairSource {
 public:
  SpilledPairs(std::span<const PairCount> pairs, const std::string& folder)
      : file_(folder), size_(pairs.size()) {
    file_.write_at(0, std::as_bytes(pairs));
  }

  void for_each(const Visit& visit) const override {
    constexpr std::uint64_t kBatch = std::uint64_t{1} << 14;
    std::vector<PairCount> batch;
    for (std::uint64_t begin = 0; begin < size_; begin += kBatch) {
      batch.resize(std::min(kBatch, size_ - begin));
      file_.read_at(begin * sizeof(PairCount), std::as_writable_bytes(std::span(batch)));
      visit(batch);
    }
  }
  std::uint64_t max_pairs() const override { return size_; }

 private:
  base::TempFile file_;
  std::uint64_t size_;
};

std::unique_ptr<PairSource> keep(std::vector<PairCount> pairs, const BuildOptions& options) {
  if (options.max_bytes > 0) return std::make_unique<SpilledPairs>(pairs, options.temp_folder);
  return std::make_unique<StoredPairs>(std::move(pairs));
}

/// Sends every pair to the rank of its row, in rounds; every round becomes a source.
Sources deal_pairs(const Sources& sources, const RowRanges& rows, const JoinOptions& options,
                   const base::Ranks& ranks) {
  Sources received;
  std::size_t next = 0;
  bool more = true;
  while (more) {
    Messages to(ranks.size());
    std::uint64_t filled = 0;
    for (; next < sources.size() && filled < options.bytes_per_round; ++next) {
      sources[next]->for_each([&](std::span<const PairCount> batch) {
        for (const PairCount& pair : batch) {
          const auto bytes = std::as_bytes(std::span(&pair, 1));
          auto& message = to[rows.rank_of(pair.left)];
          message.insert(message.end(), bytes.begin(), bytes.end());
        }
        filled += batch.size_bytes();
      });
    }
    received.push_back(keep(pairs_in(ranks.world().exchange(to)), options.build));
    more = ranks.any(next < sources.size() ? 1 : 0) != 0;
  }
  return received;
}

/// The arrays of the whole matrix, as they arrive on rank 0: in memory, or in files without a name.
class Assembly {
 public:
  Assembly(std::size_t words, const BuildOptions& options) : words_(words) {
    if (options.max_bytes == 0) return;
    right_file_ = std::make_unique<base::TempFile>(options.temp_folder);
    count_file_ = std::make_unique<base::TempFile>(options.temp_folder);
  }

  void add(std::span<const PairCount> pairs) {
    for (const PairCount& pair : pairs) {
      for (; row_ <= pair.left; ++row_) matrix_->offsets.push_back(size_ + matrix_->rights.size());
      matrix_->rights.push_back(pair.right);
      matrix_->counts.push_back(pair.count);
    }
    if (right_file_ != nullptr) flush();
  }

  PairCounts finish() {
    for (; row_ <= words_; ++row_) matrix_->offsets.push_back(size_ + matrix_->rights.size());
    if (right_file_ == nullptr) return {matrix_->offsets, matrix_->rights, matrix_->counts, matrix_};
    matrix_->right_map = right_file_->map(size_ * sizeof(WordId));
    matrix_->count_map = count_file_->map(size_ * sizeof(Count));
    return {matrix_->offsets,
            {static_cast<const WordId*>(matrix_->right_map.get()), size_},
            {static_cast<const Count*>(matrix_->count_map.get()), size_},
            matrix_};
  }

 private:
  struct Matrix {
    std::vector<std::uint64_t> offsets;
    std::vector<WordId> rights;
    std::vector<Count> counts;
    std::shared_ptr<const void> right_map;
    std::shared_ptr<const void> count_map;
  };

  void flush() {
    right_file_->write_at(size_ * sizeof(WordId), std::as_bytes(std::span(matrix_->rights)));
    count_file_->write_at(size_ * sizeof(Count), std::as_bytes(std::span(matrix_->counts)));
    size_ += matrix_->rights.size();
    matrix_->rights.clear();
    matrix_->counts.clear();
  }

  std::size_t words_;
  std::size_t row_ = 0;
  std::uint64_t size_ = 0;  // pairs that are in files
  std::shared_ptr<Matrix> matrix_ = std::make_shared<Matrix>();
  std::unique_ptr<base::TempFile> right_file_;
  std::unique_ptr<base::TempFile> count_file_;
};

/// Rows from `row` on, about as many as a round may have; moves `row` behind them.
std::vector<std::byte> take_rows(const PairCounts& pairs, std::size_t& row, std::uint64_t max_bytes) {
  std::vector<std::byte> message;
  for (; row < pairs.rows() && message.size() < max_bytes; ++row) {
    const auto left = static_cast<WordId>(row);
    const auto rights = pairs.right_words(left);
    const auto counts = pairs.right_counts(left);
    for (std::size_t i = 0; i < rights.size(); ++i) {
      const PairCount pair{left, rights[i], counts[i]};
      const auto bytes = std::as_bytes(std::span(&pair, 1));
      message.insert(message.end(), bytes.begin(), bytes.end());
    }
  }
  return message;
}

/// The ranges of all ranks side by side, on rank 0: one rank sends after the other.
PairCounts assemble(const PairCounts& own, const JoinOptions& options, const base::Ranks& ranks) {
  Assembly assembly(options.words, options.build);
  for (unsigned sender = 0; sender < ranks.size(); ++sender) {
    std::size_t row = 0;
    bool more = true;
    while (more) {
      Messages to(ranks.size());
      if (ranks.rank() == sender) to[0] = take_rows(own, row, options.bytes_per_round);
      const bool unfinished = ranks.rank() == sender && row < own.rows();
      const Messages from = ranks.world().exchange(to);
      if (ranks.is_root()) assembly.add(pairs_in(from));
      more = ranks.any(unfinished ? 1 : 0) != 0;
    }
  }
  return ranks.is_root() ? assembly.finish() : PairCounts();
}

}  // namespace

PairCounts join_pairs(const Sources& sources, const JoinOptions& options, const base::Ranks& ranks,
                      const RunOptions& run) {
  const RowRanges rows(options.words, sources, ranks);
  const Sources received = deal_pairs(sources, rows, options, ranks);
  return assemble(build_pairs(options.words, received, options.build, run), options, ranks);
}

}  // namespace firth::counts
