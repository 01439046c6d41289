// A block of input as numbered words.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "firth/run.hpp"
#include "firth/text.hpp"
#include "firth/types.hpp"
#include "text/block_reader.hpp"
#include "text/unicode_words.hpp"
#include "text/word_table.hpp"

namespace firth::text {

/// The words of a block. Sequence 0 may go on from the block before, the last one may go on in the next.
struct BlockWords {
  std::vector<WordId> ids;        ///< all words in order
  std::vector<std::size_t> ends;  ///< after how many words a sequence ends; rising
  std::vector<PairCount> pairs;   ///< rows of a count table (then there are no ids)

  void clear();
  void end_sequence() {
    if (ends.empty() || ends.back() != ids.size()) ends.push_back(ids.size());
  }
};

/// Where parsers put words: counts and numbers them.
class WordSink {
 public:
  WordSink(const TextOptions& options, WordTable& table, unsigned recent_bits);

  /// A word as it is in the text; changed by the options (lower case, split) before it is counted.
  void add_piece(std::string_view piece);
  /// A word to be counted as it is.
  void add_word(std::string_view word) { words.ids.push_back(id_of(word)); }
  void add_short(const ShortWord& key, std::size_t size) { words.ids.push_back(counter.count(key, size)); }
  /// One row of a count table.
  void add_pair(std::string_view left, std::string_view right, Count count);

  BlockWords words;
  WordCounter counter;
  std::uint64_t repaired = 0;  ///< parts of blocks that were not UTF-8

  NormalizedCharacters normalized_characters() const { return maker_.normalized_characters(); }

 private:
  WordId id_of(std::string_view word);

  WordMaker maker_;
  bool tokens_;  ///< pieces are words already, and are not split
};

/// Says what was repaired in all, if anything was: parts that could not be decoded, and characters.
void warn_of_repairs(const RunOptions& run, std::uint64_t parts, const NormalizedCharacters& characters);

}  // namespace firth::text
