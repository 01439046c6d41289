#include "interrupt.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <system_error>

namespace firth::cli {
namespace {

// A handler, not sigwait(): libraries start threads before main() that do not block our signals, and any
// thread may be the one that gets them. It may only do what is safe in a handler: count and write to a pipe.
std::atomic<int> signals_seen{0};
std::array<int, 2> wake_pipe = {-1, -1};

constexpr char kSignal = 's';
constexpr char kFinish = 'f';

void on_signal(int) {
  if (signals_seen.fetch_add(1) > 0) ::_exit(130);
  const int before = errno;
  [[maybe_unused]] const ssize_t written = ::write(wake_pipe[1], &kSignal, 1);
  errno = before;
}

/// A signal that is ignored already (nohup, background jobs) stays so.
void handle(int number) {
  struct sigaction old {};
  ::sigaction(number, nullptr, &old);
  if (old.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  ::sigaction(number, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is reported by write(), like a full disk
  if (::pipe(wake_pipe.data()) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  watcher_ = std::thread([this] {
    char what = 0;
    while (true) {
      const ssize_t got = ::read(wake_pipe[0], &what, 1);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0 || what == kFinish) return;
      source_.request_stop();
    }
  });
  sigset_t watched;
  sigemptyset(&watched);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    handle(number);
    sigaddset(&watched, number);
  }
  // The watcher is idle and answers at once; this thread and those it starts leave the signals to it.
  pthread_sigmask(SIG_BLOCK, &watched, nullptr);
}

InterruptGuard::~InterruptGuard() {
  [[maybe_unused]] const ssize_t written = ::write(wake_pipe[1], &kFinish, 1);
  watcher_.join();
}

}  // namespace firth::cli
