// More classes: splitting those that gain most.
#pragma once

#include <cstdint>
#include <vector>

#include "base/worker_team.hpp"
#include "cluster/exchange/state.hpp"
#include "cluster/exchange/sweep.hpp"

namespace firth::exchange {

/// Splits classes until there are `target`: every class is halved at random and improved by exchange between
/// its halves; the splits with the largest gains of F are made. Returns the class of every unit; there may
/// be fewer than `target` classes if too few can be split. Units that `rules` fix stay in the first half.
std::vector<ClassId> split_classes(const State& state, ClassId target, const MoveRules* rules,
                                   std::uint64_t seed, const base::Crew& crew);

}  // namespace firth::exchange
