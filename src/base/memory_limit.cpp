#include "base/memory_limit.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <limits>

#include "firth/error.hpp"
#include "firth/printable.hpp"

namespace firth {

std::string memory_text(std::uint64_t bytes) {
  constexpr double kStep = 1024;
  const double kilobytes = static_cast<double>(bytes) / kStep;
  const double megabytes = kilobytes / kStep;
  const double gigabytes = megabytes / kStep;
  if (megabytes < 1) return fmt::format("{:.0f} KB", std::ceil(kilobytes));
  if (megabytes < 10) return fmt::format("{:.1f} MB", std::ceil(megabytes * 10) / 10);
  if (gigabytes < 1) return fmt::format("{:.0f} MB", std::ceil(megabytes));
  return fmt::format("{:.2f} GB", std::ceil(gigabytes * 100) / 100);
}

namespace base {

std::uint64_t machine_memory() noexcept {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return std::numeric_limits<std::uint64_t>::max();
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
}

void require_memory(const RunOptions& run, std::uint64_t bytes, std::string_view what,
                    std::string_view hint) {
  if (run.memory_bytes == 0 && bytes > machine_memory()) {
    throw ResourceError(fmt::format("{} needs {} of memory, this machine has {}", what, memory_text(bytes),
                                    memory_text(machine_memory())),
                        fmt::format("{}{}set RunOptions::memory_bytes to try it all the same", hint,
                                    hint.empty() ? "" : ", or "));
  }
  if (fits_memory(run, bytes)) return;
  throw ResourceError(fmt::format("{} needs {} of memory, {} are allowed", what, memory_text(bytes),
                                  memory_text(run.memory_bytes)),
                      fmt::format("raise RunOptions::memory_bytes{}{}", hint.empty() ? "" : ", or ", hint));
}

}  // namespace base
}  // namespace firth
