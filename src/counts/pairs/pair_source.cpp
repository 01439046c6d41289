#include "counts/pairs/pair_source.hpp"

#include <algorithm>

namespace firth::counts {
namespace {

// Enough pairs to be worth a thread's while.
constexpr std::uint64_t kPairsPerSource = std::uint64_t{1} << 18;

class MappedRows final : public PairSource {
 public:
  MappedRows(const PairCounts& pairs, std::span<const WordId> new_ids, WordId begin, WordId end)
      : pairs_(pairs), new_ids_(new_ids), begin_(begin), end_(end) {}

  void for_each(const Visit& visit) const override {
    PairBatch batch(visit);
    for (WordId left = begin_; left < end_; ++left) {
      const WordId new_left = new_ids_[left];
      if (new_left == kNoWord) continue;
      const auto rights = pairs_.right_words(left);
      const auto counts = pairs_.right_counts(left);
      for (std::size_t i = 0; i < rights.size(); ++i) {
        const WordId new_right = new_ids_[rights[i]];
        if (new_right != kNoWord) batch.add({new_left, new_right, counts[i]});
      }
    }
    batch.flush();
  }

  std::uint64_t max_pairs() const override { return pairs_.offsets()[end_] - pairs_.offsets()[begin_]; }

 private:
  PairCounts pairs_;
  std::span<const WordId> new_ids_;
  WordId begin_;
  WordId end_;
};

}  // namespace

void append_mapped_sources(const PairCounts& pairs, std::span<const WordId> new_ids,
                           std::vector<std::unique_ptr<PairSource>>& sources) {
  const auto offsets = pairs.offsets();
  const std::size_t rows = pairs.rows();
  for (std::size_t begin = 0; begin < rows;) {
    const auto after = std::upper_bound(offsets.begin() + static_cast<std::ptrdiff_t>(begin) + 1,
                                        offsets.end() - 1, offsets[begin] + kPairsPerSource);
    const auto end = static_cast<std::size_t>(after - offsets.begin());
    sources.push_back(
        std::make_unique<MappedRows>(pairs, new_ids, static_cast<WordId>(begin), static_cast<WordId>(end)));
    begin = end;
  }
}

}  // namespace firth::counts
