// How many states each symbol of a spectral grammar keeps.
//
// States of a spectral grammar are ordered by their singular values, and every entry of its parameters is a mean
// over nodes of products of coordinates: parameters with fewer states are the leading blocks of those with more.
// So one estimate serves all numbers of states.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "firth/run.hpp"
#include "grammar/latent_grammar.hpp"
#include "treebank/binary_tree.hpp"

namespace firth::grammar {

/// The grammar with the first states[a] states of each symbol a: at least 1, at most those it has.
LatentGrammar with_fewer_states(const LatentGrammar& grammar, const std::vector<std::uint32_t>& states);

/// What a held-out tree is worth: log p(tree), but at least -10 per word, also if p(tree) is not positive.
/// `tree` has the numbers of the grammar's rules; only the first states[a] states of each symbol count.
double held_out_score(const LatentGrammar& grammar, const std::vector<std::uint32_t>& states,
                      const treebank::BinaryTree& tree);

/// Numbers of states: one symbol after another, from the most frequent in `held_out` on, gets the one out of
/// 1, 2, 4, ... and all it has for which the sum of scores is largest, while the others stay as they are by then;
/// the smaller number if two are equal. Symbols that are not in `held_out` keep what they have.
/// Does not depend on the threads.
std::vector<std::uint32_t> choose_states(const LatentGrammar& grammar,
                                         std::span<const treebank::BinaryTree> held_out,
                                         const RunOptions& run);

}  // namespace firth::grammar
