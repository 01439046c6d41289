#include "commands/cluster_method.hpp"

namespace firth::cli {

std::vector<std::unique_ptr<ClusterMethod>> all_cluster_methods() {
  std::vector<std::unique_ptr<ClusterMethod>> methods;
  return methods;
}

}  // namespace firth::cli
