// A trie from n-grams with given probabilities.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lm/trie.hpp"

namespace firth::lm {

/// One n-gram: the node of its first symbols, its last symbol, its numbers.
struct NgramRow {
  Node parent = kRoot;
  Symbol symbol = 0;
  double probability = 0;
  double backoff = 1;
  std::uint64_t line = 0;  ///< where it comes from
};

/// Takes level after level.
class TrieBuilder {
 public:
  /// Adds the next level, any order. Level 1 must have every symbol. Returns a row that stands there twice,
  /// if there is one: then the trie is of no use.
  std::optional<NgramRow> add_level(std::vector<NgramRow> rows);

  /// The node of an n-gram of the levels so far; nullopt if there is none.
  std::optional<Node> find(std::span<const Symbol> symbols) const;

  std::uint64_t entries() const { return storage_.symbols.size(); }

  /// All levels are there.
  Trie finish(unsigned threads);

 private:
  TrieStorage storage_{{0}, {}, {}, {}, {}, {0}};
  std::vector<double> backoffs_;  ///< of the entries
};

}  // namespace firth::lm
