// What a piece of work costs, within a process that does several one after the other.
#pragma once

#include <cstdint>
#include <optional>

namespace firth::cli {

/// Starts when it is made.
class RunCost {
 public:
  RunCost();

  /// Of all threads.
  double cpu_seconds() const;

  /// Most memory that the process had since then, with what it had before; nothing where the system cannot tell.
  std::optional<std::uint64_t> peak_memory() const;

 private:
  double started_;
  bool peak_is_fresh_;
};

}  // namespace firth::cli
