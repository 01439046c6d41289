#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "firth/error.hpp"
#include "lm/expand.hpp"
#include "lm/trie_builder.hpp"

namespace firth::lm {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

class Pruner {
 public:
  Pruner(const Trie& trie, const RunOptions& run)
      : trie_(trie), a_(trie.arrays()), run_(run), probabilities_(context_probabilities(trie)) {
    set_losses();
    raise_to_longest();
  }

  Trie keep(double threshold) const {
    TrieBuilder builder;
    std::vector<Node> place(trie_.node_count(), kRoot);
    Node next = 1;
    for (std::size_t level = 1; level < a_.level_begin.size(); ++level) {
      std::vector<NgramRow> rows;
      for (Node node = first_node(level - 1); node < first_node(level) && node < trie_.node_count(); ++node) {
        for (std::uint64_t e = trie_.children_begin(node); e < trie_.children_end(node); ++e) {
          if (losses_[e] < threshold) continue;
          rows.push_back({place[node], a_.symbols[e], a_.probabilities[e], 1, 0});
          if (e + 1 < trie_.node_count()) place[e + 1] = next;
          ++next;
        }
      }
      if (rows.empty()) break;
      builder.add_level(std::move(rows));
    }
    return normalised(builder.finish(run_.threads));
  }

  /// The smallest threshold that leaves no more than the given number of n-grams.
  double threshold_for(std::uint64_t max_ngrams) const {
    const std::uint64_t words = a_.level_begin[1];
    if (max_ngrams < words) {
      throw UsageError(fmt::format("{} n-grams at most, but there are {} words", max_ngrams, words),
                       "allow more n-grams, or train with a smaller vocabulary",
                       "LmExpandOptions::max_ngrams");
    }
    const std::uint64_t wanted = max_ngrams - words;
    std::vector<double> losses(losses_.begin() + static_cast<std::ptrdiff_t>(words), losses_.end());
    if (losses.size() <= wanted) return 0;
    const auto cut = losses.begin() + static_cast<std::ptrdiff_t>(wanted);
    std::nth_element(losses.begin(), cut, losses.end(), std::greater<>());
    return std::nextafter(*cut, kNever);
  }

 private:
  /// By the number of symbols: where nodes of n-grams of that length begin.
  Node first_node(std::size_t symbols) const {
    return symbols == 0 ? kRoot : static_cast<Node>(1 + a_.level_begin[symbols - 1]);
  }

  void set_losses() {
    losses_.assign(a_.symbols.size(), kNever);
    for (Node node = 1; node < trie_.node_count(); ++node) {
      if (node % 4096 == 0) run_.check_stop();
      set_losses_after(node);
    }
  }

  void set_losses_after(Node node) {
    const Trie::ChildMass mass = trie_.child_mass(node);
    const double left = std::max(0.0, 1 - mass.own);
    for (std::uint64_t e = trie_.children_begin(node); e < trie_.children_end(node); ++e) {
      const double p = a_.probabilities[e];
      const double shorter = trie_.step(trie_.suffix(node), a_.symbols[e]).probability;
      const double room = 1 - mass.shorter + shorter;
      const double backoff = room > 1e-12 ? (left + p) / room : 0;
      if (p <= 0 || shorter <= 0 || backoff <= 0) continue;
      double change = p * (std::log(p) - std::log(shorter) - std::log(backoff));
      if (left > 1e-12 && trie_.arrays().backoffs[node] > 0)
        change += left * (std::log(trie_.arrays().backoffs[node]) - std::log(backoff));
      losses_[e] = std::max(0.0, std::expm1(probabilities_[node] * change));
    }
  }

  /// An n-gram stays as long as one that begins with it.
  void raise_to_longest() {
    for (Node node = static_cast<Node>(trie_.node_count() - 1); node > kRoot; --node) {
      for (std::uint64_t e = trie_.children_begin(node); e < trie_.children_end(node); ++e)
        losses_[node - 1] = std::max(losses_[node - 1], losses_[e]);
    }
    std::fill_n(losses_.begin(), a_.level_begin[1], kNever);
  }

  const Trie& trie_;
  const TrieArrays& a_;
  const RunOptions& run_;
  std::vector<double> probabilities_;  ///< of nodes
  std::vector<double> losses_;         ///< of entries: share that the perplexity rises by
};

}  // namespace

Trie pruned(const Trie& trie, const PruneOptions& options, const RunOptions& run) {
  const Pruner pruner(trie, run);
  const double limit = options.max_ngrams > 0 ? pruner.threshold_for(options.max_ngrams) : 0;
  const double threshold = std::max(options.threshold, limit);
  return threshold > 0 ? pruner.keep(threshold) : trie;
}

}  // namespace firth::lm
