// What the commands on the spectral method share.
#pragma once

#include <optional>
#include <string>

#include "option_table.hpp"

namespace firth::cli {

/// The fields behind the options: texts until they are parsed.
struct SpectralTexts {
  std::string context = "LR2";
  std::string kappa = "auto";
  double tolerance = 0;
};

/// --context, --kappa, --tolerance.
void declare_spectral_options(OptionTable& options, SpectralTexts& texts);

/// A number, or nothing for "auto". Throws UsageError.
std::optional<double> parse_kappa(const std::string& text);

}  // namespace firth::cli
