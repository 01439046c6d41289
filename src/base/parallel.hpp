// The only place that knows the threading library.
#pragma once

#include <cstddef>
#include <functional>

namespace firth::base {

/// Number of threads to use for a request: 0 means all cores.
unsigned resolve_threads(unsigned requested);

/// Calls body(begin, end) for consecutive pieces of [0, size), each at most `grain` long, on up to `threads`
/// threads (0 = all). Pieces depend on `grain` only, never on the number of threads: a body that writes its
/// results by index gives the same result for any number. The first exception is rethrown after the join.
void parallel_for(std::size_t size, std::size_t grain, unsigned threads,
                  const std::function<void(std::size_t begin, std::size_t end)>& body);

}  // namespace firth::base
