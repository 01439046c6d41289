// Feature vectors phi of inside trees and psi of outside trees (Cohen et al. 2012, section 6.1).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "grammar/training_nodes.hpp"
#include "linalg/sparse.hpp"

namespace firth::grammar {

/// Names of the templates, in the order of their bits. Tags have the first and the last of the inside ones.
inline constexpr std::array<std::string_view, 9> kInsideTemplates = {
    "rule", "left", "right", "left-rule", "right-rule", "length", "first-word", "last-word", "spelling"};
inline constexpr std::array<std::string_view, 12> kOutsideTemplates = {
    "rule",        "two-rules",  "three-rules", "parent",    "grandparent",  "sister",
    "word-before", "word-after", "tag-before",  "tag-after", "words-before", "words-after"};

struct FeatureOptions {
  /// Scale each indicator by sqrt(M / (count + pseudo_count)): rare features weigh as much as common ones.
  bool scale = true;
  double pseudo_count = 5;
  /// Bit i set: template i is used.
  std::uint32_t inside_templates = ~0u;
  std::uint32_t outside_templates = ~0u;
};

/// One row for each node of a symbol, in the order of the nodes. Columns are the features of sampled nodes.
struct SymbolFeatures {
  linalg::SparseRows<float> inside;
  linalg::SparseRows<float> outside;
};

SymbolFeatures extract_features(const TrainingNodes& trees, std::span<const std::uint32_t> nodes,
                                const FeatureOptions& options);

}  // namespace firth::grammar
