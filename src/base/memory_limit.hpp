// What a run may take of the memory. One unit everywhere: a megabyte is 2^20 bytes, as in the limit itself.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "firth/run.hpp"

namespace firth::base {

/// Whether the run may take that many bytes.
inline bool fits_memory(const RunOptions& run, std::uint64_t bytes) {
  return run.memory_bytes == 0 || bytes <= run.memory_bytes;
}

/// The memory of this machine, in bytes.
std::uint64_t machine_memory() noexcept;

/// Throws ResourceError if the run may not take that many bytes: "`what` needs 600 MB of memory, 512 MB are
/// allowed; raise RunOptions::memory_bytes, or `hint`". Without a limit, the limit is what the machine has: more would
/// end the run, or others, without a word.
void require_memory(const RunOptions& run, std::uint64_t bytes, std::string_view what,
                    std::string_view hint = "");

}  // namespace firth::base
