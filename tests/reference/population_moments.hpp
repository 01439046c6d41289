// The moments of Cohen et al. 2012, section 6, computed from the parameters of a grammar instead of a sample.
#pragma once

#include <vector>

#include "grammar/latent_grammar.hpp"

namespace firth::reference {

/// A dense matrix by rows.
using Dense = std::vector<std::vector<double>>;

/// What the theorems speak of, for one symbol.
struct SymbolMoments {
  Dense inside;   ///< I^a, features x states: phi = the rule at the node
  Dense outside;  ///< J^a: psi = the rule above with the foot marked, and the sister's rule; or "root"
  std::vector<double> gamma;  ///< P(h | a)
  double expected = 0;        ///< nodes of the symbol in a tree
};

/// Of every symbol; the grammar must be proper.
std::vector<SymbolMoments> population_moments(const grammar::LatentGrammar& grammar);

/// The observable representation of equations 2 to 4 from exact moments, with U and V of lemma 1. `smallest`
/// gets the least ratio of the m-th singular value of an Omega^a to its first.
grammar::LatentGrammar observable_representation(const grammar::LatentGrammar& grammar, double& smallest);

}  // namespace firth::reference
