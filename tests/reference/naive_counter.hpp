// Counting as a textbook would write it: maps, no blocks, no threads. Knows nothing of src/corpus.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "firth/count.hpp"

namespace firth::reference {

using NaivePairs = std::map<std::pair<std::string, std::string>, Count>;

struct NaiveCounts {
  std::map<std::string, Count> words;
  std::map<int, NaivePairs> pairs;
  Count tokens = 0;
  Count sequences = 0;
};

/// Sequences of words of one file's content; columns count from 0.
using Sequences = std::vector<std::vector<std::string>>;
Sequences naive_text(std::string_view content, TextBoundaries boundaries);
Sequences naive_conllu(std::string_view content, std::size_t column, TextBoundaries boundaries);

/// Counts sequences of all files under the options (not those of text).
NaiveCounts naive_count(const Sequences& sequences, const VocabularyOptions& vocabulary,
                        const std::vector<int>& distances);

/// Counts a table of `left right count` lines.
NaiveCounts naive_table(std::string_view content, const VocabularyOptions& vocabulary);

/// The same in words, for comparing.
NaiveCounts as_naive(const Counts& counts);

/// Empty if equal, else what differs.
std::string difference(const NaiveCounts& expected, const NaiveCounts& got);

/// Whether all arrays are equal: the files written from them would be the same byte for byte.
bool same_arrays(const Counts& a, const Counts& b);

}  // namespace firth::reference
