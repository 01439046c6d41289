#include "base/parallel.hpp"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <optional>

namespace firth::base {

unsigned resolve_threads(unsigned requested) {
  if (requested > 0) return requested;
  return static_cast<unsigned>(std::max(1, tbb::info::default_concurrency()));
}

void parallel_for(std::size_t size, std::size_t grain, unsigned threads,
                  const std::function<void(std::size_t, std::size_t)>& body) {
  const std::size_t step = std::max<std::size_t>(grain, 1);
  const std::size_t pieces = (size + step - 1) / step;
  const auto run_piece = [&](std::size_t piece) { body(piece * step, std::min(size, (piece + 1) * step)); };
  const unsigned workers = resolve_threads(threads);
  if (workers == 1 || pieces <= 1) {
    for (std::size_t piece = 0; piece < pieces; ++piece) run_piece(piece);
    return;
  }
  // More threads than cores are granted only on demand (tests ask for them on small machines).
  std::optional<tbb::global_control> allowance;
  if (workers > resolve_threads(0)) allowance.emplace(tbb::global_control::max_allowed_parallelism, workers);
  tbb::task_arena arena(static_cast<int>(workers));
  arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, pieces, 1),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                        for (std::size_t piece = range.begin(); piece < range.end(); ++piece)
                          run_piece(piece);
                      });
  });
}

}  // namespace firth::base
