#include "counts/count/renumber_pairs.hpp"

#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "counts/pairs/pair_source.hpp"

namespace firth::counts {
namespace {

constexpr std::size_t kRows = 1024;  // of a piece of work

struct Renumbered {
  std::vector<std::uint64_t> offsets;
  std::unique_ptr<WordId[]> rights;
  std::unique_ptr<Count[]> counts;
};

class Renumbering {
 public:
  Renumbering(const PairCounts& pairs, const RestrictedWords& words, const RunOptions& run)
      : pairs_(pairs), words_(words), run_(run), old_ids_(words.vocabulary.size(), kNoWord) {
    for (WordId id = 0; id < words.new_ids.size(); ++id)
      if (stays(words.new_ids[id])) old_ids_[words.new_ids[id]] = id;
    if (words.unknown != kNoWord) add_up_unknown_row();
  }

  PairCounts run() {
    const auto matrix = std::make_shared<Renumbered>();
    matrix->offsets.assign(old_ids_.size() + 1, 0);
    for_each_row(
        [&](WordId row) { for_each_in_row(row, [&](WordId, Count) { ++matrix->offsets[row + 1]; }); });
    std::partial_sum(matrix->offsets.begin(), matrix->offsets.end(), matrix->offsets.begin());
    matrix->rights = std::make_unique_for_overwrite<WordId[]>(matrix->offsets.back());
    matrix->counts = std::make_unique_for_overwrite<Count[]>(matrix->offsets.back());
    for_each_row([&](WordId row) {
      std::uint64_t place = matrix->offsets[row];
      for_each_in_row(row, [&](WordId right, Count count) {
        matrix->rights[place] = right;
        matrix->counts[place++] = count;
      });
    });
    const std::size_t size = matrix->offsets.back();
    return {matrix->offsets, {matrix->rights.get(), size}, {matrix->counts.get(), size}, matrix};
  }

 private:
  bool stays(WordId id) const { return id != kNoWord && id != words_.unknown; }

  template <typename Use>
  void for_each_row(const Use& use) const {
    base::parallel_for(old_ids_.size(), kRows, run_.threads, [&](std::size_t begin, std::size_t end) {
      run_.check_stop();
      for (std::size_t row = begin; row < end; ++row) use(static_cast<WordId>(row));
    });
  }

  /// Calls use(right, count) by rising right words.
  template <typename Use>
  void for_each_in_row(WordId row, const Use& use) const {
    if (row == words_.unknown) {
      for (std::size_t right = 0; right < unknown_row_.size(); ++right)
        if (unknown_row_[right] > 0) use(static_cast<WordId>(right), unknown_row_[right]);
      return;
    }
    const auto rights = pairs_.right_words(old_ids_[row]);
    const auto counts = pairs_.right_counts(old_ids_[row]);
    Count unknown = 0;
    for (std::size_t i = 0; i < rights.size() && words_.unknown != kNoWord; ++i)
      if (words_.new_ids[rights[i]] == words_.unknown) unknown += counts[i];
    for (std::size_t i = 0; i < rights.size(); ++i) {
      const WordId right = words_.new_ids[rights[i]];
      if (!stays(right)) continue;
      if (unknown > 0 && right > words_.unknown) {
        use(words_.unknown, unknown);
        unknown = 0;
      }
      use(right, counts[i]);
    }
    if (unknown > 0) use(words_.unknown, unknown);
  }

  void add_up_unknown_row() {
    unknown_row_.assign(old_ids_.size(), 0);
    for (WordId left = 0; left < words_.new_ids.size(); ++left) {
      if (words_.new_ids[left] != words_.unknown) continue;
      const auto rights = pairs_.right_words(left);
      const auto counts = pairs_.right_counts(left);
      for (std::size_t i = 0; i < rights.size(); ++i)
        if (words_.new_ids[rights[i]] != kNoWord) unknown_row_[words_.new_ids[rights[i]]] += counts[i];
    }
  }

  const PairCounts& pairs_;
  const RestrictedWords& words_;
  const RunOptions& run_;
  std::vector<WordId> old_ids_;
  std::vector<Count> unknown_row_;  ///< of `<unk>`, with zeros
};

}  // namespace

bool can_renumber(const PairCounts& pairs, const RestrictedWords& words, std::uint64_t max_bytes) {
  const std::uint64_t needed = pairs.distinct() * (sizeof(WordId) + sizeof(Count)) +
                               pairs.rows() * (sizeof(std::uint64_t) + sizeof(Count) + sizeof(WordId));
  if (max_bytes > 0 && needed > max_bytes) return false;
  WordId next = 0;
  for (const WordId id : words.new_ids) {
    if (id == kNoWord || id == words.unknown) continue;
    if (id < next) return false;
    next = id + 1;
  }
  return true;
}

PairCounts renumber_pairs(const PairCounts& pairs, const RestrictedWords& words, const RunOptions& run) {
  return Renumbering(pairs, words, run).run();
}

}  // namespace firth::counts
