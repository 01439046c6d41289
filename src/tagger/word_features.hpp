// What the tagger looks at: features of words, of neighbouring words, and of the tags before.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "firth/tagger.hpp"
#include "tagger/case_counts.hpp"
#include "tagger/class_lexicon.hpp"
#include "tagger/hashing.hpp"
#include "text/unicode_words.hpp"

namespace firth::tagger {

/// Words to each side that give features.
inline constexpr int kWindow = 2;
inline constexpr std::size_t kOffsets = 2 * kWindow + 1;

/// A clustering as the tagger keeps it: the features of class c are hashes[first[c]..first[c+1]-1], from
/// coarse to fine, each prefix of the bit string once.
struct ClassTable {
  ClassLexicon lexicon;
  std::vector<std::uint32_t> first;
  std::vector<Hash> hashes;
  CaseCounts cases;

  std::span<const Hash> features(ClassId c) const {
    return std::span(hashes).subspan(first[c], first[c + 1] - first[c]);
  }
};

/// `number` keeps the features of several clusterings apart.
ClassTable make_class_table(const ClassSource& source, std::size_t number);

/// The hash of a word in lower case.
Hash lower_hash(std::string_view lower);

/// The kinds of a word's characters, runs of a kind made one: "Mc-42" is "Xx-9".
std::string word_shape(std::string_view word);

/// The parts of a word that features of several words are made of.
struct WordHashes {
  Hash word = 0;
  Hash lower = 0;
  Hash shape = 0;
  Hash ending = 0;          ///< the last three letters in lower case
  bool is_capital = false;  ///< begins with a capital letter
  bool has_small = false;   ///< has a letter in lower case
};

/// How a sentence is written; capital letters tell less where all words have them.
enum class SentenceCase : std::uint8_t { usual, mostly_capitals, no_small_letters };
SentenceCase sentence_case(std::size_t words, std::size_t capitals, std::size_t with_small);

/// One word. Features for the word itself, for it as a neighbour, and as one farther away.
struct WordFeatures {
  WordHashes atoms;
  std::vector<Hash> here;
  std::vector<Hash> near;
  std::vector<Hash> far;
  /// For every clustering a coarse feature of the class; 0 = no class.
  std::vector<Hash> coarse;

  const std::vector<Hash>& at(int offset) const {
    if (offset == 0) return here;
    return offset == 1 || offset == -1 ? near : far;
  }
};

/// Makes the features of words. Not for several threads at once.
class WordFeaturizer {
 public:
  explicit WordFeaturizer(std::span<const ClassTable> tables) : tables_(tables) {}

  void make(std::string_view word, WordFeatures& features);
  /// What is before the first and after the last word of a sentence.
  static const WordFeatures& boundary();

 private:
  void add_spelling(std::string_view word, WordFeatures& features);
  void add_classes(std::string_view word, WordFeatures& features);
  void add_case(std::string_view word, std::size_t table, WordFeatures& features);

  std::span<const ClassTable> tables_;
  text::UnicodeWords unicode_;
};

/// The feature `hash` of the word at an offset, as seen from the word to be tagged.
inline Hash at_offset(Hash hash, int offset) {
  return mix(hash + base::kGoldenRatio * static_cast<std::uint64_t>(offset + kWindow + 1));
}

/// What a word shows of itself to features of several words.
struct WordView {
  WordHashes atoms;
  const Hash* coarse = nullptr;  ///< one a clustering; nullptr = not a word, or no classes
  bool is_word = true;

  /// 0 = no class.
  Hash coarse_of(std::size_t clustering) const { return coarse != nullptr ? coarse[clustering] : 0; }
};

/// What features of more than one word look at.
struct JointView {
  std::span<const WordView, kOffsets> window;  ///< the word to be tagged in the middle
  SentenceCase sentence = SentenceCase::usual;
  std::size_t tables = 0;  ///< number of clusterings
  bool is_plain = false;   ///< the tags are no entities
};
void add_joint_features(const JointView& view, std::vector<Hash>& hashes);

/// Features of the two tags before (`before` is the nearer one; any number beyond the tags for none), and of
/// them with the word.
struct History {
  std::size_t before = 0;
  std::size_t second = 0;
};
void add_history_features(History history, const WordHashes& word, std::vector<Hash>& hashes);

}  // namespace firth::tagger
