// The command firth: one process. firth-mpi has a main() of its own.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "exit_code.hpp"
#include "program.hpp"

namespace {

/// What a launcher of parallel programs says: the number of copies of this program, and which of them this is.
struct LauncherVariables {
  const char* copies;
  const char* number;
};
constexpr LauncherVariables kLaunchers[] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                            {"PMI_SIZE", "PMI_RANK"},
                                            {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};

long number_in(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? 0 : std::strtol(value, nullptr, 10);
}

/// The first of several copies says that there are several.
void warn_of_copies() {
  for (const LauncherVariables& launcher : kLaunchers) {
    const long copies = number_in(launcher.copies);
    if (copies < 2) continue;
    if (number_in(launcher.number) != 0) return;
    const std::string text = fmt::format(
        "firth: warning: {} copies of firth are running, and each does all the work; firth-mpi is the program whose "
        "copies work together\n",
        copies);
    std::fputs(text.c_str(), stderr);
    return;
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    warn_of_copies();
    return firth::cli::start(std::vector<std::string>(argv + 1, argv + argc), {});
  } catch (const std::bad_alloc&) {
    std::fputs("firth: error: out of memory\n", stderr);
    return firth::cli::kBadData;
  }
}
