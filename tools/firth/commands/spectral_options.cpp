#include "commands/spectral_options.hpp"

#include <fmt/format.h>

#include <firth/error.hpp>

#include "whole_number.hpp"

namespace firth::cli {

void declare_spectral_options(OptionTable& options, SpectralTexts& texts) {
  options.text(
      "--context", "CONTEXT", texts.context,
      "Positions around a word that make its context: R1 (the next word), LR1 (one to each side), LR2 (two "
      "to each side), or a list of offsets within -5..5 such as -1,+1,+2.");
  options.text(
      "--kappa", "KAPPA", texts.kappa,
      "Smoothing pseudo-count, at least 0; higher values reduce the influence of rare words; auto = by the size of the corpus. The paper used 200 and 5000.");
  options.real(
      "--svd-tolerance", "EPS", texts.tolerance, {1e-6, 0.5},
      "Convergence tolerance of the SVD: the residual of each singular vector, relative to the largest singular value.");
}

std::optional<double> parse_kappa(const std::string& text) {
  if (text == "auto") return std::nullopt;
  const std::optional<double> value = whole_number<double>(text);
  if (!value)
    throw UsageError(fmt::format("--kappa: '{}' is not a number", text), "give a number >= 0, or auto");
  return value;
}

}  // namespace firth::cli
