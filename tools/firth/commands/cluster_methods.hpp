// The makers of the clustering methods, one a file in this folder.
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
};

/// Heading of those options.
inline constexpr const char* kSearchGroup = "Only for --method auto and exchange";

std::unique_ptr<MethodOptions> make_auto_method(std::shared_ptr<SearchSettings> settings);
std::unique_ptr<MethodOptions> make_exchange_method(std::shared_ptr<SearchSettings> settings);
std::unique_ptr<MethodOptions> make_brown_method();
std::unique_ptr<MethodOptions> make_spectral_method();
std::unique_ptr<MethodOptions> make_svd2_method();
std::unique_ptr<MethodOptions> make_pos_method();

}  // namespace firth::cli
