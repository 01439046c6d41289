// Counting the words and pairs of input files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "counts/count/stitch.hpp"
#include "firth/count.hpp"
#include "text/block_reader.hpp"
#include "text/inputs.hpp"

namespace firth::counts {

/// Sizes that decide speed and memory, never the result.
struct CountTuning {
  std::size_t block_bytes = std::size_t{1} << 20;     ///< input is cut into pieces of this size
  std::size_t max_block_bytes = text::kMaxLineBytes;  ///< a longer word or line is refused
  std::size_t table_bytes = 0;    ///< for the pairs of one thread at one distance; 0 = no limit
  std::uint64_t build_bytes = 0;  ///< for putting the result together; 0 = no limit
  unsigned recent_bits = 14;      ///< a thread remembers up to 2^this words
  std::uint64_t word_bytes = 0;   ///< for the words, before they go to disk; 0 = no limit

  /// Shares out the memory limit of a run. Throws ResourceError if it is too small to work with.
  static CountTuning for_run(const RunOptions& run, std::size_t distances);
};

/// As firth::count_text, but without applying RarePolicy::unk or no_pairs: the vocabulary has all words.
Counts count_files(std::vector<text::InputFile> files, const CountOptions& options, const CountTuning& tuning,
                   const RunOptions& run);

/// As firth::count_text, for files and options that were checked.
Counts count_restricted(std::vector<text::InputFile> files, const CountOptions& options,
                        const RunOptions& run);

}  // namespace firth::counts
