#include "commands/cluster_methods.hpp"

namespace firth::cli {

std::vector<std::unique_ptr<ClusterMethod>> all_cluster_methods() {
  std::vector<std::unique_ptr<ClusterMethod>> methods;
  const auto search = std::make_shared<SearchSettings>();
  methods.push_back(make_auto_method(search));
  methods.push_back(make_exchange_method(search));
  methods.push_back(make_brown_method());
  methods.push_back(make_spectral_method());
  methods.push_back(make_svd2_method());
  methods.push_back(make_pos_method());
  return methods;
}

}  // namespace firth::cli
