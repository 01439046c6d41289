#include "firth/run.hpp"
#include "firth/error.hpp"

namespace firth {

void RunOptions::check_stop() const {
  if (stop.stop_requested()) throw Cancelled();
}

}  // namespace firth
