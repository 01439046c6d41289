#include "commands/run_cost.hpp"

#include <malloc.h>

#include <ctime>
#include <fstream>
#include <string>

namespace firth::cli {
namespace {

double process_cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Gives back what earlier work has freed, and lets Linux forget the peak; false where it does not.
bool forget_peak() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
  std::ofstream file("/proc/self/clear_refs");
  file << "5" << std::flush;
  return file.good();
}

}  // namespace

RunCost::RunCost() : started_(process_cpu_seconds()), peak_is_fresh_(forget_peak()) {}

double RunCost::cpu_seconds() const {
  return process_cpu_seconds() - started_;
}

std::optional<std::uint64_t> RunCost::peak_memory() const {
  if (!peak_is_fresh_) return std::nullopt;
  std::ifstream file("/proc/self/status");
  for (std::string name; file >> name;) {
    std::uint64_t kilobytes = 0;
    if (name == "VmHWM:" && file >> kilobytes) return 1024 * kilobytes;
  }
  return std::nullopt;
}

}  // namespace firth::cli
