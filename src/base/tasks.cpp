#include "base/tasks.hpp"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <optional>
#include <stdexcept>
#include <string_view>

#include "firth/error.hpp"

namespace firth::base {

int processor_count() {
  return tbb::info::default_concurrency();
}

void run_tasks(std::size_t count, unsigned workers, TaskBody body) {
  // More threads than cores are granted only on demand (tests ask for them on small machines).
  std::optional<tbb::global_control> allowance;
  if (static_cast<int>(workers) > processor_count())
    allowance.emplace(tbb::global_control::max_allowed_parallelism, workers);
  tbb::task_arena arena(static_cast<int>(workers));
  try {
    arena.execute([&] {
      tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, 1),
                        [body](const tbb::blocked_range<std::size_t>& range) {
                          body.run(body.context, range.begin(), range.end());
                        });
    });
  } catch (const std::runtime_error& error) {
    if (!std::string_view(error.what()).starts_with("pthread_create")) throw;
    throw ResourceError("the system does not let another thread start",
                        "use fewer threads, or raise the limits of processes and memory");
  }
}

}  // namespace firth::base
