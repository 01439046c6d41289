// The makers of the commands, one a file in this folder.
#pragma once

#include <memory>

#include "command.hpp"

namespace firth::cli {

std::unique_ptr<Command> make_count_command();
std::unique_ptr<Command> make_cluster_command();

}  // namespace firth::cli
