// The makers of the clustering methods, one a file in this folder.
#pragma once

#include "commands/cluster_method.hpp"

namespace firth::cli {

std::unique_ptr<ClusterMethod> make_brown_method();

}  // namespace firth::cli
