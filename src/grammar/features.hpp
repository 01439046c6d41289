// Feature vectors phi of inside trees and psi of outside trees (Cohen et al. 2012, section 6.1).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grammar/training_nodes.hpp"
#include "linalg/sparse.hpp"

namespace firth::grammar {

struct FeatureOptions {
  /// Scale each indicator by sqrt(M / (count + pseudo_count)): rare features weigh as much as common ones.
  bool scale = true;
  double pseudo_count = 5;
  /// Bit i set: template i is used; see README.md for the lists.
  std::uint32_t inside_templates = ~0u;
  std::uint32_t outside_templates = ~0u;
};

/// One row for each node of a symbol, in the order of the nodes.
struct SymbolFeatures {
  linalg::SparseRows<float> inside;
  linalg::SparseRows<float> outside;
};

SymbolFeatures extract_features(const TrainingNodes& trees, std::span<const std::uint32_t> nodes,
                                const FeatureOptions& options);

}  // namespace firth::grammar
