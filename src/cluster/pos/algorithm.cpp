#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/memory_limit.hpp"
#include "base/parallel.hpp"
#include "base/rng.hpp"
#include "base/stage.hpp"
#include "cluster/class_count.hpp"
#include "cluster/objective.hpp"
#include "cluster/pos/search.hpp"
#include "firth/build_tree.hpp"
#include "firth/error.hpp"
#include "firth/pos.hpp"

namespace firth {
namespace pos {
namespace {

void check_memory(const Counts& counts, const PosOptions& options, const RunOptions& run) {
  std::uint64_t pairs = counts.bigrams().distinct();
  if (options.skip_weight > 0) pairs += counts.pairs_at(2).distinct();
  const std::uint64_t words = counts.vocabulary().size();
  const std::uint64_t classes = 2 * std::uint64_t{options.classes} + 1;
  const std::uint64_t runs = std::min(options.restarts, base::resolve_threads(run.threads));
  // Pairs are sorted once; a word adds at most four nodes to the spelling tree, and rarely more than one.
  const std::uint64_t needed =
      64 * pairs + 250 * words + runs * (16 * words * classes + 64 * classes * classes);
  base::require_memory(run, needed,
                       fmt::format("a search for {} classes of {} words", options.classes, words),
                       "use fewer threads, or leave rare words out");
}

/// All restarts, as many at a time as there are threads.
std::vector<PosPartition> run_restarts(const PosProblem& problem, const PosOptions& options,
                                       const RunOptions& run) {
  std::vector<PosPartition> found(options.restarts);
  RunOptions alone = run;  // searches run side by side: they cannot talk to other ranks
  alone.world = nullptr;
  const std::size_t together = base::resolve_threads(run.threads);
  const base::Stage stage(run, "parts of speech", "runs", options.restarts);
  double best = 0;
  for (std::size_t first = 0; first < found.size(); first += together) {
    const std::size_t last = std::min(found.size(), first + together);
    base::parallel_for(last - first, 1, run.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = first + begin; i < first + end; ++i) {
        found[i] = search(problem, options.classes, base::Rng::stream_seed(run.seed, i), alone);
      }
    });
    for (std::size_t i = first; i < last; ++i) {
      best = i == 0 ? found[i].objective : std::max(best, found[i].objective);
    }
    stage.advance(last, [&] { return fmt::format("best {:.6g}", best); });
  }
  return found;
}

}  // namespace
}  // namespace pos

void validate(const PosOptions& options) {
  clusters::require_classes(options.classes, "PosOptions::classes");
  if (options.max_tokens == 0)
    throw UsageError("a text taken for 0 tokens", "ask for at least 1", "PosOptions::max_tokens");
  if (options.restarts == 0) throw UsageError("0 restarts", "ask for at least one", "PosOptions::restarts");
  for (const double weight : {options.skip_weight, options.suffix_weight, options.shape_weight,
                              options.length_weight, options.capital_weight, options.type_weight}) {
    if (!(weight >= 0)) throw UsageError("a weight below 0", "weights are 0 or more");
  }
}

ClusterResult cluster_pos(const Counts& counts, const PosOptions& options, const RunOptions& run) {
  validate(options);
  clusters::require_words_for(options.classes, counts.vocabulary().size(), "PosOptions::classes");
  pos::check_memory(counts, options, run);
  run.check_stop();
  const pos::PosProblem problem(counts, options);
  if (options.classes > problem.words) {
    throw UsageError(fmt::format("{} classes are asked for, but there are only {} words if case is ignored",
                                 options.classes, problem.words),
                     fmt::format("ask for at most {}, or keep case (PosOptions::fold_case)", problem.words),
                     "PosOptions::classes");
  }
  const std::vector<pos::PosPartition> found = pos::run_restarts(problem, options, run);
  const auto best = std::max_element(
      found.begin(), found.end(),
      [](const pos::PosPartition& a, const pos::PosPartition& b) { return a.objective < b.objective; });
  std::vector<ClassId> class_of;
  for (const WordId unit : problem.folded.unit_of) class_of.push_back(best->class_of[unit]);
  ClusterResult result;
  result.ami_bits = clusters::ami_bits(clusters::class_bigrams(counts.bigrams(), class_of, options.classes));
  std::optional<MergeTree> tree;
  if (options.tree) tree = build_tree(counts, class_of, run);
  result.clustering = Clustering(counts.vocabulary(), std::move(class_of), std::move(tree));
  result.clustering.learn_class_bigrams(counts);
  std::vector<double> objectives;
  objectives.reserve(found.size());
  for (const pos::PosPartition& one : found) objectives.push_back(one.objective);
  result.series = {
      {"restart_objectives", objectives}, {"spelling", {best->spelling}}, {"types", {best->types}}};
  return result;
}

}  // namespace firth
