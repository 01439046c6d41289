// A back-off n-gram model as an automaton: a state is the longest known context, a step is one search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lm/ngram_counts.hpp"
#include "lm/trie_numbers.hpp"

namespace firth::lm {

/// A context: node 0 is the empty one, node i + 1 is the n-gram of entry i.
using Node = std::uint32_t;
inline constexpr Node kRoot = 0;

/// Most nodes: entries that are contexts are numbered with 32 bits.
inline constexpr std::uint64_t kMaxNodes = 0xffff'fffe;

/// The arrays of a trie, for building it and for files. Entries are the n-grams of level 1, then 2, ...; in a
/// level by parent, then by symbol. Level 1 has every symbol in order. Entries below the highest level are
/// also nodes.
struct TrieArrays {
  std::span<const std::uint64_t> level_begin;  ///< first entry of levels 1..order, then the number of entries
  std::span<const Symbol> symbols;             ///< last symbol of each entry
  Probabilities probabilities;                 ///< p(last symbol | the symbols before it)
  std::span<const Node> links;                 ///< the longest shorter suffix of each entry that is a node
  Backoffs backoffs;                           ///< of each node: factor for what it has no entry for
  std::span<const std::uint64_t> first_child;  ///< of each node, and the number of entries at the end
};

/// What one step gives.
struct Step {
  double probability;
  Node next;
};

/// p(symbol | context) by p = p_explicit if there is an n-gram, else backoff(context) * p(symbol | shorter
/// context). Immutable; views into storage that `owner` keeps alive.
class Trie {
 public:
  Trie() = default;
  Trie(const TrieArrays& arrays, std::shared_ptr<const void> owner)
      : a_(arrays), nodes_(arrays.backoffs.size()), owner_(std::move(owner)) {}

  int order() const noexcept { return static_cast<int>(a_.level_begin.size()) - 1; }
  std::size_t symbol_count() const noexcept { return a_.level_begin[1]; }
  std::size_t node_count() const noexcept { return nodes_; }
  const TrieArrays& arrays() const noexcept { return a_; }
  bool is_quantized() const noexcept { return a_.probabilities.is_quantized(); }

  /// The state after `symbol` in state `from`, and its probability.
  Step step(Node from, Symbol symbol) const noexcept {
    double factor = 1;
    for (Node node = from; node != kRoot; node = a_.links[node - 1]) {
      const std::uint64_t entry = find(node, symbol);
      if (entry != kNone) return {factor * a_.probabilities[entry], after(entry)};
      factor *= a_.backoffs[node];
    }
    return {factor * a_.probabilities[symbol], after(symbol)};
  }

  /// The entry of `symbol` after `node`; kNone if there is none.
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  std::uint64_t find(Node node, Symbol symbol) const noexcept;

  /// The state that an entry leads to.
  Node after(std::uint64_t entry) const noexcept {
    return entry + 1 < nodes_ ? static_cast<Node>(entry + 1) : a_.links[entry];
  }

  std::uint64_t children_begin(Node node) const noexcept { return a_.first_child[node]; }
  std::uint64_t children_end(Node node) const noexcept { return a_.first_child[node + 1]; }
  Node suffix(Node node) const noexcept { return a_.links[node - 1]; }

  /// Probability that the children of a node have together, and that they have after its suffix. Not for the root.
  struct ChildMass {
    double own = 0;
    double shorter = 0;
  };
  ChildMass child_mass(Node node) const noexcept;

  /// p(. | state) for every symbol.
  void distribution(Node state, std::span<double> out) const;

 private:
  TrieArrays a_;
  std::size_t nodes_ = 0;
  std::shared_ptr<const void> owner_;
};

inline std::uint64_t Trie::find(Node node, Symbol symbol) const noexcept {
  std::uint64_t begin = a_.first_child[node];
  std::uint64_t size = a_.first_child[node + 1] - begin;
  if (size == 0) return kNone;
  const Symbol* const symbols = a_.symbols.data();
  while (size > 1) {  // without branches: which half is unpredictable
    const std::uint64_t half = size / 2;
    begin = symbols[begin + half] <= symbol ? begin + half : begin;
    size -= half;
  }
  return symbols[begin] == symbol ? begin : kNone;
}

/// The storage of a trie that was made in this process.
struct TrieStorage {
  std::vector<std::uint64_t> level_begin;
  std::vector<Symbol> symbols;
  std::vector<double> probabilities;
  std::vector<Node> links;
  std::vector<double> backoffs;
  std::vector<std::uint64_t> first_child;

  TrieArrays arrays() const {
    return {level_begin, symbols, std::span(probabilities), links, std::span(backoffs), first_child};
  }
  /// Nodes among the entries, plus the root.
  std::size_t node_count() const { return 1 + level_begin[level_begin.size() - 2]; }
};

/// How often each node is the context in running text: the product of the probabilities of its symbols.
std::vector<double> context_probabilities(const Trie& trie);

/// Takes ownership.
Trie make_trie(TrieStorage storage);

/// Sets `links` of all entries: symbols, level_begin, first_child are there, backoffs has its size.
/// Deterministic for any number of threads.
void set_links(TrieStorage& storage, unsigned threads);

/// Goes through the n-grams of one level in order, knowing the symbols of each: parents only move forward.
class LevelWalker {
 public:
  /// `level` = 1..order.
  LevelWalker(const Trie& trie, int level);

  /// The symbols of the n-gram of an entry of the level; entries must not fall from call to call.
  std::span<const Symbol> symbols(std::uint64_t entry);

 private:
  const Trie& trie_;
  std::vector<Node> parents_;  ///< of the current n-gram: nodes of 0, 1, ... symbols
  std::vector<Symbol> symbols_;
};

}  // namespace firth::lm
