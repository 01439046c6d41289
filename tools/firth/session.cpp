#include "session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <firth/error.hpp>
#include <firth/printable.hpp>
#include <limits>
#include <thread>

namespace firth::cli {
namespace {

[[noreturn]] void output_failed() {
  if (errno == EPIPE) throw ClosedPipe{};
  throw IoError("standard output", "cannot write", errno);
}

// The library never looks at the environment; the command does it on the user's behalf.
std::string temp_folder_of_user() {
  const char* folder = std::getenv("TMPDIR");
  return folder == nullptr ? "" : folder;
}

}  // namespace

void Session::declare(OptionTable& options, SharedOptions which) {
  options.group("Run");
  has_threads_ = which.threads;
  if (which.threads) {
    options.number<unsigned>("--threads", "N", run_.threads, {0, 4096},
                             "Number of threads; 0 = all cores. The result does not depend on it.");
  }
  if (which.seed) {
    options.number<std::uint64_t>("--seed", "N", run_.seed, {0, std::numeric_limits<std::uint64_t>::max()},
                                  "Random seed; the same seed gives the same result.");
  }
  if (which.memory) {
    options.size("--memory", run_.memory_bytes,
                 "Memory limit, e.g. 512M or 8G. Jobs that cannot fit are refused before they start.");
    options.field_of_last("RunOptions::memory_bytes");
    options.text(
        "--temp-folder", "DIR", run_.temp_folder,
        "Folder for temporary files when --memory is exceeded; the default is $TMPDIR, or else the system's.");
  }
  options.choice(
      "--progress", progress_mode_,
      {{"auto", ProgressMode::automatic}, {"always", ProgressMode::always}, {"never", ProgressMode::never}},
      "Show progress and time left on standard error; auto = when it is a terminal.");
}

Session::Session(std::stop_token stop) : stdout_is_terminal_(::isatty(STDOUT_FILENO) == 1) {
  run_.stop = std::move(stop);
}

void Session::start() {
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  const bool shown =
      progress_mode_ == ProgressMode::always || (progress_mode_ == ProgressMode::automatic && terminal);
  progress_ = std::make_unique<ProgressBar>(shown, terminal);
  run_.progress = progress_.get();
  if (run_.temp_folder.empty()) run_.temp_folder = temp_folder_of_user();
  if (has_threads_) check_threads();
}

void Session::check_threads() {
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  const unsigned wanted = run_.threads == 0 ? cores : run_.threads;
  const unsigned usable = std::min(wanted, usable_threads(run_.threads));
  if (usable == wanted) return;
  run_.threads = usable;
  progress_->warn(
      fmt::format("the system lets only {} of {} threads start; the work takes longer", usable, wanted));
}

void Session::print(std::string_view text) {
  // A file gets the bytes of the words; a terminal would obey some of them.
  const std::string shown = stdout_is_terminal_ ? printable(text) : std::string();
  if (stdout_is_terminal_) text = shown;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) output_failed();
}

void Session::say(std::string_view text) {
  progress_->clear_line();
  std::fputs((printable(text) + "\n").c_str(), stderr);
}

void Session::finish() {
  if (std::fflush(stdout) != 0) output_failed();
}

}  // namespace firth::cli
