#include "commands/estimate_text.hpp"

#include <fmt/format.h>

#include <firth/printable.hpp>
#include <variant>

#include "progress_bar.hpp"

namespace firth::cli {
namespace {

/// Below this many words every method is done within seconds.
constexpr std::size_t kMinWordsToEstimate = 10000;

/// People do not wait for so long without a word.
constexpr double kLongSeconds = 30;

/// "8 s", "12 min", "3 h".
std::string time_text(double seconds) {
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  if (seconds < 1) return "1 s";
  if (seconds < 2 * kMinute) return fmt::format("{:.0f} s", seconds);
  if (seconds < 2 * kHour) return fmt::format("{:.0f} min", seconds / kMinute);
  return fmt::format("{:.0f} h", seconds / kHour);
}

std::string table_line(const Counts& counts, ClassId classes) {
  std::string line;
  const auto add = [&](const char* name, const ClusterMethod& method, bool memory) {
    const auto estimate = estimate_clustering(counts, method);
    if (!estimate) return;
    if (!line.empty()) line += ", ";
    line += fmt::format("{} {}", name, time_text(estimate->cpu_seconds));
    if (memory) line += fmt::format(" ({})", memory_text(estimate->memory_bytes));
  };
  add("auto fast", AutoOptions{.classes = classes, .effort = SearchEffort::fast}, true);
  add("normal", AutoOptions{.classes = classes}, false);
  add("high", AutoOptions{.classes = classes, .effort = SearchEffort::high}, false);
  add("max", AutoOptions{.classes = classes, .effort = SearchEffort::max}, false);
  add("brown", BrownOptions{.classes = classes}, true);
  SpectralOptions spectral{.classes = classes};
  add("spectral", spectral, true);
  spectral.context = {-1, 1};
  if (counts.distances().size() == 1) add("spectral --context LR1", spectral, true);
  return fmt::format("  {} classes: {}", classes, line);
}

}  // namespace

std::string estimate_text(const ClusterEstimate& estimate) {
  return fmt::format("about {} and {} of one core", memory_text(estimate.memory_bytes),
                     time_text(estimate.cpu_seconds));
}

std::string long_run_text(const Counts& counts, const ClusterMethod& method, unsigned threads) {
  const auto estimate = estimate_clustering(counts, method, 1, threads);
  if (!estimate || estimate->cpu_seconds < kLongSeconds) return "";
  const std::string need = estimate_text(*estimate);
  const SearchLimits* limits = nullptr;
  if (const auto* options = std::get_if<AutoOptions>(&method)) limits = &options->limits;
  if (const auto* options = std::get_if<ExchangeOptions>(&method)) limits = &options->limits;
  if (limits == nullptr) return fmt::format("this takes {}", need);
  if (limits->max_seconds > 0) return fmt::format("the whole search would take {}", need);
  return fmt::format("this takes {}; Ctrl-C or --time ends it with the best classes found so far", need);
}

std::string estimate_table(const Counts& counts) {
  const std::size_t words = counts.vocabulary().size();
  if (words < kMinWordsToEstimate) return "";
  std::string table = "clustering will take about, on one core:";
  for (const ClassId classes : {100U, 1000U, 10000U}) {
    if (words >= 2 * std::size_t{classes}) table += "\n" + table_line(counts, classes);
  }
  return table;
}

}  // namespace firth::cli
