#include "session.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <firth/error.hpp>
#include <limits>

namespace firth::cli {
namespace {

[[noreturn]] void output_failed() {
  if (errno == EPIPE) throw ClosedPipe{};
  throw IoError("standard output", "cannot write", errno);
}

}  // namespace

void Session::declare(OptionTable& options, SharedOptions which) {
  options.group("Run");
  if (which.threads) {
    options.number<unsigned>("--threads", "N", run_.threads, {0, 4096},
                             "Threads to use; 0 = all cores. The result is the same for any number.");
  }
  if (which.seed) {
    options.number<std::uint64_t>("--seed", "N", run_.seed, {0, std::numeric_limits<std::uint64_t>::max()},
                                  "Start of all random numbers. The same seed gives the same result.");
  }
  if (which.memory) {
    options.size("--memory", run_.memory_bytes,
                 "Most memory to use, e.g. 512M or 8G. What cannot be done within it is refused at once.");
  }
  options.choice(
      "--progress", progress_mode_,
      {{"auto", ProgressMode::automatic}, {"always", ProgressMode::always}, {"never", ProgressMode::never}},
      "Show progress and time left on standard error; auto = when it is a terminal.");
}

void Session::start() {
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  const bool shown =
      progress_mode_ == ProgressMode::always || (progress_mode_ == ProgressMode::automatic && terminal);
  progress_ = std::make_unique<ProgressBar>(shown, terminal);
  run_.progress = progress_.get();
}

void Session::print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) output_failed();
}

void Session::say(std::string_view text) {
  progress_->clear_line();
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fputc('\n', stderr);
}

void Session::finish() {
  if (std::fflush(stdout) != 0) output_failed();
}

}  // namespace firth::cli
