#include "firth/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <variant>

#include "base/parallel.hpp"
#include "cluster/brown/window/window_engine.hpp"
#include "cluster/estimate/brown_work.hpp"
#include "cluster/exchange/search_context.hpp"
#include "cluster/exchange/search_program.hpp"
#include "cluster/spectral/memory.hpp"

namespace firth {
namespace {

// Seconds on one core of an AMD EPYC with AVX-512. Fitted to enwiki_1M (21,314 words, 336,000 bigrams) and
// enwiki_20M (119,944 words, 3.6 million bigrams) with 200 to 3,000 classes.
constexpr double kNeighbour = 6e-9;   // exchange: an entry of a neighbour list in a pass
constexpr double kLane = 3.5e-10;     // exchange: a context against a class
constexpr double kMergeLane = 7e-10;  // exchange: a context of a class against a class, while classes merge
constexpr double kTreeCell = 3e-10;   // tree: a cell of its K^3

// Spectral, from the table of docs/performance.md (20,000 to 300,000 words, 100 to 1,000 classes).
constexpr double kMatrixEntry = 1.7e-9;  // matrix entry times dimension, all products of the SVD together
constexpr double kSpectralPeak = 1.8;    // peak memory against our own arrays: OpenBLAS has buffers, too
constexpr double kVectorCell = 2.3e-10;  // a word against a pair of dimensions

/// Neighbours in different classes: a word has at most all classes on each side. What it has beyond them is taken off
/// the number of all pairs; only a word that occurs more often can have any, and frequent words come first.
double contexts(const Counts& counts, double classes) {
  const PairCounts& bigrams = counts.bigrams();
  const auto limit = static_cast<Count>(classes);
  Count beyond = 0;
  for (WordId word = 0; word < bigrams.rows() && counts.vocabulary().count(word) > limit; ++word) {
    const Count neighbours = bigrams.right_words(word).size();
    if (neighbours > limit) beyond += neighbours - limit;
  }
  return 2 * static_cast<double>(bigrams.distinct() - beyond);
}

double pass_seconds(const Counts& counts, double classes) {
  return kNeighbour * 2 * static_cast<double>(counts.bigrams().distinct()) +
         kLane * classes * contexts(counts, classes);
}

/// Classes have no more contexts than words have, and no more than there are classes.
double merge_seconds(const Counts& counts, double classes) {
  const double contexts = std::min(2 * static_cast<double>(counts.bigrams().distinct()), classes * classes);
  return kMergeLane * contexts * classes;
}

double tree_seconds(double classes) {
  return kTreeCell * classes * classes * classes;
}

std::uint64_t count_bytes(const Counts& counts) {
  return 12 * counts.bigrams().distinct() + 24 * counts.vocabulary().size() +
         counts.vocabulary().bytes().size();
}

/// One overload per method; the last is for those without an estimate.
struct Estimate {
  const Counts& counts;
  unsigned shards;
  unsigned threads;

  std::optional<ClusterEstimate> operator()(const AutoOptions& options) const {
    const exchange::SearchPlan plan = exchange::plan_for(options.effort);
    const auto classes = static_cast<double>(options.classes);
    const double starts = std::ldexp(1.0, static_cast<int>(plan.size()) - 1);
    const double merges = starts * merge_seconds(counts, exchange::max_class_ratio() * classes);
    const double passes = exchange::weighted_passes(plan) * pass_seconds(counts, classes);
    const unsigned searches = plan.size() > 1 && threads != 1 ? 2 : 1;  // at the same time
    return ClusterEstimate{search_bytes(exchange::max_class_ratio() * classes, searches),
                           passes + merges + (options.tree ? tree_seconds(classes) : 0)};
  }

  std::optional<ClusterEstimate> operator()(const ExchangeOptions& options) const {
    constexpr double kUsualPasses = 25;
    const auto classes = static_cast<double>(options.classes);
    const double passes = options.restarts * (options.passes == 0 ? kUsualPasses : options.passes);
    return ClusterEstimate{search_bytes(classes, 1), passes * pass_seconds(counts, classes) +
                                                         (options.tree ? tree_seconds(classes) : 0)};
  }

  std::optional<ClusterEstimate> operator()(const BrownOptions& options) const {
    if (options.variant != BrownVariant::plain) return std::nullopt;
    const std::uint64_t wanted = options.window == 0 ? std::uint64_t{options.classes} + 1 : options.window;
    const auto window = static_cast<std::size_t>(std::min<std::uint64_t>(counts.vocabulary().size(), wanted));
    return ClusterEstimate{brown_bytes(window), clusters::brown_seconds(counts, window)};
  }

  std::optional<ClusterEstimate> operator()(const SpectralOptions& options) const {
    double entries = 0;
    for (const int offset : options.context) {
      const auto& known = counts.distances();
      if (std::find(known.begin(), known.end(), std::abs(offset)) == known.end()) return std::nullopt;
      entries += static_cast<double>(counts.pairs_at(std::abs(offset)).distinct());
    }
    if (options.hierarchy != SpectralHierarchy::window) return std::nullopt;
    const auto dimensions =
        static_cast<double>(options.dimensions > 0 ? options.dimensions : options.classes);
    const auto words = static_cast<double>(counts.vocabulary().size());
    return ClusterEstimate{
        static_cast<std::uint64_t>(
            kSpectralPeak * static_cast<double>(count_bytes(counts) +
                                                spectral::memory_bytes(counts, options, {.threads = 1}))),
        kMatrixEntry * entries * dimensions + kVectorCell * words * dimensions * dimensions};
  }

  template <class Options>
  std::optional<ClusterEstimate> operator()(const Options& /*options*/) const {
    return std::nullopt;
  }

 private:
  /// The counts, and the same pairs by their right word; tables by word; logarithms; the window and its copies for threads.
  std::uint64_t brown_bytes(std::size_t window) const {
    const Count total = counts.bigrams().total();
    const std::size_t words = counts.vocabulary().size();
    const std::uint64_t pairs = 12 * counts.bigrams().distinct();
    const std::uint64_t table = std::min<std::uint64_t>(total / 2, std::uint64_t{8} << 20);
    constexpr std::uint64_t kCode = std::uint64_t{4} << 20;  // that is loaded when it is needed, and buffers
    const std::uint64_t copies = brown::lookahead_bytes(total, window, words, base::resolve_threads(threads));
    return count_bytes(counts) + pairs + 64 * words + table + kCode +
           brown::window_engine_bytes(total, window, words) +
           (copies <= brown::max_lookahead_bytes() ? copies : 0);
  }

  std::uint64_t search_bytes(double max_classes, unsigned searches) const {
    const std::size_t words = counts.vocabulary().size();
    const exchange::SearchSize size{counts.bigrams().distinct(), counts.bigrams().total(), words, shards};
    const std::uint64_t words_only = 32 * words + counts.vocabulary().bytes().size();
    return (shards > 1 ? words_only : count_bytes(counts)) +
           exchange::search_bytes(size, std::min(static_cast<double>(words), max_classes), searches);
  }
};

}  // namespace

std::optional<ClusterEstimate> estimate_clustering(const Counts& counts, const ClusterMethod& method,
                                                   unsigned shards, unsigned threads) {
  return std::visit(Estimate{counts, shards, threads}, method);
}

}  // namespace firth
