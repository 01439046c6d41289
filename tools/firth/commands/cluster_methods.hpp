// The makers of the clustering methods, each in a file of its own in this folder.
#pragma once

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

/// Options of the methods that can be continued.
struct CheckpointSettings {
  std::string file;  ///< "" = none
  bool resume = false;
};

/// Heading of those options.
inline constexpr const char* kCheckpointGroup = "Only for --method auto, exchange and brown";

/// What several methods share.
struct SharedSettings {
  SearchSettings search;
  CheckpointSettings checkpoint;
};

std::unique_ptr<MethodOptions> make_auto_method(std::shared_ptr<SharedSettings> settings);
std::unique_ptr<MethodOptions> make_exchange_method(std::shared_ptr<SharedSettings> settings);
std::unique_ptr<MethodOptions> make_brown_method(std::shared_ptr<SharedSettings> settings);
std::unique_ptr<MethodOptions> make_spectral_method();
std::unique_ptr<MethodOptions> make_svd2_method();
std::unique_ptr<MethodOptions> make_pos_method();

}  // namespace firth::cli
