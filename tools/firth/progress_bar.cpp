#include "progress_bar.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <firth/printable.hpp>

namespace firth::cli {
namespace {

// Quick stages never flash by; a file that is not a terminal gets a line now and then.
constexpr double kFirstSeconds = 0.4;
constexpr double kTerminalSeconds = 0.1;
constexpr double kFileSeconds = 5;

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

std::string amount(double number, std::string_view unit) {
  if (unit == "bytes") {
    if (number >= 1e9) return fmt::format("{:.1f} GB", number / 1e9);
    return fmt::format("{:.1f} MB", number / 1e6);
  }
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
  const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

void ProgressBar::begin(std::string_view stage, std::string_view unit, std::uint64_t total) {
  if (running_) end();
  stage_ = stage;
  unit_ = unit;
  total_ = total;
  running_ = true;
  started_ = Clock::now();
  last_drawn_ = started_;
}

void ProgressBar::advance(std::uint64_t done, std::string_view note) {
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
    line += fmt::format(" {:3.0f}%  {}", share * 100, amount(finished, unit_));
    if (elapsed > 0) line += fmt::format("  {}/s", amount(finished / elapsed, unit_));
    if (share > 0) line += fmt::format("  {} left", clock_text(elapsed * (1 - share) / share));
  } else {
    line += fmt::format("  {}  {}/s  {}", amount(finished, unit_), amount(finished / elapsed, unit_),
                        clock_text(elapsed));
  }
  if (!note.empty()) line += fmt::format("  {}", printable(note));
  const std::string text = terminal_ ? fmt::format("\r{}\x1b[K", line) : line + "\n";
  std::fwrite(text.data(), 1, text.size(), stderr);
  drawn_ = terminal_;
}

void ProgressBar::end() {
  if (!running_) return;
  running_ = false;
  clear_line();
  records_.push_back({stage_, seconds_between(started_, Clock::now()), peak_memory_bytes()});
}

void ProgressBar::warn(std::string_view message) {
  clear_line();
  const std::string text = fmt::format("firth: warning: {}\n", message_text(message));
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void ProgressBar::clear_line() {
  if (!drawn_) return;
  std::fputs("\r\x1b[K", stderr);
  drawn_ = false;
}

}  // namespace firth::cli
