// Codes of fixed width for words: every word has its own, and words that share the beginning of their codes are
// neighbours in the tree (vocabulary trees of language-model heads, semantic ids of items).
//
//   const firth::Clustering clustering = firth::load_clustering("out");
//   const firth::Codes codes = firth::make_codes(clustering, {.branch = 256, .depth = 3});
//   for (const std::uint32_t digit : codes.of(0)) use(digit);
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "firth/class_sizes.hpp"
#include "firth/clustering.hpp"

namespace firth {

/// The shape of the codes.
struct CodeOptions {
  /// Values of a digit, 2..2^31: digits are 0..branch-1.
  std::uint32_t branch = 256;
  /// Digits of a code, 1..64.
  std::uint32_t depth = 3;
};

/// Throws UsageError if the options make no sense.
void validate(const CodeOptions& options);

/// One code per word.
struct Codes {
  Vocabulary vocabulary;
  std::uint32_t branch = 0;
  std::uint32_t depth = 0;
  std::vector<std::uint32_t> digits;  ///< `depth` digits per word, in the order of the vocabulary

  [[nodiscard]] std::span<const std::uint32_t> of(WordId word) const {
    return std::span(digits).subspan(std::size_t{word} * depth, depth);
  }
};

/// Cuts the tree into at most `branch` groups, those again, and so on. Groups are whole nodes of the tree where
/// it is balanced enough for the width; otherwise they are ranges of its leaves from left to right, so codes in
/// order always list the leaves in order. Words of one class, where the tree ends at classes, go by frequency.
/// Throws UsageError if there are more words than codes.
[[nodiscard]] Codes make_codes(const Clustering& clustering, const CodeOptions& options);

/// File formats of codes.
enum class CodeFormat {
  tsv,  ///< word TAB digit TAB digit ...
  npy,  ///< PATH.npy, a matrix of unsigned integers of 1, 2 or 4 bytes, and PATH.vocab, `word TAB count` per line
};

/// The bytes of CodeFormat::tsv.
[[nodiscard]] std::string format_codes(const Codes& codes);

/// Writes codes; every file complete or not at all. For npy, `path` is the name without its ending.
void save_codes(const std::string& path, const Codes& codes, CodeFormat format);

/// Classes = the nodes of the tree at a depth, and the leaves above it: Figure 2 of Stratos et al. 2014. Depth 0
/// is one class. Throws UsageError if the tree is missing or incomplete.
[[nodiscard]] Clustering cut_at_depth(const Clustering& clustering, std::uint32_t depth);

/// Classes by their sizes instead of the order of merges. With ClassSizes::max, nodes of the tree: from the root down,
/// the largest class is split until there are `classes`, or, for 0, until all are small enough. With ClassSizes::equal,
/// `classes` ranges of the leaves from left to right that are as even as single words allow; they have no tree. Throws
/// UsageError if the tree is missing or incomplete, or a class stays too large.
[[nodiscard]] Clustering cut_by_size(const Clustering& clustering, ClassId classes, const ClassSizes& sizes);

}  // namespace firth
