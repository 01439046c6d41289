// Random L-PCFGs with known parameters, and trees drawn from them: the ground truth for learners.
#pragma once

#include <cstdint>
#include <vector>

#include "base/rng.hpp"
#include "grammar/latent_grammar.hpp"
#include "treebank/binary_tree.hpp"

namespace firth::sample {

struct RandomLpcfgOptions {
  std::uint32_t phrases = 4;
  std::uint32_t tags = 6;
  std::uint32_t words = 60;  ///< at least one for each tag
  std::uint32_t states = 3;  ///< of every symbol
  /// Binary rules of each phrase; fewer where there are not enough.
  std::uint32_t rules = 6;
  /// How different the states of a symbol are: exponent of exponential draws.
  double contrast = 2;
};

/// A proper grammar: q(rule | h) s(h2 | h, rule) t(h3 | h, rule), section 4 of Cohen et al. 2012. Symbols
/// 0 .. phrases - 1 are phrases and the others tags; symbol 0 is the root. A phrase has 0.8 phrases below it
/// in the mean, or fewer, so that trees end. Terminal w belongs to tag w mod tags, and every fifth to the
/// next too.
grammar::LatentGrammar draw_lpcfg(const RandomLpcfgOptions& options, std::uint64_t seed);

/// Draws trees from a proper grammar.
class TreeSampler {
 public:
  /// `grammar` must outlive the sampler.
  explicit TreeSampler(const grammar::LatentGrammar& grammar);

  /// A tree whose nodes have the grammar's rules and terminals; `states` gets the state of each node.
  treebank::BinaryTree draw(base::Rng& rng, std::vector<std::uint32_t>& states) const;

 private:
  struct Choice {
    std::uint32_t rule = 0;
    std::uint32_t left = 0;   ///< state below, for a binary rule
    std::uint32_t right = 0;  ///< state below, for a binary rule
  };
  /// What a state of a symbol can do.
  struct Actions {
    std::vector<double> sums;  ///< running sums of probabilities
    std::vector<Choice> choices;
    bool lexical = false;
  };

  void expand(std::uint32_t node, base::Rng& rng, treebank::BinaryTree& tree,
              std::vector<std::uint32_t>& states) const;
  const Actions& actions(grammar::SymbolId symbol, std::uint32_t state) const {
    return actions_[grammar_.root_begin[symbol] + state];
  }

  const grammar::LatentGrammar& grammar_;
  std::vector<Actions> actions_;  ///< of each state of each symbol
  std::vector<double> root_sums_;
  std::vector<std::pair<grammar::SymbolId, std::uint32_t>> root_states_;
};

}  // namespace firth::sample
