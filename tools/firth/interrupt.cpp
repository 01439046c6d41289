#include "interrupt.hpp"

#include <unistd.h>

#include <csignal>

namespace firth::cli {
namespace {

constexpr int kFinish = SIGUSR1;  // sent to the watcher only, when the work is done

sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGHUP);
  sigaddset(&set, kFinish);
  return set;
}

}  // namespace

InterruptGuard::InterruptGuard() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is an error to report, not a death
  // Blocked here, before any other thread exists, so that all threads inherit it and only the watcher sees
  // them.
  const sigset_t set = watched_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  watcher_ = std::thread([this, set] {
    for (int received = 0; sigwait(&set, &received) == 0;) {
      if (received == kFinish) return;
      if (!source_.request_stop()) ::_exit(130);
    }
  });
}

InterruptGuard::~InterruptGuard() {
  pthread_kill(watcher_.native_handle(), kFinish);
  watcher_.join();
}

}  // namespace firth::cli
