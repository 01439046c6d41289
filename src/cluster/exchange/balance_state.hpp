// Classes of limited size that keep as much of F as possible.
#pragma once

#include "cluster/exchange/search_context.hpp"
#include "cluster/exchange/state.hpp"
#include "firth/class_sizes.hpp"
#include "firth/run.hpp"

namespace firth::exchange {

/// The state with its classes brought within the limits by moves and swaps of units. Constraints are kept. Throws
/// UsageError if the units cannot fit, Cancelled.
State balanced(const SearchProblem& search_problem, State state, const ClassSizes& sizes,
               const RunOptions& run);

/// Throws UsageError if sizes are limited and ranks hold the neighbour lists together.
void require_lists_for(const ClassSizes& sizes, const RunOptions& run);

/// AMI of the words under a state, that of line ends left out.
double word_ami_bits(const SearchProblem& search_problem, const State& state);

}  // namespace firth::exchange
