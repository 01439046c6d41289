// Memory for large tables.
#pragma once

#include <cstddef>
#include <memory>

namespace firth::base {

/// Zeroed bytes, in huge pages where the system has them: tables that are read at random, or filled once from end to end, spend much
/// of their time on small ones. Throws std::bad_alloc.
std::shared_ptr<void> large_memory(std::size_t bytes);

}  // namespace firth::base
