#include "standard_streams.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <initializer_list>

namespace firth::cli {

void fill_standard_streams() noexcept {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(number, F_GETFD) >= 0) continue;
    // Opened the wrong way round; open() takes the lowest free number, which is this one.
    const int opened = ::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (opened < 0) ::open("/", O_RDONLY | O_DIRECTORY);
  }
}

bool is_input_piped() noexcept {
  struct stat status {};
  return ::fstat(STDIN_FILENO, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) ||
                                                 (S_ISREG(status.st_mode) && status.st_size > 0));
}

}  // namespace firth::cli
