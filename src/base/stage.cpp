#include "base/stage.hpp"

namespace firth::base {

// A sink that throws must not end the program while another exception is under way.
Stage::~Stage() {
  try {
    end();
  } catch (...) {
    progress_ = nullptr;
  }
}

}  // namespace firth::base
