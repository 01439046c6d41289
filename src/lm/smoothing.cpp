#include "lm/smoothing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/memory_limit.hpp"
#include "base/parallel.hpp"
#include "base/stage.hpp"
#include "firth/error.hpp"

namespace firth::lm {
namespace {

constexpr Discounts kFallback = {0, 0.5, 1, 1.5};

std::array<Count, 5> counts_of_counts(const NgramLevel& level) {
  std::array<Count, 5> seen{};
  for (const Count count : level.counts) {
    if (count < seen.size()) ++seen[count];
  }
  return seen;
}

/// The trie without probabilities, and the counts that belong to its entries.
struct Skeleton {
  TrieStorage trie;
  std::vector<Count> counts;
};

constexpr const char* kMemoryHint = "lower the order or the number of words";

Skeleton join_levels(NgramLevels levels, const RunOptions& run) {
  Skeleton result;
  TrieStorage& trie = result.trie;
  std::uint64_t entries = 0;
  for (const NgramLevel& level : levels) entries += level.last.size();
  constexpr std::uint64_t kEntryBytes = sizeof(Symbol) + sizeof(double) + sizeof(Node) + sizeof(Count);
  base::require_memory(run, entries * kEntryBytes, "the model", kMemoryHint);
  trie.symbols.reserve(entries);
  result.counts.reserve(entries);
  trie.level_begin.push_back(0);
  trie.first_child.push_back(0);  // of the root
  for (NgramLevel& level : levels) {
    trie.symbols.insert(trie.symbols.end(), level.last.begin(), level.last.end());
    result.counts.insert(result.counts.end(), level.counts.begin(), level.counts.end());
    trie.level_begin.push_back(trie.symbols.size());
    for (const std::uint64_t child : level.first_child) {
      trie.first_child.push_back(trie.symbols.size() + child);
    }
    level = {};
  }
  if (trie.node_count() > kMaxNodes) {
    throw ResourceError(fmt::format("{} contexts are more than a model can have", trie.node_count()),
                        kMemoryHint);
  }
  trie.first_child.push_back(trie.symbols.size());
  trie.probabilities.assign(trie.symbols.size(), 0);
  trie.backoffs.assign(trie.node_count(), 1);
  return result;
}

/// How the counts after one context become probabilities: p = max(count - discount, 0) / total + backoff *
/// lower.
class Rule {
 public:
  Rule(LmSmoothing smoothing, const Discounts& discounts) : smoothing_(smoothing), discounts_(discounts) {}

  double discount(Count count) const {
    return smoothing_ == LmSmoothing::kneser_ney ? discounts_[std::min<Count>(count, 3)] : 0;
  }

  /// The number that counts are divided by.
  double total(Count sum, Count distinct) const {
    const auto all = static_cast<double>(sum);
    return smoothing_ == LmSmoothing::witten_bell ? all + static_cast<double>(distinct) : all;
  }

  double backoff(double discounted, Count distinct, double total) const {
    switch (smoothing_) {
      case LmSmoothing::kneser_ney:
        return discounted / total;
      case LmSmoothing::witten_bell:
        return static_cast<double>(distinct) / total;
      case LmSmoothing::none:
        break;
    }
    return 0;
  }

