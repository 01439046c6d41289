// The threading library, behind two functions. Always compiled without the thread sanitizer, which the
// library is not built with either.
#pragma once

#include <cstddef>

namespace firth::base {

/// What a task does with its range of pieces.
struct TaskBody {
  void* context;
  void (*run)(void* context, std::size_t first, std::size_t last);
};

/// Processors that this process may use.
int processor_count();

/// Runs all of [0, count) on up to `workers` threads; the first exception is rethrown after the join.
void run_tasks(std::size_t count, unsigned workers, TaskBody body);

}  // namespace firth::base
