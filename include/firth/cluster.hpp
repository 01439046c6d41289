// One function for every method of clustering.
//
//   firth::ClusterMethod method = firth::cluster_method("brown");
//   firth::set_classes(method, 500);
//   const firth::ClusterResult result = firth::cluster(counts, method);
#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "firth/auto.hpp"
#include "firth/brown.hpp"
#include "firth/cluster_result.hpp"
#include "firth/exchange.hpp"
#include "firth/pos.hpp"
#include "firth/spectral.hpp"
#include "firth/svd2.hpp"

namespace firth {

/// A method, as its options.
using ClusterMethod =
    std::variant<AutoOptions, ExchangeOptions, BrownOptions, SpectralOptions, Svd2Options, PosOptions>;

/// What is to be known about a method before it is chosen.
struct ClusterMethodInfo {
  std::string_view name;     ///< e.g. "auto"
  std::string_view summary;  ///< half a line for help pages
  ClusterMethod defaults;    ///< its options
};

/// Every method, the one for most users first.
[[nodiscard]] const std::vector<ClusterMethodInfo>& cluster_methods();

/// The default options of the method called `name`. Throws UsageError that lists the names.
[[nodiscard]] ClusterMethod cluster_method(std::string_view name);

/// The name of a method.
[[nodiscard]] std::string_view method_name(const ClusterMethod& method);

/// Every method has a number of classes.
void set_classes(ClusterMethod& method, ClassId classes);

/// Distances that must have been counted (CountOptions::distances) for the method, rising.
[[nodiscard]] std::vector<int> required_distances(const ClusterMethod& method);

/// Throws UsageError if the options make no sense.
void validate(const ClusterMethod& method);

/// Clusters all words with the method: the same as cluster_auto(), cluster_exchange() and so on, whose headers say
/// what each does and throws.
[[nodiscard]] ClusterResult cluster(const Counts& counts, const ClusterMethod& method,
                                    const RunOptions& run = {});

}  // namespace firth
