// From counted pairs in any order to a sparse matrix by rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "counts/pairs/pair_source.hpp"
#include "firth/counts.hpp"
#include "firth/run.hpp"

namespace firth::counts {

/// What building a matrix may use.
struct BuildOptions {
  std::uint64_t max_bytes = 0;  ///< memory for it; 0 = no limit
  std::string temp_folder;      ///< for what does not fit
};

/// Adds up equal pairs of all sources; ids are below `words`. The result is the same for any split of the
/// pairs into sources, any number of threads and any memory. If the matrix does not fit the memory it lies
/// in a mapped temporary file.
PairCounts build_pairs(std::size_t words, const std::vector<std::unique_ptr<PairSource>>& sources,
                       const BuildOptions& options, const RunOptions& run);

}  // namespace firth::counts
