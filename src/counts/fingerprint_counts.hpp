// Counts as a part of what decides a result.
#pragma once

#include "base/fingerprint.hpp"
#include "firth/counts.hpp"

namespace firth::counts {

void add_vocabulary(base::Fingerprint& print, const Vocabulary& vocabulary);
void add_pairs(base::Fingerprint& print, const PairCounts& pairs);

}  // namespace firth::counts
