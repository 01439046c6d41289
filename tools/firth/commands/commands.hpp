// The makers of the commands, one a file in this folder.
#pragma once

#include <memory>

#include "command.hpp"

namespace firth::cli {


}  // namespace firth::cli
