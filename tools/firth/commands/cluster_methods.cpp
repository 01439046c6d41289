#include "commands/cluster_methods.hpp"

#include <map>

namespace firth::cli {

std::vector<NamedMethod> all_cluster_methods(const std::shared_ptr<SharedSettings>& shared) {
  std::map<std::string_view, std::unique_ptr<MethodOptions>> options;
  options["auto"] = make_auto_method(shared);
  options["exchange"] = make_exchange_method(shared);
  options["brown"] = make_brown_method(shared);
  options["spectral"] = make_spectral_method(shared);
  options["svd2"] = make_svd2_method();
  options["pos"] = make_pos_method();
  std::vector<NamedMethod> methods;
  for (const ClusterMethodInfo& method : cluster_methods()) {
    methods.push_back(
        {std::string(method.name), std::string(method.summary), std::move(options.at(method.name))});
  }
  return methods;
}

}  // namespace firth::cli
