// The count file: sections (base/section_file.hpp) that are mapped into memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/section_file.hpp"
#include "firth/counts.hpp"

namespace firth::counts {

/// Starts with a byte that is not text, ends with line ends that careless copying changes.
inline constexpr base::FileKind kCountFile = {{'\x89', 'F', 'C', 'N', 'T', '\r', '\n', '\x1a'},
                                              1,
                                              "count file",
                                              "copy it again, or count the text again"};

/// The sections, in this order; those of pairs once for each distance, which is their number.
enum SectionKind : std::uint32_t {
  kMeta = 1,         ///< JSON: CountsInfo and distances
  kWordOffsets = 2,  ///< 64 bits each, one more than words
  kWordBytes = 3,    ///< all words, one after the other
  kWordCounts = 4,   ///< 64 bits each
  kRowOffsets = 5,   ///< 64 bits each, one more than words
  kRights = 6,       ///< 32 bits each
  kPairCounts = 7,   ///< 64 bits each
};

/// The contents of a file, unchecked.
struct RawCounts {
  std::span<const std::uint64_t> word_offsets;
  std::string_view word_bytes;
  std::span<const Count> word_counts;
  struct Pairs {
    std::span<const std::uint64_t> offsets;
    std::span<const WordId> rights;
    std::span<const Count> counts;
  };
  std::vector<Pairs> pairs;
};

/// Throws FormatError unless the arrays are what Vocabulary and PairCounts promise: offsets that fit, words
/// in order and distinct, columns rising within their rows, no zero counts, sums within 64 bits.
void check_contents(const std::string& path, const RawCounts& raw);

/// "the file is damaged: `details`".
[[noreturn]] void throw_damaged(const std::string& path, const std::string& details);

}  // namespace firth::counts
