// Clusterings of the same words at several numbers of classes, for `firth evaluate --sweep`.
#pragma once

#include <firth/clustering.hpp>
#include <firth/count.hpp>
#include <firth/run.hpp>
#include <string>
#include <vector>

namespace firth::cli {

/// How they are made.
enum class SweepMethod {
  cut,   ///< cuts of the tree of a clustering
  svd2,  ///< by SVD2 from text; descriptors are computed once
  pos,   ///< by --method pos from text
};

struct SweepInput {
  std::string input;  ///< a clustering, or a text
  ClusterFormat from;
  CountOptions count;
  std::vector<ClassId> classes;
};

std::vector<Clustering> sweep_classes(const SweepInput& input, SweepMethod method, const RunOptions& run);

}  // namespace firth::cli
