#include "firth/error.hpp"
#include "firth/progress.hpp"

namespace firth {

void RunOptions::check_stop() const {
  if (stop.stop_requested()) throw Cancelled();
}

}  // namespace firth
