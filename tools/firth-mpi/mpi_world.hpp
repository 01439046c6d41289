// A world of processes that an MPI launcher has started.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <firth/world.hpp>
#include <memory>
#include <string>
#include <vector>

namespace firth::mpi {

/// What a rank has done so far.
struct RankReport {
  double work_seconds = 0;  ///< processor time outside of calls of the world
  double call_seconds = 0;  ///< processor time inside: sending, and waiting, which costs as much
  std::uint64_t calls = 0;  ///< of the world
  std::uint64_t received_bytes = 0;
  std::uint64_t peak_memory = 0;  ///< in bytes
};

class Heartbeat;

/// MPI from its start to its end, with the world of all ranks. One per process.
class Session {
 public:
  Session(int* argc, char*** argv);
  /// Waits for all ranks, then ends MPI.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  World& world() noexcept { return *world_; }
  /// "rank 3, host n17".
  const std::string& place() const noexcept { return place_; }
  /// Whether a launcher has started this process.
  bool launched() const noexcept { return launched_; }

  /// From now on, ranks tell each other that they are there; when one has not been heard of for this long, all are
  /// ended with exit code 1. False if this MPI library does not let two threads talk.
  bool watch_ranks(std::chrono::milliseconds timeout);

  /// The reports of all ranks; called by all of them.
  std::vector<RankReport> reports();

  /// Ends all ranks with this exit code.
  [[noreturn]] static void abort(int code);

 private:
  std::unique_ptr<World> world_;
  std::unique_ptr<Heartbeat> heartbeat_;
  std::string place_;
  bool launched_;
  bool many_threads_;
};

/// No message is longer than this many bytes; larger ones go in pieces. MPI-3.1 counts with int. For tests.
void set_max_message(std::size_t bytes);

}  // namespace firth::mpi
