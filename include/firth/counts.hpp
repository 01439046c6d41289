// Words and how often they meet: what every algorithm in Firth starts from.
//
//   const firth::Counts counts = firth::load_counts("text.counts");
//   for (firth::WordId w = 0; w < counts.vocabulary().size(); ++w)
//     use(counts.vocabulary().word(w), counts.bigrams().right_words(w), counts.bigrams().right_counts(w));
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "firth/run.hpp"
#include "firth/types.hpp"

namespace firth {

/// Words with their counts, most frequent first, equal counts in order of their bytes. Cheap to copy.
class Vocabulary {
 public:
  Vocabulary() = default;

  /// Sorts the words by the rule above. Words must be distinct.
  [[nodiscard]] static Vocabulary from_words(std::vector<std::pair<std::string, Count>> words);

  /// Views into storage kept alive by `owner`: `offsets` has one entry more than there are words.
  Vocabulary(std::span<const std::uint64_t> offsets, std::string_view bytes, std::span<const Count> counts,
             std::shared_ptr<const void> owner);

  [[nodiscard]] std::size_t size() const noexcept { return counts_.size(); }
  [[nodiscard]] bool empty() const noexcept { return counts_.empty(); }
  [[nodiscard]] std::string_view word(WordId id) const {
    return bytes_.substr(offsets_[id], offsets_[id + 1] - offsets_[id]);
  }
  [[nodiscard]] Count count(WordId id) const { return counts_[id]; }

  /// The raw arrays, for writing to a file.
  [[nodiscard]] std::span<const std::uint64_t> offsets() const noexcept { return offsets_; }
  [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::span<const Count> counts() const noexcept { return counts_; }

 private:
  std::span<const std::uint64_t> offsets_;
  std::string_view bytes_;
  std::span<const Count> counts_;
  std::shared_ptr<const void> owner_;
};

/// Finds words by their spelling.
class WordIndex {
 public:
  explicit WordIndex(Vocabulary vocabulary);
  [[nodiscard]] std::optional<WordId> find(std::string_view word) const;

 private:
  Vocabulary vocabulary_;  ///< keeps alive what the keys point to
  std::unordered_map<std::string_view, WordId> ids_;
};

/// How often `right` is at a fixed distance after `left`: a sparse matrix by rows, columns rising
/// within a row, no zeros. Cheap to copy.
class PairCounts {
 public:
  PairCounts() = default;

  /// Sums equal pairs; any order. Every id must be below `words`.
  [[nodiscard]] static PairCounts from_pairs(std::size_t words, std::vector<PairCount> pairs);

  /// Views into storage kept alive by `owner`: `offsets` has one entry more than there are rows.
  PairCounts(std::span<const std::uint64_t> offsets, std::span<const WordId> rights,
             std::span<const Count> counts, std::shared_ptr<const void> owner);

  /// Number of rows (= words).
  [[nodiscard]] std::size_t rows() const noexcept { return offsets_.empty() ? 0 : offsets_.size() - 1; }
  /// Number of distinct pairs.
  [[nodiscard]] std::uint64_t distinct() const noexcept { return rights_.size(); }
  /// Sum of all counts: T of the formulas.
  [[nodiscard]] Count total() const noexcept { return total_; }

  [[nodiscard]] std::span<const WordId> right_words(WordId left) const {
    return rights_.subspan(offsets_[left], offsets_[left + 1] - offsets_[left]);
  }
  [[nodiscard]] std::span<const Count> right_counts(WordId left) const {
    return counts_.subspan(offsets_[left], offsets_[left + 1] - offsets_[left]);
  }

  /// Calls use(left, right, count) for every pair, by rows.
  template <class Use>
  void for_each_pair(const Use& use) const {
    for (std::size_t left = 0; left < rows(); ++left) {
      for (std::uint64_t i = offsets_[left]; i < offsets_[left + 1]; ++i) {
        use(static_cast<WordId>(left), rights_[i], counts_[i]);
      }
    }
  }

  /// Nl(a) = sum over b of N(a,b).
  [[nodiscard]] std::vector<Count> left_marginals() const;
  /// Nr(b) = sum over a of N(a,b).
  [[nodiscard]] std::vector<Count> right_marginals() const;
  /// The same pairs by their right word.
  [[nodiscard]] PairCounts transposed() const;

  /// The raw arrays, for writing to a file.
  [[nodiscard]] std::span<const std::uint64_t> offsets() const noexcept { return offsets_; }
  [[nodiscard]] std::span<const WordId> rights() const noexcept { return rights_; }
  [[nodiscard]] std::span<const Count> counts() const noexcept { return counts_; }

 private:
  std::span<const std::uint64_t> offsets_;
  std::span<const WordId> rights_;
  std::span<const Count> counts_;
  std::shared_ptr<const void> owner_;
  Count total_ = 0;
};

/// Where counts come from; kept in count files.
struct CountsInfo {
  Count tokens = 0;               ///< words read, also those that are not in the vocabulary
  Count sequences = 0;            ///< lines, sentences or files that pairs do not cross
  bool restricted = false;        ///< words were left out (min-count, max-vocab, vocab): cannot be merged
  std::string text_options = {};  ///< how text became words, in one line; equal in files that can be merged
};

/// A vocabulary and the pairs of its words at one or more distances.
class Counts {
 public:
  Counts() = default;

  /// `pairs[i]` holds the pairs at distance `distances[i]` >= 1, distances rising.
  Counts(Vocabulary vocabulary, std::vector<int> distances, std::vector<PairCounts> pairs, CountsInfo info);

  /// Bigrams only.
  Counts(Vocabulary vocabulary, PairCounts bigrams, CountsInfo info);

  [[nodiscard]] const Vocabulary& vocabulary() const noexcept { return vocabulary_; }
  [[nodiscard]] const CountsInfo& info() const noexcept { return info_; }

  /// Pairs of direct neighbours. Throws UsageError if distance 1 was not counted.
  [[nodiscard]] const PairCounts& bigrams() const { return pairs_at(1); }

  [[nodiscard]] const std::vector<int>& distances() const noexcept { return distances_; }
  /// Pairs at `distance` >= 1; context offset -d is the transpose of +d. Throws UsageError if not counted.
  [[nodiscard]] const PairCounts& pairs_at(int distance) const;

  /// Those of the bigrams that lie in blocks of the text that were held out (CountOptions::held_out_share); no rows if
  /// none were. Not written into count files.
  [[nodiscard]] const PairCounts& held_out() const noexcept { return held_out_; }
  /// The same counts with other bigrams held out.
  [[nodiscard]] Counts with_held_out(PairCounts held_out) const;

  /// The bytes of a count file; from_bytes() reads them, and throws FormatError if they are damaged.
  [[nodiscard]] std::string to_bytes() const;
  [[nodiscard]] static Counts from_bytes(std::string_view bytes);

 private:
  Vocabulary vocabulary_;
  std::vector<int> distances_;
  std::vector<PairCounts> pairs_;
  PairCounts held_out_;
  CountsInfo info_;
};

}  // namespace firth
