#include "firth/cluster.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "firth/auto.hpp"
#include "firth/brown.hpp"
#include "firth/cluster_result.hpp"
#include "firth/error.hpp"
#include "firth/exchange.hpp"
#include "firth/pos.hpp"
#include "firth/spectral.hpp"
#include "firth/svd2.hpp"

namespace firth {
namespace {

// One overload for each alternative: a method without one does not compile.
struct RunMethod {
  const Counts& counts;
  const RunOptions& run;

  ClusterResult operator()(const AutoOptions& options) const { return cluster_auto(counts, options, run); }
  ClusterResult operator()(const ExchangeOptions& options) const {
    return cluster_exchange(counts, options, run);
  }
  ClusterResult operator()(const BrownOptions& options) const { return cluster_brown(counts, options, run); }
  ClusterResult operator()(const SpectralOptions& options) const {
    return cluster_spectral(counts, options, run);
  }
  ClusterResult operator()(const Svd2Options& options) const { return cluster_svd2(counts, options, run); }
  ClusterResult operator()(const PosOptions& options) const { return cluster_pos(counts, options, run); }
};

struct Distances {
  std::vector<int> operator()(const SpectralOptions& options) const {
    std::vector<int> distances = context_distances(options.context);
    // The score of classes is about direct neighbours, whatever the context.
    if (distances.empty() || distances.front() != 1) distances.insert(distances.begin(), 1);
    return distances;
  }
  std::vector<int> operator()(const PosOptions& options) const {
    return options.skip_weight > 0 ? std::vector<int>{1, 2} : std::vector<int>{1};
  }
  template <class Options>
  std::vector<int> operator()(const Options& /*options*/) const {
    return {1};
  }
};

}  // namespace

const std::vector<ClusterMethodInfo>& cluster_methods() {
  static const std::vector<ClusterMethodInfo> methods = {
      {"auto", "a search for the highest AMI, with a tree", AutoOptions{}},
      {"exchange", "words move until no move helps", ExchangeOptions{}},
      {"brown", "exact Brown clustering, as wcluster", BrownOptions{}},
      {"spectral", "singular vectors of contexts, then Ward (Stratos et al. 2014)", SpectralOptions{}},
      {"svd2", "singular vectors and k-means, twice (Lamar et al. 2010)", Svd2Options{}},
      {"pos", "parts of speech: neighbours and spelling together", PosOptions{}},
  };
  return methods;
}

ClusterMethod cluster_method(std::string_view name) {
  std::string names;
  for (const ClusterMethodInfo& method : cluster_methods()) {
    if (method.name == name) return method.defaults;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", method.name);
  }
  throw UsageError(fmt::format("there is no method '{}'", name), fmt::format("choose one of {}", names));
}

std::string_view method_name(const ClusterMethod& method) {
  const auto& methods = cluster_methods();
  return std::find_if(methods.begin(), methods.end(),
                      [&](const ClusterMethodInfo& info) { return info.defaults.index() == method.index(); })
      ->name;
}

void set_classes(ClusterMethod& method, ClassId classes) {
  std::visit([&](auto& options) { options.classes = classes; }, method);
}

std::vector<int> required_distances(const ClusterMethod& method) {
  return std::visit(Distances{}, method);
}

void validate(const ClusterMethod& method) {
  std::visit([](const auto& options) { validate(options); }, method);
}

ClusterResult cluster(const Counts& counts, const ClusterMethod& method, const RunOptions& run) {
  return std::visit(RunMethod{counts, run}, method);
}

}  // namespace firth
