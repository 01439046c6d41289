// From counts to probabilities.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "firth/class_lm.hpp"
#include "lm/trie.hpp"

namespace firth::lm {

/// What is taken from a count of 0, 1, 2, and 3 or more.
using Discounts = std::array<double, 4>;

/// Modified Kneser-Ney discounts of one order (Chen & Goodman 1998, eq. 26) from the n-grams seen once,
/// twice, three and four times: `seen[k]`, k = 1..4. Where these counts of counts are missing or give a
/// discount outside [0, k] - usual for classes - the single discount n1 / (n1 + 2 n2), or if that does not
/// exist 0.5, 1, 1.5; then `fell_back` is set.
Discounts kneser_ney_discounts(const std::array<Count, 5>& seen, bool& fell_back);

/// How to estimate.
struct EstimateOptions {
  LmSmoothing smoothing = LmSmoothing::kneser_ney;
  bool boundaries = true;  ///< </s> can be predicted
};

/// Which counts the smoothing needs below the highest order.
LowerCounts lower_counts(LmSmoothing smoothing);

/// Interpolated probabilities of all orders. Reports discounts that had to fall back through run.progress.
Trie estimate(NgramLevels levels, const EstimateOptions& options, const RunOptions& run);

}  // namespace firth::lm
