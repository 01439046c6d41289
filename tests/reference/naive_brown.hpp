// Brown clustering as the papers describe it: the AMI is recomputed from the word pairs for every candidate.
#pragma once

#include <vector>

#include "firth/brown.hpp"

namespace firth::reference {

/// One merge by the words that name the clusters (their smallest ids), and the AMI in bits after it.
struct NaiveMerge {
  std::uint32_t left = 0;  ///< node: words first, then merges in order
  std::uint32_t right = 0;
  double ami_bits = 0;
};

struct NaiveBrown {
  std::vector<NaiveMerge> merges;
  std::vector<double> trace;  ///< AMI after every insertion and merge
};

/// All merges down to one cluster. Few dozen words only.
NaiveBrown naive_brown(const Counts& counts, const BrownOptions& options);

}  // namespace firth::reference
