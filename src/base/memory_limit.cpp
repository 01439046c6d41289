#include "base/memory_limit.hpp"

#include <fmt/format.h>

#include <cmath>

#include "firth/error.hpp"

namespace firth::base {

std::string memory_text(std::uint64_t bytes) {
  constexpr double kKilobyte = 1024;
  constexpr double kMegabyte = kKilobyte * kKilobyte;
  constexpr double kDecimalsBelow = 10;
  const double megabytes = static_cast<double>(bytes) / kMegabyte;
  if (megabytes < 1) return fmt::format("{:.0f} KB", std::ceil(static_cast<double>(bytes) / kKilobyte));
  if (megabytes < kDecimalsBelow) return fmt::format("{:.1f} MB", std::ceil(megabytes * 10) / 10);
  return fmt::format("{:.0f} MB", std::ceil(megabytes));
}

void require_memory(const RunOptions& run, std::uint64_t bytes, std::string_view what,
                    std::string_view hint) {
  if (fits_memory(run, bytes)) return;
  throw ResourceError(fmt::format("{} needs {} of memory, {} are allowed", what, memory_text(bytes),
                                  memory_text(run.memory_bytes)),
                      fmt::format("raise RunOptions::memory_bytes{}{}", hint.empty() ? "" : ", or ", hint));
}

}  // namespace firth::base
