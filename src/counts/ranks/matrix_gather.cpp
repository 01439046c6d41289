#include "counts/ranks/matrix_gather.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "base/large_memory.hpp"
#include "base/message.hpp"
#include "base/rank_error.hpp"
#include "base/temp_file.hpp"
#include "counts/ranks/packed_pairs.hpp"

namespace firth::counts {
namespace {

/// A stretch of the rows and pairs of a rank.
struct Stretch {
  std::size_t first_row = 0;
  std::size_t end_row = 0;
  std::uint64_t first_pair = 0;
  std::uint64_t end_pair = 0;
};

/// The next rows: of about max_pairs pairs, and at least one; none behind the last pair. Those are rows of other ranks, whose
/// sizes may have arrived in an earlier round.
Stretch next_stretch(const PairCounts& pairs, std::size_t row, std::uint64_t max_pairs) {
  const auto offsets = pairs.offsets();
  const auto begin = offsets.begin() + static_cast<std::ptrdiff_t>(row);
  const auto last = std::lower_bound(begin, offsets.end(), offsets.back());
  const auto end = std::upper_bound(begin, last, offsets[row] + max_pairs);
  const auto end_row = static_cast<std::size_t>(end - offsets.begin());
  return {row, end_row, offsets[row], offsets[end_row]};
}

/// Sizes of rows, then right words as they are, then counts in as few bytes as they need.
std::vector<std::byte> write_stretch(const PairCounts& pairs, const Stretch& part) {
  const auto offsets = pairs.offsets();
  base::MessageWriter head;
  head.put_number(part.first_row);
  head.put_number(part.end_row - part.first_row);
  head.put_number(part.end_pair - part.first_pair);
  for (std::size_t row = part.first_row; row < part.end_row; ++row) {
    head.put_number(offsets[row + 1] - offsets[row]);
  }
  std::vector<std::byte> message = head.take();
  const std::uint64_t size = part.end_pair - part.first_pair;
  const auto rights = std::as_bytes(pairs.rights().subspan(part.first_pair, size));
  const auto counts = pairs.counts().subspan(part.first_pair, size);
  std::size_t count_bytes = 0;
  for (const Count count : counts) count_bytes += PairPacker::count_bytes(count);
  const std::size_t before = message.size();
  message.resize(before + rights.size() + count_bytes);
  std::byte* next = std::ranges::copy(rights, message.data() + before).out;
  for (const Count count : counts) next = PairPacker::put_count(count, next);
  return message;
}

/// The arrays of the whole matrix: in memory, or in files without a name.
class Assembly {
 public:
  Assembly(std::size_t words, std::uint64_t pairs, const BuildOptions& options)
      : matrix_(std::make_shared<Matrix>()), pairs_(pairs) {
    matrix_->offsets.resize(words + 1, 0);
    if (options.max_bytes > 0) {
      matrix_->rights = base::TempFile(options.temp_folder).map_writable(room(sizeof(WordId)));
      matrix_->counts = base::TempFile(options.temp_folder).map_writable(room(sizeof(Count)));
    } else {
      matrix_->rights = base::large_memory(room(sizeof(WordId)));
      matrix_->counts = base::large_memory(room(sizeof(Count)));
    }
  }

  /// A stretch whose pairs begin at `place` of the whole; returns its number of pairs.
  std::uint64_t add(std::span<const std::byte> message, std::uint64_t place) {
    base::MessageReader reader(message);
    const std::uint64_t first_row = reader.get_number();
    const std::uint64_t rows = reader.get_number();
    const std::uint64_t size = reader.get_number();
    for (std::uint64_t row = first_row; row < first_row + rows; ++row) {
      matrix_->offsets[row + 1] = reader.get_number();
    }
    std::ranges::copy(reader.get_bytes(size * sizeof(WordId)),
                      reinterpret_cast<std::byte*>(rights() + place));
    PairPacker::get_counts(reader.rest(), {counts() + place, size});
    return size;
  }

  PairCounts finish() {
    std::partial_sum(matrix_->offsets.begin(), matrix_->offsets.end(), matrix_->offsets.begin());
    return {matrix_->offsets, {rights(), pairs_}, {counts(), pairs_}, matrix_};
  }

 private:
  struct Matrix {
    std::vector<std::uint64_t> offsets;  ///< until the end, the size of row r at r + 1
    std::shared_ptr<void> rights;
    std::shared_ptr<void> counts;
  };

  std::uint64_t room(std::size_t each) const { return std::max<std::uint64_t>(pairs_, 1) * each; }
  WordId* rights() const { return static_cast<WordId*>(matrix_->rights.get()); }
  Count* counts() const { return static_cast<Count*>(matrix_->counts.get()); }

  std::shared_ptr<Matrix> matrix_;
  std::uint64_t pairs_;
};

/// Where the pairs of each rank begin among all, and one more.
std::vector<std::uint64_t> begins_of(std::uint64_t own, const base::Ranks& ranks) {
  std::vector<std::uint64_t> sizes(ranks.size());
  sizes[ranks.rank()] = own;
  ranks.gather(std::span(sizes));
  std::vector<std::uint64_t> begins(ranks.size() + std::size_t{1}, 0);
  std::inclusive_scan(sizes.begin(), sizes.end(), begins.begin() + 1);
  return begins;
}

}  // namespace

PairCounts gather_rows(const PairCounts& own, const BuildOptions& build, std::uint64_t bytes_per_round,
                       const base::Ranks& ranks) {
  const std::vector<std::uint64_t> begins = begins_of(own.rights().size(), ranks);
  std::vector<std::uint64_t> next = begins;
  std::unique_ptr<Assembly> assembly;
  base::together(ranks, [&] {
    if (ranks.is_root()) assembly = std::make_unique<Assembly>(own.rows(), begins.back(), build);
  });
  const std::uint64_t pairs_per_round = bytes_per_round / (sizeof(WordId) + 2) / ranks.size() + 1;
  // Rows without pairs before the first pair and behind the last are not sent.
  const auto offsets = own.offsets();
  const auto first = std::upper_bound(offsets.begin(), offsets.end(), std::uint64_t{0}) - 1;
  std::size_t row = static_cast<std::size_t>(first - offsets.begin());
  bool more = true;
  while (more) {
    base::RankMessages to(ranks.size());
    if (offsets[row] < offsets.back()) {
      const Stretch part = next_stretch(own, row, pairs_per_round);
      to[0] = write_stretch(own, part);
      row = part.end_row;
    }
    const base::RankMessages from = ranks.world().exchange(to);
    for (unsigned r = 0; r < ranks.size() && ranks.is_root(); ++r) {
      if (!from[r].empty()) next[r] += assembly->add(from[r], next[r]);
    }
    more = ranks.any(offsets[row] < offsets.back() ? 1 : 0) != 0;
  }
  return ranks.is_root() ? assembly->finish() : PairCounts();
}

}  // namespace firth::counts
