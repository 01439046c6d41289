#include "lm/trie_builder.hpp"

#include <algorithm>

namespace firth::lm {

std::optional<NgramRow> TrieBuilder::add_level(std::vector<NgramRow> rows) {
  const auto key = [](const NgramRow& row) { return (std::uint64_t{row.parent} << 32) | row.symbol; };
  std::stable_sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  const auto twice = std::adjacent_find(rows.begin(), rows.end(),
                                        [&](const auto& a, const auto& b) { return key(a) == key(b); });
  if (twice != rows.end()) return *(twice + 1);
  // first_child has an entry for each node that has its children already, and one for the first that has not.
  const std::uint64_t begin = storage_.symbols.size();
  const std::uint64_t nodes = storage_.level_begin.size() == 1 ? 1 : begin + 1;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    while (storage_.first_child.size() <= rows[i].parent) storage_.first_child.push_back(begin + i);
    storage_.symbols.push_back(rows[i].symbol);
    storage_.probabilities.push_back(rows[i].probability);
    backoffs_.push_back(rows[i].backoff);
  }
  while (storage_.first_child.size() < nodes) storage_.first_child.push_back(storage_.symbols.size());
  storage_.first_child.push_back(storage_.symbols.size());
  storage_.level_begin.push_back(storage_.symbols.size());
  return std::nullopt;
}

std::optional<Node> TrieBuilder::find(std::span<const Symbol> symbols) const {
  const Trie trie(storage_.arrays(), nullptr);
  Node node = kRoot;
  for (const Symbol symbol : symbols) {
    const std::uint64_t entry = node == kRoot ? symbol : trie.find(node, symbol);
    if (entry == Trie::kNone) return std::nullopt;
    node = static_cast<Node>(entry + 1);
  }
  return node;
}

Trie TrieBuilder::finish(unsigned threads) {
  storage_.backoffs.assign(1, 1.0);
  storage_.backoffs.insert(storage_.backoffs.end(), backoffs_.begin(),
                           backoffs_.begin() + static_cast<std::ptrdiff_t>(storage_.node_count() - 1));
  set_links(storage_, threads);
  return make_trie(std::move(storage_));
}

}  // namespace firth::lm
