// The sparse expectation step of hidden Markov models by enumeration and a generic convex solver.
#pragma once

#include <vector>

#include "firth/hmm.hpp"

namespace firth::reference {

using Sentences = std::vector<std::vector<WordId>>;

/// Minimises, over penalties of at least 0 that add up to at most sigma for each word and state,
/// ln sum of p(text, states) exp(-penalties), by Frank-Wolfe steps with line search. All sequences of states are enumerated.
/// The minimum is between `value - gap` and `value`.
struct SparseMinimum {
  double value = 0;
  double gap = 0;
};
SparseMinimum solve_sparse(const HmmModel& model, const Sentences& sentences, double sigma,
                           std::size_t iterations);

}  // namespace firth::reference
