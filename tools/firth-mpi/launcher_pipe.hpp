// Last words of a rank.
#pragma once

#include <sys/ioctl.h>
#include <sys/stat.h>

#include <chrono>
#include <thread>

namespace firth::mpi {

/// MPICH's launcher forgets what it has not yet read from the pipe of a rank when the job is aborted: the message
/// that says why. Waits for it, half a second at most.
inline void wait_until_read(int file) {
  constexpr int kTries = 50;
  constexpr auto kPause = std::chrono::milliseconds(10);
  struct stat status = {};
  if (::fstat(file, &status) != 0 || !S_ISFIFO(status.st_mode)) return;
  for (int i = 0; i < kTries; ++i) {
    int unread = 0;
    std::this_thread::sleep_for(kPause);  // also to pass on what has been read
    if (::ioctl(file, FIONREAD, &unread) != 0 || unread == 0) return;
  }
}

}  // namespace firth::mpi
