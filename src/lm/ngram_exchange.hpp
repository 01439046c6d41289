// The n-grams of all ranks as one sorted list.
#pragma once

#include "base/ranks.hpp"
#include "lm/count_file.hpp"
#include "lm/ngram_counts.hpp"

namespace firth::lm {

/// Adds up equal n-grams of the counters of all ranks, which have the same symbols; the counters are empty afterwards.
/// On rank 0 all of them, on other ranks only their number.
EncodedNgrams join_ngrams(std::unique_ptr<NgramCounter> counter, const NgramCountOptions& options,
                          const base::Ranks& ranks, const RunOptions& run);

}  // namespace firth::lm
