// A stage of a run, as progress shows it. Without a sink nothing happens.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include "firth/run.hpp"

namespace firth::base {

/// Work with a name, from construction to destruction: a stage ends, too, when an exception passes.
class Stage {
 public:
  /// `total` = 0: not known beforehand.
  Stage(const RunOptions& run, std::string_view name, std::string_view unit = "", std::uint64_t total = 0)
      : progress_(run.progress) {
    if (progress_ != nullptr) progress_->begin(name, unit, total);
  }
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  /// `done` units are finished.
  void advance(std::uint64_t done, std::string_view note = "") const {
    if (progress_ != nullptr) progress_->advance(done, note);
  }

  /// The same with a note that is made only if somebody reads it.
  template <std::invocable Note>
  void advance(std::uint64_t done, const Note& note) const {
    if (progress_ != nullptr) progress_->advance(done, note());
  }

  /// Ends the stage before its scope does.
  void end() {
    if (progress_ == nullptr) return;
    ProgressSink* const progress = progress_;
    progress_ = nullptr;
    progress->end();
  }

 private:
  ProgressSink* progress_;
};

/// Advances the stage that is open, where the stage itself is out of reach.
template <std::invocable Note>
void advance_stage(const RunOptions& run, std::uint64_t done, const Note& note) {
  if (run.progress != nullptr) run.progress->advance(done, note());
}

/// Tells the user something although the work goes on.
inline void warn(const RunOptions& run, std::string_view message) {
  if (run.progress != nullptr) run.progress->warn(message);
}

}  // namespace firth::base
