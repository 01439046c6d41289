#include "interrupt.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <string_view>
#include <system_error>

#include "exit_code.hpp"

namespace firth::cli {
namespace {

// A handler, not sigwait(): libraries start threads before main() that do not block our signals, and any
// thread may be the one that gets them. It may only do what is safe in a handler: count and write to a pipe.
std::atomic<int> signals_seen{0};
std::array<int, 2> wake_pipe = {-1, -1};

constexpr char kSignal = 's';
constexpr char kFinish = 'f';
// Work that has not come to a stop by then has no place where it could; its files have no names yet.
constexpr int kPatienceMilliseconds = 2000;

std::atomic<bool> result_follows{false};

void on_signal(int) {
  if (signals_seen.fetch_add(1) > 0) ::_exit(kInterrupted);
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

/// The next byte of the pipe; 0 if there is none for so long (-1 = for ever) or no pipe any more.
char next_byte(int milliseconds) {
  pollfd waiting{wake_pipe[0], POLLIN, 0};
  while (true) {
    const int ready = ::poll(&waiting, 1, milliseconds);
    if (ready < 0 && errno == EINTR) continue;
    char byte = 0;
    if (ready <= 0 || ::read(wake_pipe[0], &byte, 1) != 1) return 0;
    return byte;
  }
}

[[noreturn]] void end_at_once() {
  constexpr std::string_view kMessage = "\nfirth: interrupted\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
  ::_exit(kInterrupted);
}

}  // namespace

void wait_for_result_when_interrupted() noexcept {
  result_follows = true;
}

InterruptGuard::InterruptGuard() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is reported by write(), like a full disk
  // Without a pipe or a thread to spare, signals end the process as they always do: nothing is left behind.
  if (::pipe2(wake_pipe.data(), O_CLOEXEC) != 0) return;
  try {
    watcher_ = std::thread([this] {
      if (next_byte(-1) != kSignal) return;
      source_.request_stop();
      if (next_byte(result_follows ? -1 : kPatienceMilliseconds) == 0) end_at_once();
    });
  } catch (const std::system_error&) {
    return;
  }
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
  if (!watcher_.joinable()) return;
  [[maybe_unused]] const ssize_t written = ::write(wake_pipe[1], &kFinish, 1);
  watcher_.join();
}

}  // namespace firth::cli
