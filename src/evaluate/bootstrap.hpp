// How much scores would vary if the text were another one of the same kind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "firth/gold_tags.hpp"
#include "firth/run.hpp"

namespace firth::evaluate {

/// The table that resamples are counted into.
struct BootstrapTable {
  std::size_t classes;
  std::size_t tags;
  std::span<const std::uint32_t> prototype_tags;
};

/// Items (cells of the table) in groups that are drawn as a whole: tokens of a sentence depend on each other.
struct BootstrapItems {
  std::span<const std::uint32_t> cells;
  std::span<const std::uint64_t> ends;  ///< of the groups
};

/// The middle 95 % of every score over `resamples` tables, each of as many groups as there are, drawn with
/// replacement, moved by the difference between the score and the mean of the resamples (the bias). The
/// numbers of one resample depend on run.seed and its index only.
ScoreIntervals bootstrap(const BootstrapTable& table, const BootstrapItems& items, std::uint32_t resamples,
                         const RunOptions& run);

}  // namespace firth::evaluate
