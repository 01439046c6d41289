// From counts to the scaled matrix Omega of words by contexts (Appendix A of Stratos et al. 2014).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "base/ranks.hpp"
#include "firth/embed.hpp"
#include "linalg/gram_operator.hpp"
#include "linalg/sparse.hpp"

namespace firth::vectors {

/// Throws InputError for counts without words, UsageError if a distance of the context was not counted.
void check_counts(const Counts& counts, const EmbedOptions& options);

/// The pseudocount that the options mean for these counts.
double kappa_for(const Counts& counts, const EmbedOptions& options);

/// Omega = [Omega_j] over the context offsets j. Pairs at distance d are stored once for offset +d and once
/// transposed, which serves offset -d; scaling happens to vectors, not to copies of the matrix. Ranks hold rows of
/// about the same number of pairs.
template <typename T>
class ContextMatrix {
 public:
  ContextMatrix(const Counts& counts, const EmbedOptions& options, const base::Ranks& ranks);

  /// Omega Omega^T; refers to this object.
  const linalg::GramOperator<T>& gram() const { return *gram_; }

 private:
  struct Pairs {
    linalg::SparseRows<T> forward;
    linalg::SparseRows<T> backward;
  };
  std::map<int, Pairs> pairs_;
  std::unique_ptr<linalg::GramOperator<T>> gram_;
};

/// Bytes that a ContextMatrix takes on each of `ranks` ranks.
std::uint64_t context_matrix_bytes(const Counts& counts, const EmbedOptions& options, std::size_t scalar,
                                   unsigned ranks);

}  // namespace firth::vectors
