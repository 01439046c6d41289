#include "session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <firth/encoding.hpp>
#include <firth/error.hpp>
#include <firth/printable.hpp>
#include <firth/world.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
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
  if (which.text) {
    options.group("Text");
    options.text(
        "--encoding", "NAME", encoding_,
        "Encoding of the text, if it is not UTF-8: latin-1, windows-1252, utf-16, shift_jis, or any other that ICU knows.");
  }
  options.group("Run");
  has_threads_ = which.threads;
  if (which.threads) {
    options.number<unsigned>("-j,--threads", "N", run_.threads, {0, 4096},
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
  } else if (which.spools) {
    options.text(
        "--temp-folder", "DIR", run_.temp_folder,
        "Folder for a copy of what can be read only once, such as a pipe; the default is $TMPDIR, or "
        "else the system's.");
  }
  options.choice(
      "--progress", progress_mode_,
      {{"auto", ProgressMode::automatic}, {"always", ProgressMode::always}, {"never", ProgressMode::never}},
      "Show progress and time left on standard error; auto = when it is a terminal.");
  if (which.json) options.flag("--json", json_, "Print the figures as JSON on standard output.");
  options.flag("-q,--quiet", quiet_, "Print no messages and no progress, only warnings and errors.");
}

Session::Session(std::stop_token stop, World* world) : stdout_is_terminal_(::isatty(STDOUT_FILENO) == 1) {
  run_.stop = std::move(stop);
  if (world == nullptr) return;
  rank_ = world->rank();
  ranks_ = world->size();
  if (ranks_ > 1) run_.world = world;
}

Inputs Session::text(const std::vector<std::string>& paths) const {
  return decoded(paths, encoding_);
}

bool Session::is_interrupted() const {
  std::uint64_t interrupted = run_.stop.stop_requested() ? 1 : 0;
  if (run_.world != nullptr) run_.world->add(std::span(&interrupted, 1));
  return interrupted > 0;
}

void Session::start() {
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  const bool shown = progress_mode_ == ProgressMode::always ||
                     (progress_mode_ == ProgressMode::automatic && terminal && !quiet_);
  progress_ = std::make_unique<ProgressBar>(shown && is_root(), terminal, is_root());
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
  if (!is_root()) return;
  // A file gets the bytes of the words; a terminal would obey some of them.
  const std::string shown = stdout_is_terminal_ ? printable(text) : std::string();
  if (stdout_is_terminal_) text = shown;
  if (stdout_is_terminal_ && progress_) progress_->stop_heartbeat();
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) output_failed();
}

void Session::say(std::string_view text) {
  if (quiet_ || !is_root()) return;
  progress_->clear_line();
  std::fputs((printable(text) + "\n").c_str(), stderr);
}

void Session::report(const Figures& figures, std::string_view text) {
  if (!json_) return say(text);
  constexpr double kExact = 9007199254740992.0;
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [name, value] : figures) {
    if (const auto* const words = std::get_if<std::string>(&value)) {
      json[name] = *words;
      continue;
    }
    const double number = std::get<double>(value);
    const bool whole = std::abs(number) < kExact && std::floor(number) == number;
    json[name] =
        whole ? nlohmann::ordered_json(static_cast<std::int64_t>(number)) : nlohmann::ordered_json(number);
  }
  print(json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

void Session::finish() {
  if (std::fflush(stdout) != 0) output_failed();
}

}  // namespace firth::cli
