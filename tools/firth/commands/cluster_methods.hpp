// The makers of the clustering methods, each in a file of its own in this folder.
#pragma once

#include <firth/checkpoint.hpp>
#include <firth/class_sizes.hpp>
#include <firth/spectral.hpp>
#include <memory>

#include "commands/cluster_method.hpp"

namespace firth::cli {

/// Options that the searching methods share.
struct SearchSettings {
  std::string init;           ///< "" = the method's own start
  std::string constraints;    ///< a file, "" = none
  bool boundaries = false;    ///< line ends count
  double size_weight = 0;     ///< of the prior on the sizes of classes
  std::vector<ClassId> cuts;  ///< further numbers of classes
  double max_seconds = 0;     ///< 0 = no limit
};

/// Heading of those options.
inline constexpr const char* kSearchGroup = "Only for --method auto and exchange";

/// Heading of constraints and line ends.
inline constexpr const char* kRulesGroup = "Only for --method auto, exchange and brown";

/// Heading of the options of a run that can be continued.
inline constexpr const char* kCheckpointGroup = "Only for --method auto, exchange, brown and spectral";

/// Heading of the option that says what words weigh.
inline constexpr const char* kWeightsGroup = "Only for --method spectral and --vectors";

/// Heading of the option that limits the sizes of classes.
inline constexpr const char* kSizeGroup = "Only for --method auto, exchange, spectral and --vectors";

/// What several methods share.
struct SharedSettings {
  SearchSettings search;
  CheckpointOptions checkpoint;
  std::size_t weights = 0;  ///< 0 = the method's own; else 1 + WordWeights

  std::string sizes;  ///< of classes, as they were given; "" = any

  ClassSizes class_sizes() const { return sizes.empty() ? ClassSizes{} : parse_class_sizes(sizes); }
  WordWeights weights_or(WordWeights own) const {
    return weights == 0 ? own : static_cast<WordWeights>(weights - 1);
  }
};

/// Every method of the library, in its order, by name.
std::vector<NamedMethod> all_cluster_methods(const std::shared_ptr<SharedSettings>& shared);

std::unique_ptr<MethodOptions> make_auto_method(std::shared_ptr<SharedSettings> settings);
std::unique_ptr<MethodOptions> make_exchange_method(std::shared_ptr<SharedSettings> settings);
std::unique_ptr<MethodOptions> make_brown_method(std::shared_ptr<SharedSettings> settings);
std::unique_ptr<MethodOptions> make_spectral_method(std::shared_ptr<SharedSettings> settings);
std::unique_ptr<MethodOptions> make_svd2_method();
std::unique_ptr<MethodOptions> make_pos_method();

}  // namespace firth::cli
