// How words are spelt, and how well a spelling fits each class.
//
// A word has several features: its last letters read backwards (a path in a tree: each letter given those
// after it), its length, the kinds of its characters, and whether it is capitalised inside sentences. Every
// class has a distribution over each of them, integrated out under a Dirichlet prior whose mean is the
// distribution over all words: a class without words fits all spellings alike, and only what sets a class apart
// counts.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned.hpp"
#include "cluster/pos/case_folding.hpp"
#include "firth/counts.hpp"
#include "firth/types.hpp"

namespace firth::pos {

/// The features.
enum Template : std::uint8_t { kSuffix, kShape, kLength, kCapital, kTemplates };

/// Weight of each feature; 0 = it is not used.
using TemplateWeights = std::array<double, kTemplates>;

/// The tree of spellings: a node is a context (its children are what may come next), or an outcome, or both.
struct SpellingTree {
  static constexpr std::uint32_t kNoNode = static_cast<std::uint32_t>(-1);

  std::vector<std::uint32_t> parent;  ///< of each node; kNoNode for the root of each template
  std::vector<Template> kind;         ///< of each node
  std::vector<double> base;           ///< share of the parent's words that have this node
  std::vector<bool> inner;            ///< whether it has children
  std::vector<std::uint64_t> begins;  ///< of each word's nodes, and the end
  std::vector<std::uint32_t> nodes;   ///< of all words, roots included, parents before children

  std::size_t size() const noexcept { return parent.size(); }
  std::size_t words() const noexcept { return begins.size() - 1; }
  std::span<const std::uint32_t> of(WordId word) const {
    return std::span(nodes).subspan(begins[word], begins[word + 1] - begins[word]);
  }
};

/// `capitals` has an entry for every word.
SpellingTree make_spelling_tree(const Vocabulary& vocabulary, std::span<const Capitals> capitals);

/// How often the features of each word count, whatever their weights. A word that occurs f times counts
/// sqrt(f) times: features are facts about words, not tokens, but the class of a frequent word matters more.
std::vector<double> feature_amounts(const Vocabulary& vocabulary, double scale);

/// The classes' counts of nodes, and their logarithms.
class SpellingModel {
 public:
  /// `amounts` (of words) and the tree must outlive it.
  SpellingModel(const SpellingTree& tree, std::span<const double> amounts, const TemplateWeights& weights);

  /// Counts a partition anew.
  void reset(std::span<const ClassId> class_of, ClassId classes);

  /// scores[B] += what the spelling of the word is worth in class B, in nats; `home` is the class it is in
  /// now, whose counts are taken without it.
  void add_scores(WordId word, ClassId home, std::span<float> scores) const;

  void move(WordId word, ClassId from, ClassId to);

  /// ln of the probability of all spellings given the classes, weighted.
  double log_probability() const;

  /// Bytes for this many classes.
  static std::uint64_t bytes(const SpellingTree& tree, ClassId classes);

 private:
  double prior(std::uint32_t node) const;
  void refresh(std::uint32_t node, ClassId c);
  float home_score(WordId word, ClassId home) const;

  const SpellingTree& tree_;
  TemplateWeights weights_;
  std::span<const double> amounts_;  // what a word adds to the counts of its nodes
  std::size_t stride_ = 0;
  ClassId classes_ = 0;
  std::vector<double> counts_;             // node x class
  base::AlignedVector<float> as_outcome_;  // ln(count + prior * base) - ln(base), 0 for roots
  base::AlignedVector<float> as_context_;  // ln(count + prior)
};

}  // namespace firth::pos
