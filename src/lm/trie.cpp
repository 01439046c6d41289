#include "lm/trie.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace firth::lm {

Trie::ChildMass Trie::child_mass(Node node) const noexcept {
  ChildMass mass;
  for (std::uint64_t entry = children_begin(node); entry < children_end(node); ++entry) {
    mass.own += a_.probabilities[entry];
    mass.shorter += step(suffix(node), a_.symbols[entry]).probability;
  }
  return mass;
}

void Trie::distribution(Node state, std::span<double> out) const {
  std::vector<Node> contexts;
  for (Node node = state; node != kRoot; node = suffix(node)) contexts.push_back(node);
  for (std::size_t symbol = 0; symbol < out.size(); ++symbol) out[symbol] = a_.probabilities[symbol];
  for (auto node = contexts.rbegin(); node != contexts.rend(); ++node) {
    const double backoff = a_.backoffs[*node];
    for (double& p : out) p *= backoff;
    for (std::uint64_t entry = children_begin(*node); entry < children_end(*node); ++entry) {
      out[a_.symbols[entry]] = a_.probabilities[entry];
    }
  }
}

std::vector<double> context_probabilities(const Trie& trie) {
  const Probabilities& p = trie.arrays().probabilities;
  std::vector<double> result(trie.node_count(), 1.0);
  for (Node node = 0; node < trie.node_count(); ++node) {
    for (std::uint64_t e = trie.children_begin(node); e < trie.children_end(node); ++e) {
      if (e + 1 < trie.node_count()) result[e + 1] = result[node] * p[e];
    }
    // There are as many beginnings of sentences as ends.
    if (node == kRoot && trie.order() > 1) result[kBeginSymbol + 1] = p[kEndSymbol];
  }
  return result;
}

Trie make_trie(TrieStorage storage) {
  const auto owner = std::make_shared<const TrieStorage>(std::move(storage));
  return {owner->arrays(), owner};
}

namespace {

// The longest suffix of parent's n-gram + symbol that is a node: found by the same walk as a step.
Node link_of(const Trie& trie, Node parent, Symbol symbol) {
  if (parent == kRoot) return kRoot;
  for (Node node = trie.suffix(parent);; node = trie.suffix(node)) {
    if (node == kRoot) return trie.order() > 1 ? symbol + 1 : kRoot;
    const std::uint64_t entry = trie.find(node, symbol);
    if (entry != Trie::kNone) return static_cast<Node>(entry + 1);
  }
}

}  // namespace

void set_links(TrieStorage& storage, unsigned threads) {
  constexpr std::size_t kGrain = 1024;
  storage.links.assign(storage.symbols.size(), kRoot);
  const Trie trie(storage.arrays(), nullptr);
  // A level needs the links of the one before it.
  for (std::size_t level = 1; level + 1 < storage.level_begin.size(); ++level) {
    const std::uint64_t first = storage.level_begin[level - 1];
    const std::uint64_t parents = storage.level_begin[level] - first;
    base::parallel_for(parents, kGrain, threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto parent = static_cast<Node>(first + i + 1);
        for (std::uint64_t e = trie.children_begin(parent); e < trie.children_end(parent); ++e) {
          storage.links[e] = link_of(trie, parent, storage.symbols[e]);
        }
      }
    });
  }
}

LevelWalker::LevelWalker(const Trie& trie, int level) : trie_(trie) {
  symbols_.resize(static_cast<std::size_t>(level));
  // The first node of each length: 0 symbols is the root, then the first entry of each level.
  parents_.push_back(kRoot);
  for (std::size_t length = 1; length < symbols_.size(); ++length) {
    parents_.push_back(static_cast<Node>(trie.arrays().level_begin[length - 1] + 1));
  }
}

std::span<const Symbol> LevelWalker::symbols(std::uint64_t entry) {
  for (std::size_t length = symbols_.size(); length > 0; --length) {
    symbols_[length - 1] = trie_.arrays().symbols[entry];
    Node& parent = parents_[length - 1];
    while (trie_.children_end(parent) <= entry) ++parent;
    if (parent != kRoot) entry = parent - 1;
  }
  return symbols_;
}

}  // namespace firth::lm
