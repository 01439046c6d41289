// Windowed Ward clustering: Figure 5 of Stratos et al. 2014, the same merges at a fraction of the cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "firth/run.hpp"
#include "linalg/blas.hpp"

namespace firth::spectral {

/// Nodes 0..n-1 are the words; merge i makes node n + i.
struct WardMerge {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  double cost = 0;
};

struct WardStats {
  std::uint64_t searches = 0;     ///< rows whose bound had to be made tight
  double searches_per_merge = 0;  ///< gamma of the paper
};

template <typename T>
struct WardInput {
  linalg::View<const T> vectors;    ///< one row per word, in the order in which they enter
  std::span<const double> weights;  ///< positive, one per word; empty = every word weighs 1
  std::size_t window = 0;           ///< clusters kept while words enter, >= 1
  std::span<const T> scales = {};   ///< what each row is multiplied by when it enters; empty = nothing
};

/// n - 1 merges. At most window + 1 clusters exist at a time; when all words are in, merging goes on down to
/// one. Ties go to the slot that comes first. Cost: 2 n window dim for the dot products and O(n window) for
/// the rest; memory: window^2 + window * dim numbers.
template <typename T>
std::vector<WardMerge> windowed_ward(const WardInput<T>& input, const RunOptions& run,
                                     WardStats* stats = nullptr);

/// Bytes that windowed_ward() takes besides its input and result.
std::uint64_t ward_bytes(std::size_t words, std::size_t window, std::size_t dim, std::size_t scalar);

}  // namespace firth::spectral
