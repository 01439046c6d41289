// Lists of names that a user gives: where they are in a sentence.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tagger/feature_index.hpp"
#include "text/unicode_words.hpp"

namespace firth::tagger {

/// A list of names, each one word or several, known by hashes of their words in lower case.
struct NameTable {
  FeatureIndex names;
  FeatureIndex beginnings;  ///< of names of several words: all but the whole name

  /// `name`: words separated by white space.
  void add(std::string_view name, text::UnicodeWords& unicode);
};

/// The place of a word within a name.
enum class NameMark : std::uint8_t { none, whole, first, middle, last };

/// The longest names, from left to right, none within another. `lower` are hashes of the words in lower case
/// (lower_hash()); marks has one for each word.
void mark_names(const NameTable& table, std::span<const Hash> lower, std::vector<NameMark>& marks);

/// The features of word i: its marks and those of its neighbours. `marks` are those of every list, one sentence
/// long each.
void add_name_features(std::span<const std::vector<NameMark>> marks, std::size_t i,
                       std::vector<Hash>& hashes);

}  // namespace firth::tagger
