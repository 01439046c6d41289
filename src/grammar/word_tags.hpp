// Which tags are possible for a word, seen or not.
//
// P(tag | word) = (n(tag, word) + kappa P(tag | class)) / (n(word) + kappa), with the class of the word's
// shape; and p(word | tag) = P(tag | word) n(word) / n(tag). The latent states come from the lexical rule of
// the word, or of its class where the word is rare or was never seen with the tag: the rule's vector times a
// weight.
#pragma once

#include <vector>

#include "firth/clustering.hpp"
#include "grammar/parser_model.hpp"
#include "grammar/training_set.hpp"

namespace firth::grammar {

/// Tags of all words of the training set.
struct WordTags {
  std::vector<std::uint64_t> begin;  ///< of each word in `tags`, and the end
  std::vector<WordTag> tags;
};

/// Throws ResourceError where every rare word may have very many tags, Cancelled.
WordTags make_word_tags(const TrainingSet& set, const RunOptions& run);

/// Lexical rules for the clusters of words: a cluster behaves as its words of the training set do, each word
/// counted as if it were rare.
struct ClusterRules {
  std::vector<LexicalRule> rules;            ///< by cluster, tag; terminals from `first_terminal`
  std::vector<std::vector<double>> vectors;  ///< of each rule
  std::vector<double> counts;                ///< of each rule: n(tag, cluster), damped
  std::vector<std::uint32_t> cluster_of;     ///< terminal of each word of the clustering, kNoTerminal = none
};

inline constexpr TerminalId kNoTerminal = static_cast<TerminalId>(-1);

ClusterRules make_cluster_rules(const TrainingSet& set, const LatentGrammar& grammar, const WordTags& tags,
                                const Clustering& clusters, TerminalId first_terminal);

}  // namespace firth::grammar