 private:
  LmSmoothing smoothing_;
  Discounts discounts_;
};

/// What the children of a context add up to.
struct ContextSums {
  double total = 0;
  double backoff = 1;
};

ContextSums sum_children(const std::vector<Count>& counts, std::uint64_t begin, std::uint64_t end,
                         const Rule& rule) {
  Count sum = 0;
  Count distinct = 0;
  double discounted = 0;
  for (std::uint64_t entry = begin; entry < end; ++entry) {
    sum += counts[entry];
    distinct += counts[entry] > 0 ? 1 : 0;
    discounted += rule.discount(counts[entry]);
  }
  if (sum == 0) return {};
  const double total = rule.total(sum, distinct);
  return {total, rule.backoff(discounted, distinct, total)};
}

double share(Count count, const Rule& rule, double total) {
  return count == 0 ? 0 : (static_cast<double>(count) - rule.discount(count)) / total;
}

// The lowest order is mixed with a uniform distribution over everything that can be predicted.
void fill_unigrams(Skeleton& s, const Rule& rule, bool boundaries) {
  const std::uint64_t symbols = s.trie.level_begin[1];
  const ContextSums sums = sum_children(s.counts, 0, symbols, rule);
  const std::uint64_t never = boundaries ? 1 : 2;
  const double uniform = 1 / static_cast<double>(symbols - never);
  for (Symbol symbol = 0; symbol < symbols; ++symbol) {
    const bool predicted = symbol != kBeginSymbol && (boundaries || symbol != kEndSymbol);
    const double seen = sums.total > 0 ? share(s.counts[symbol], rule, sums.total) : 0;
    s.trie.probabilities[symbol] = predicted ? seen + sums.backoff * uniform : 0;
  }
}

void fill_context(Skeleton& s, const Rule& rule, Node node) {
  const std::uint64_t begin = s.trie.first_child[node];
  const std::uint64_t end = s.trie.first_child[node + 1];
  const ContextSums sums = sum_children(s.counts, begin, end, rule);
  s.trie.backoffs[node] = sums.backoff;
  for (std::uint64_t entry = begin; entry < end; ++entry) {
    // Every suffix of an n-gram of the text is in the trie: the link is the n-gram one order below. At order
    // 2 that is the unigram of the symbol.
    const double lower = s.trie.probabilities[s.trie.links[entry] - 1];
    s.trie.probabilities[entry] = share(s.counts[entry], rule, sums.total) + sums.backoff * lower;
  }
}

void warn_fallback(const std::vector<int>& orders, const RunOptions& run) {
  if (orders.empty()) return;
  std::string list;
  for (const int order : orders) list += fmt::format("{}{}", list.empty() ? "" : ", ", order);
  base::warn(
      run,
      fmt::format(
          "too few rare n-grams for Kneser-Ney discounts at order {} (usual with few classes or little text): fixed or single discounts are used there",
          list));
}

}  // namespace

Discounts kneser_ney_discounts(const std::array<Count, 5>& seen, bool& fell_back) {
  if (seen[1] == 0 || seen[2] == 0) {
    fell_back = true;
    return kFallback;
  }
  const auto n = [&](std::size_t k) { return static_cast<double>(seen[k]); };
  const double single = n(1) / (n(1) + 2 * n(2));
  Discounts discounts = {0, single, single, single};
  for (std::size_t k = 1; k <= 3; ++k) {
    const auto most = static_cast<double>(k);
    const double d = seen[k] == 0 ? -1 : most - (most + 1) * single * n(k + 1) / n(k);
    const bool valid = d >= 0 && d <= most;
    if (valid) discounts[k] = d;
    fell_back = fell_back || !valid;
  }
  return discounts;
}

LowerCounts lower_counts(LmSmoothing smoothing) {
  return smoothing == LmSmoothing::kneser_ney ? LowerCounts::continuations : LowerCounts::occurrences;
}

Trie estimate(NgramLevels levels, const EstimateOptions& options, const RunOptions& run) {
  constexpr std::size_t kGrain = 1024;
  std::vector<Rule> rules;
  std::vector<int> fallen;
  for (const NgramLevel& level : levels) {
    bool fell_back = false;
    rules.emplace_back(options.smoothing, kneser_ney_discounts(counts_of_counts(level), fell_back));
    if (fell_back) fallen.push_back(static_cast<int>(rules.size()));
  }
  if (options.smoothing == LmSmoothing::kneser_ney) warn_fallback(fallen, run);
  Skeleton s = join_levels(std::move(levels), run);
  set_links(s.trie, run.threads);
  fill_unigrams(s, rules[0], options.boundaries);
  for (std::size_t level = 1; level < rules.size(); ++level) {
    run.check_stop();
    const std::uint64_t first = s.trie.level_begin[level - 1];
    const std::uint64_t contexts = s.trie.level_begin[level] - first;
    base::parallel_for(contexts, kGrain, run.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        fill_context(s, rules[level], static_cast<Node>(first + i + 1));
    });
  }
  return make_trie(std::move(s.trie));
}

}  // namespace firth::lm
