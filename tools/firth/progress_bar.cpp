#include "progress_bar.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <firth/printable.hpp>
#include <system_error>

namespace firth::cli {
namespace {

// Quick stages never flash by; a file that is not a terminal gets a line now and then.
constexpr double kFirstSeconds = 0.4;
constexpr double kTerminalSeconds = 0.1;
constexpr double kFileSeconds = 5;
constexpr std::chrono::seconds kSilence{5};  // without a word from the work

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

std::string amount(double number, std::string_view unit) {
  if (unit == "bytes") return memory_text(static_cast<std::uint64_t>(number));
  if (number >= 1e6) return fmt::format("{:.2f}M {}", number / 1e6, unit);
  if (number < 10) return fmt::format("{:.1f} {}", number, unit);
  return fmt::format("{} {}", grouped(static_cast<std::uint64_t>(number)), unit);
}

}  // namespace

std::uint64_t peak_memory_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

std::string clock_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

ProgressBar::ProgressBar(bool shown, bool terminal, bool warns)
    : shown_(shown), terminal_(terminal), warns_(warns) {
  if (!shown) return;
  try {
    heartbeat_ = std::jthread([this](const std::stop_token& stop) { beat(stop); });
  } catch (const std::system_error&) {
    return;  // there is no thread to spare
  }
}

ProgressBar::~ProgressBar() {
  stop_heartbeat();
  clear();
}

void ProgressBar::stop_heartbeat() {
  heartbeat_ = std::jthread();
}

void ProgressBar::beat(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, stop, kSilence, [&] { return stop.stop_requested(); })) {
    const Clock::time_point now = Clock::now();
    if (now - last_drawn_ < kSilence) continue;
    last_drawn_ = now;
    write_line(fmt::format("{:<12}  {}", running_ ? stage_ : "working",
                           clock_text(seconds_between(running_ ? started_ : created_, now))));
  }
}

std::string counted(std::uint64_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", grouped(number), number == 1 ? one : many);
}

void ProgressBar::begin(std::string_view stage, std::string_view unit, std::uint64_t total) {
  const std::lock_guard lock(mutex_);
  end_stage();
  stage_ = stage;
  unit_ = unit;
  total_ = total;
  running_ = true;
  started_ = Clock::now();
  last_drawn_ = started_;
}

void ProgressBar::advance(std::uint64_t done, std::string_view note) {
  const std::lock_guard lock(mutex_);
  if (!shown_ || !running_) return;
  const Clock::time_point now = Clock::now();
  const double interval = terminal_ ? kTerminalSeconds : kFileSeconds;
  if (seconds_between(started_, now) < kFirstSeconds || seconds_between(last_drawn_, now) < interval) return;
  last_drawn_ = now;
  draw(done, note);
}

void ProgressBar::draw(std::uint64_t done, std::string_view note) {
  const double elapsed = seconds_between(started_, last_drawn_);
  const auto finished = static_cast<double>(done);
  std::string line = fmt::format("{:<12}", stage_);
  if (total_ > 0) {
    const double share = std::min(1.0, finished / static_cast<double>(total_));
    line += fmt::format(" {:3.0f}%", share * 100);
    if (!unit_.empty()) line += fmt::format("  {}", amount(finished, unit_));
    if (!unit_.empty() && elapsed > 0) line += fmt::format("  {}/s", amount(finished / elapsed, unit_));
    if (share > 0) line += fmt::format("  {} left", clock_text(elapsed * (1 - share) / share));
  } else {
    line += fmt::format("  {}  {}/s  {}", amount(finished, unit_), amount(finished / elapsed, unit_),
                        clock_text(elapsed));
  }
  if (!note.empty()) line += fmt::format("  {}", printable(note));
  write_line(line);
}

void ProgressBar::write_line(const std::string& line) {
  const std::string text = terminal_ ? fmt::format("\r{}\x1b[K", line) : line + "\n";
  std::fwrite(text.data(), 1, text.size(), stderr);
  drawn_ = terminal_;
}

void ProgressBar::end() {
  const std::lock_guard lock(mutex_);
  end_stage();
}

void ProgressBar::end_stage() {
  if (!running_) return;
  running_ = false;
  clear();
  records_.push_back({stage_, seconds_between(started_, Clock::now()), peak_memory_bytes()});
}

void ProgressBar::warn(std::string_view message) {
  if (!warns_) return;
  const std::lock_guard lock(mutex_);
  if (!warnings_.insert(std::string(message)).second)
    return;  // a text that is read twice has the same faults twice
  clear();
  const std::string text = fmt::format("firth: warning: {}\n", message_text(message));
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void ProgressBar::clear_line() {
  const std::lock_guard lock(mutex_);
  clear();
}

void ProgressBar::clear() {
  if (!drawn_) return;
  std::fputs("\r\x1b[K", stderr);
  drawn_ = false;
}

}  // namespace firth::cli
