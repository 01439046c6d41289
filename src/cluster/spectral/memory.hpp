// What spectral clustering needs.
#pragma once

#include <cstdint>

#include "firth/counts.hpp"
#include "firth/run.hpp"
#include "firth/spectral.hpp"

namespace firth::spectral {

/// Peak memory besides the counts. The distances of the context must have been counted.
std::uint64_t memory_bytes(const Counts& counts, const SpectralOptions& options, const RunOptions& run);

}  // namespace firth::spectral
