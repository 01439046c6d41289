// A trained tagger inside.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "firth/tagger.hpp"
#include "tagger/decode.hpp"
#include "tagger/feature_index.hpp"
#include "tagger/name_list.hpp"
#include "tagger/tag_scheme.hpp"
#include "tagger/word_features.hpp"

namespace firth::tagger {

/// Weights are whole numbers of this part of one: 1/1024.
inline constexpr Score kUnit = 1024;
/// Beyond this a weight is cut off: 2^20 updates more for than against a tag, on average.
inline constexpr Score kMaxWeight = (Score{1} << 30) - 1;

/// Weights of features that are there or not, by feature: only those that are not zero.
struct SparseWeights {
  FeatureIndex index;
  std::vector<std::uint64_t> first = {0};  ///< of feature i in tags and values; one more than features
  std::vector<TagId> tags;
  std::vector<std::int32_t> values;
  Hash mask = ~Hash{0};  ///< the bits of a feature that are its key

  void add(Hash feature, std::span<Score> scores) const {
    const std::uint32_t row = index.find(feature & mask);
    if (row != FeatureIndex::kNone) add_row(row, scores);
  }
  void add_row(std::uint32_t row, std::span<Score> scores) const {
    for (std::uint64_t i = first[row]; i < first[row + 1]; ++i) scores[tags[i]] += values[i];
  }
};

/// Offsets at which vectors are features: the word and its neighbours.
inline constexpr int kVectorWindow = 1;
inline constexpr std::size_t kVectorOffsets = 2 * kVectorWindow + 1;

/// Vectors of words, brought to one length, and their weights.
struct VectorTable {
  Vocabulary words;
  WordIndex index;
  std::size_t dimensions = 0;
  std::vector<float> values;   ///< by word
  std::vector<float> weights;  ///< by offset (kVectorOffsets of them), dimension, tag

  VectorTable(Vocabulary vocabulary, std::size_t dims)
      : words(std::move(vocabulary)), index(words), dimensions(dims) {}

  std::span<const float> vector(WordId word) const {
    return std::span(values).subspan(word * dimensions, dimensions);
  }
  /// The word's vector, or that of its lower-case form; empty if there is none.
  std::span<const float> find(std::string_view word, text::UnicodeWords& unicode) const;
  std::span<const float> weights_at(std::size_t offset, std::size_t tags) const {
    return std::span(weights).subspan(offset * dimensions * tags, dimensions * tags);
  }
};

/// sums[t] = sum over d of vector[d] * weights[d * tags + t], in the order of d for every t.
void multiply(std::span<const float> vector, std::span<const float> weights, std::span<float> sums);

/// A sum of vector weights as a score.
Score vector_score(float sum);

/// The key of a feature in a small model.
inline constexpr Hash kShortKey = 0xFFFFFFFFU;

struct Model {
  TagSet tags;
  int beam = 1;
  bool joint = true;            ///< has features of several words
  Preprocessing spelling = {};  ///< applied to every word before its features are made

  bool is_small() const noexcept { return weights.mask == kShortKey; }
  std::vector<ClassTable> classes;
  std::vector<VectorTable> vectors;
  std::vector<NameTable> names;
  SparseWeights weights;
  /// Of a conditional random field: the score of every tag after every tag, and after the beginning of the
  /// sentence (the last row). Empty for a perceptron, whose weights see two tags and the word.
  std::vector<std::int32_t> transitions;
  std::vector<Hash> known_words;  ///< of the training sentences, rising

  bool is_chain() const noexcept { return !transitions.empty(); }
  std::span<const std::int32_t> transitions_from(std::size_t before) const {
    return std::span(transitions).subspan(before * tags.size(), tags.size());
  }
};

/// The hash that known_words has of a word.
inline Hash known_hash(std::string_view word) {
  return hash_text(0, word);
}

}  // namespace firth::tagger
