#include "firth/run.hpp"

#include "base/parallel.hpp"
#include "firth/error.hpp"

namespace firth {

unsigned usable_threads(unsigned requested) {
  return base::resolve_threads(requested);
}

void RunOptions::check_stop() const {
  if (stop.stop_requested()) throw Cancelled();
}

}  // namespace firth
