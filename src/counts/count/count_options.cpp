#include <fmt/format.h>

#include <algorithm>

#include "base/memory_limit.hpp"
#include "base/parallel.hpp"
#include "counts/count/counting.hpp"
#include "counts/count/squeeze.hpp"
#include "counts/count/stitch.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"

namespace firth {
namespace counts {
namespace {

constexpr std::uint64_t kMinMemory = std::uint64_t{1} << 24;
constexpr std::size_t kMinBlockBytes = std::size_t{1} << 16;

}  // namespace

CountTuning CountTuning::for_run(const RunOptions& run, std::size_t distances) {
  CountTuning tuning;
  if (run.memory_bytes == 0) return tuning;
  const std::size_t threads = base::resolve_threads(run.threads);
  base::require_memory(run, kMinMemory * threads, fmt::format("counting with {} threads", threads),
                       "use fewer threads");
  tuning.table_bytes = run.memory_bytes / 4 / threads / std::max<std::size_t>(distances, 1);
  tuning.build_bytes = run.memory_bytes * 3 / 8;
  tuning.word_bytes = run.memory_bytes / 4;
  tuning.max_block_bytes = run.memory_bytes / 4 / threads;
  tuning.block_bytes =
      std::clamp<std::size_t>(run.memory_bytes / threads / 64, kMinBlockBytes, tuning.block_bytes);
  return tuning;
}

}  // namespace counts

void validate(const CountOptions& options) {
  const auto& distances = options.distances;
  const auto in_range = [](int d) { return d >= 1 && d <= static_cast<int>(counts::kMaxDistance); };
  const bool rising =
      std::adjacent_find(distances.begin(), distances.end(), std::greater_equal<>()) == distances.end();
  if (distances.empty() || !rising || !std::all_of(distances.begin(), distances.end(), in_range)) {
    throw UsageError("the distances are not 1 to 5 in rising order", "name each distance once, e.g. 1,2",
                     "CountOptions::distances");
  }
  if (!(options.held_out_share >= 0 && options.held_out_share < 1)) {
    throw UsageError("the share that is held out must be at least 0 and below 1", "0.1 is a good choice",
                     "CountOptions::held_out_share");
  }
  validate(options.vocabulary);
  validate(options.text);
  if (options.text.squeeze) counts::check_squeeze(options);
  if (options.text.format != InputFormat::counts) return;
  if (distances != std::vector<int>{1}) {
    throw UsageError("a count table has pairs of neighbours only", "count distance 1",
                     "CountOptions::distances");
  }
  if (options.vocabulary.rare == RarePolicy::drop && options.vocabulary.restricts()) {
    throw UsageError("words of a count table cannot be dropped: their neighbours are not known",
                     "choose another VocabularyOptions::rare", "VocabularyOptions::rare");
  }
}

}  // namespace firth
