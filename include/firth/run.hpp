// How a long run reports its progress, how it is stopped, and what it may use.
//
//   std::stop_source stop;  // stop.request_stop() from another thread ends the work with firth::Cancelled
//   const firth::RunOptions options = {.threads = 2, .seed = 7, .stop = stop.get_token()};
//   const firth::ClusterResult result = firth::cluster_auto(counts, {.classes = 200}, options);
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

namespace firth {

class World;

/// Receives progress. All calls for one run come from the thread that called into the library.
class ProgressSink {
 public:
  virtual ~ProgressSink() = default;

  /// A stage starts, e.g. ("clustering", "words", 21314). total = 0: not known beforehand.
  virtual void begin(std::string_view stage, std::string_view unit, std::uint64_t total) = 0;

  /// `done` units of the current stage are finished; `note` is a short status such as "AMI 1.5301".
  virtual void advance(std::uint64_t done, std::string_view note) = 0;

  /// The current stage is over.
  virtual void end() = 0;

  /// Something the user should know although the work goes on.
  virtual void warn(std::string_view message) = 0;
};

/// Threads that a request gets: `requested`, all cores for 0, fewer where the system does not let that many start.
[[nodiscard]] unsigned usable_threads(unsigned requested);

/// What every long-running function takes besides its own options.
struct RunOptions {
  /// Threads to use; 0 = all cores. Results never depend on it.
  unsigned threads = 0;
  /// Random seed.
  std::uint64_t seed = 1;
  /// Maximum memory to use, in bytes; 0 = no limit. Work that cannot keep it throws ResourceError beforehand.
  std::uint64_t memory_bytes = 0;
  /// Folder for what does not fit the memory limit; empty = the system's folder for temporary files.
  std::string temp_folder = {};
  /// Where progress goes; nullptr = nowhere.
  ProgressSink* progress = nullptr;
  /// Set from another thread, stops the work soon with Cancelled.
  std::stop_token stop = {};
  /// The processes that share the work (firth/world.hpp); nullptr = this one alone. Every rank makes the same
  /// calls and gets the same result, that of one process; what does not use it is done by every rank.
  World* world = nullptr;

  /// Throws Cancelled if a stop was requested.
  void check_stop() const;
};

}  // namespace firth
