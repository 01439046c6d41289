#include "cluster/brown/memory_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/memory_limit.hpp"
#include "base/parallel.hpp"
#include "cluster/brown/waiting_words.hpp"
#include "firth/brown.hpp"

namespace firth::brown {
namespace {

/// The end of a line takes a place of its own; `entries`: words, and the end of a line if it counts.
EngineSizes one_by_one_sizes(const BrownOptions& options, std::size_t entries) {
  const std::uint64_t window = options.window == 0 ? std::uint64_t{options.classes} + 1 : options.window;
  const std::size_t line_ends = options.boundaries ? 1 : 0;
  EngineSizes sizes;
  sizes.window.capacity =
      static_cast<std::size_t>(std::min<std::uint64_t>(window, entries - line_ends)) + line_ends;
  return sizes;
}

EngineSizes grouped_sizes(const Counts& counts, const BrownOptions& options, std::span<const WordId> order) {
  EngineSizes sizes;
  std::size_t inside = 0;
  for (std::size_t i = 0; i < order.size();) {
    const Count count = counts.vocabulary().count(order[i]);
    std::size_t end = i;
    while (end < order.size() && counts.vocabulary().count(order[end]) == count) ++end;
    const std::size_t clusters = inside + end - i;
    if (i == 0 && clusters > options.classes)
      sizes.window.capacity = clusters;
    else
      sizes.groups = {options.classes, std::max(sizes.groups.clusters, clusters)};
    inside = std::min<std::size_t>(clusters, options.classes);
    i = end;
  }
  return sizes;
}

/// One engine follows the other: no two are there at the same time.
std::uint64_t largest_engine(Count total, const EngineSizes& sizes, std::size_t classes, std::size_t words) {
  std::uint64_t most = window_engine_bytes(total, std::max(sizes.window.capacity, classes), words);
  if (sizes.groups.clusters > 0) most = std::max(most, group_engine_bytes(total, sizes.groups, words));
  return most;
}

std::uint64_t bytes_outside_engines(const Counts& counts, const BrownOptions& options,
                                    const ObjectiveTerms& terms) {
  const PairCounts& bigrams = counts.bigrams();
  const std::uint64_t transposed = bigrams.distinct() * 12 + bigrams.rows() * 8;
  const std::uint64_t waiting =
      options.variant == BrownVariant::resort ? WaitingWords::bytes(bigrams) : std::uint64_t{0};
  return transposed + waiting + counts.vocabulary().size() * 56 + terms.table().size_bytes();
}

/// Copies of the window are for speed only: large ones are left out.
bool has_room_for_lookahead(Count total, std::size_t capacity, std::size_t words, std::uint64_t need,
                            const RunOptions& run) {
  const std::uint64_t bytes = lookahead_bytes(total, capacity, words, base::resolve_threads(run.threads));
  return bytes <= max_lookahead_bytes() && base::fits_memory(run, need + bytes);
}

}  // namespace

EngineSizes plan_memory(const Counts& counts, const BrownOptions& options, std::span<const WordId> order,
                        const ObjectiveTerms& terms, const RunOptions& run) {
  const bool grouped = options.variant == BrownVariant::allsame;
  const std::size_t words = order.size();
  EngineSizes sizes = grouped ? grouped_sizes(counts, options, order) : one_by_one_sizes(options, words);
  const std::size_t classes = grouped ? options.classes : 0;
  const std::uint64_t need =
      bytes_outside_engines(counts, options, terms) + largest_engine(terms.total(), sizes, classes, words);
  const std::size_t clusters = std::max(sizes.window.capacity, sizes.groups.clusters);
  base::require_memory(run, need, fmt::format("a window of {} clusters", clusters),
                       "ask for fewer classes or a smaller window");
  sizes.window.lookahead =
      !grouped && has_room_for_lookahead(terms.total(), sizes.window.capacity, words, need, run);
  return sizes;
}

}  // namespace firth::brown
