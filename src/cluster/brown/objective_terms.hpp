// The objective in integers: what a cluster pair and a marginal contribute to the AMI.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "base/fixed_log.hpp"
#include "cluster/brown/options_names.hpp"
#include "firth/counts.hpp"

namespace firth::brown {

/// Fixed-point nats times bigrams.
using Score = std::int64_t;

/// Terms of the windowed objective F = sum h(N(c,d)) - sum Sl(c) ln Ml(c) - sum Sr(c) ln Mr(c), Sl and Sr
/// being row and column sums of N inside the window, Ml and Mr the marginals in the whole text. Every term is
/// rounded once, so F and all losses are exact integers: they do not depend on the order of sums.
class ObjectiveTerms {
 public:
  ObjectiveTerms(const Counts& counts, BrownMarginals marginals, unsigned threads);

  Score h(Count x) const { return log_.h(x); }
  /// phi(a,b) = h(a) + h(b) - h(a+b) <= 0: what two cells lose by becoming one.
  Score phi(Count a, Count b) const { return h(a) + h(b) - h(a + b); }
  /// The same for the four cells that two clusters have with themselves and each other.
  Score phi(Count vv, Count vw, Count wv, Count ww) const {
    return h(vv) + h(vw) + h(wv) + h(ww) - h(vv + vw + wv + ww);
  }
  std::span<const Score> table() const noexcept { return log_.table(); }

  /// ln of a marginal; 0 for 0. Long double inside: the same on every machine.
  static double ln(Count x) { return x < kLogTable ? log_table()[x] : compute_ln(x); }

  /// S ln M, cut to an integer.
  Score weigh(double degree, double ln_marginal) const {
    return static_cast<Score>(degree * ln_marginal * scale_);
  }

  double scale() const noexcept { return scale_; }
  double nats(Score value) const noexcept { return log_.nats(value); }

  /// F and the sum of all N inside the window to AMI in bits.
  double ami_bits(Score objective, Count inside) const;

  Count left_marginal(WordId word) const { return left_[word]; }
  Count right_marginal(WordId word) const { return right_[word]; }
  Count total() const noexcept { return total_; }
  double inside_weight() const noexcept { return inside_weight_; }

 private:
  static constexpr Count kLogTable = Count{1} << 15;
  static double compute_ln(Count x) {
    return x == 0 ? 0.0 : static_cast<double>(std::log(static_cast<long double>(x)));
  }
  static const double* log_table();

  base::FixedLog log_;
  double scale_;
  Count total_;
  double inside_weight_;  ///< nats that every bigram inside the window adds to F
  double bits_;           ///< nats times bigrams to bits
  std::vector<Count> left_;
  std::vector<Count> right_;
};

}  // namespace firth::brown
