// Hidden Markov models by looking at every sequence of states.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/rng.hpp"
#include "firth/hmm.hpp"

namespace firth::reference {

/// A model with random probabilities, some of them 0 if `sparse`.
HmmModel random_hmm(base::Rng& rng, std::uint32_t states, std::size_t words, bool sparse);

/// p(sentence, states).
double joint_probability(const HmmModel& model, std::span<const WordId> sentence,
                         std::span<const std::uint32_t> states);

/// Calls `work` with every sequence of states of this length.
void for_each_path(std::uint32_t states, std::size_t length,
                   const std::function<void(std::span<const std::uint32_t>)>& work);

}  // namespace firth::reference
