#include "grammar/features.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <unordered_map>

#include "base/hash.hpp"

namespace firth::grammar {
namespace {

/// Features are named by a hash of what they see: 64 bits for some 10^7 of them.
std::uint64_t key(std::uint32_t tag, std::initializer_list<std::uint64_t> parts) {
  std::uint64_t hash = base::kGoldenRatio * (tag + 1);
  for (const std::uint64_t part : parts) hash = base::mix(hash ^ (part + 0x632be59bd9b4e019u));
  return hash;
}

constexpr std::size_t kSpellingTemplate = kInsideTemplates.size() - 1;
constexpr std::uint64_t kBoundary = std::numeric_limits<std::uint64_t>::max();

/// Lengths are told apart up to 5, then by powers of about 1.5.
std::uint64_t length_bin(std::uint32_t length) {
  if (length <= 5) return length;
  return 5 + static_cast<std::uint64_t>(std::log(static_cast<double>(length) / 5.0) / std::log(1.5));
}

class Extractor {
 public:
  Extractor(const TrainingNodes& trees, const FeatureOptions& options) : trees_(trees), options_(options) {}

  void inside(std::uint32_t id, std::vector<std::uint64_t>& keys) const {
    const TrainingNode& node = trees_.nodes[id];
    if (node.leaf()) {
      leaf_inside(node, keys);
    } else {
      binary_inside(node, keys);
      keep_selected(keys, options_.inside_templates);
    }
  }

  void outside(std::uint32_t id, std::vector<std::uint64_t>& keys) const {
    above(id, keys);
    around(id, keys);
    keep_selected(keys, options_.outside_templates);
  }

 private:
  void leaf_inside(const TrainingNode& node, std::vector<std::uint64_t>& keys) const {
    if ((options_.inside_templates & 1u) != 0) keys.push_back(key(0, {node.rule}));
    if (!trees_.spellings.empty() && (options_.inside_templates >> kSpellingTemplate & 1u) != 0)
      keys.push_back(key(1, {trees_.spellings[node.begin]}));
  }

  void binary_inside(const TrainingNode& node, std::vector<std::uint64_t>& keys) const {
    const TrainingNode& left = trees_.nodes[node.left];
    const TrainingNode& right = trees_.nodes[node.right];
    keys.push_back(key(0, {node.rule}));
    keys.push_back(key(1, {left.symbol}));
    keys.push_back(key(2, {right.symbol}));
    keys.push_back(key(3, {node.rule, left.rule}));
    keys.push_back(key(4, {node.rule, right.rule}));
    keys.push_back(key(5, {length_bin(node.end - node.begin)}));
    keys.push_back(key(6, {terminal_at(node.begin)}));
    keys.push_back(key(7, {terminal_at(node.end - 1)}));
  }

  /// One, two and three rules up with the foot marked, the labels on the path, the sister's rule.
  void above(std::uint32_t id, std::vector<std::uint64_t>& keys) const {
    std::array<std::uint64_t, 3> steps = {kBoundary, kBoundary, kBoundary};
    std::array<std::uint64_t, 3> labels = {kBoundary, kBoundary, kBoundary};
    std::uint64_t sister = kBoundary;
    std::uint32_t foot = id;
    for (std::size_t level = 0; level < steps.size(); ++level) {
      const std::uint32_t parent = trees_.nodes[foot].parent;
      if (parent == kNoNode) break;
      const TrainingNode& up = trees_.nodes[parent];
      const bool is_right = up.right == foot;
      if (level == 0) sister = trees_.nodes[is_right ? up.left : up.right].rule;
      steps[level] = std::uint64_t{up.rule} * 2 + (is_right ? 1 : 0);
      labels[level] = up.symbol;
      foot = parent;
    }
    keys.push_back(key(0, {steps[0]}));
    keys.push_back(key(1, {steps[0], steps[1]}));
    keys.push_back(key(2, {steps[0], steps[1], steps[2]}));
    keys.push_back(key(3, {labels[0]}));
    keys.push_back(key(4, {labels[0], labels[1]}));
    keys.push_back(key(5, {steps[0], sister}));
  }

  /// The words and tags on both sides, and how many there are.
  void around(std::uint32_t id, std::vector<std::uint64_t>& keys) const {
    const TrainingNode& node = trees_.nodes[id];
    const TrainingNode& root = root_of(id);
    const bool first = node.begin == root.begin;
    const bool last = node.end == root.end;
    keys.push_back(key(6, {first ? kBoundary : terminal_at(node.begin - 1)}));
    keys.push_back(key(7, {last ? kBoundary : terminal_at(node.end)}));
    keys.push_back(key(8, {first ? kBoundary : tag_at(node.begin - 1)}));
    keys.push_back(key(9, {last ? kBoundary : tag_at(node.end)}));
    keys.push_back(key(10, {length_bin(node.begin - root.begin)}));
    keys.push_back(key(11, {length_bin(root.end - node.end)}));
  }

  /// Keys are in the order of their templates.
  static void keep_selected(std::vector<std::uint64_t>& keys, std::uint32_t selected) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < keys.size(); ++i)
      if ((selected >> i & 1u) != 0) keys[kept++] = keys[i];
    keys.resize(kept);
  }

  const TrainingNode& root_of(std::uint32_t id) const {
    const auto end = std::upper_bound(trees_.tree_ends.begin(), trees_.tree_ends.end(), id);
    return trees_.nodes[*end - 1];
  }
  std::uint64_t terminal_at(std::uint32_t word) const {
    return trees_.lexical_rules[trees_.nodes[trees_.leaves[word]].rule].terminal;
  }
  std::uint64_t tag_at(std::uint32_t word) const { return trees_.nodes[trees_.leaves[word]].symbol; }

  const TrainingNodes& trees_;
  const FeatureOptions& options_;
};

/// Collects rows of keys into a sparse matrix; columns are numbered as they come.
class RowBuilder {
 public:
  void add(const std::vector<std::uint64_t>& keys) {
    for (const std::uint64_t name : keys) rows_.indices.push_back(count(name));
    rows_.offsets.push_back(rows_.indices.size());
    ++counted_;
  }

  /// In two steps, where some rows decide which columns there are and what they weigh: those rows first, ...
  void count_row(const std::vector<std::uint64_t>& keys) {
    for (const std::uint64_t name : keys) count(name);
    ++counted_;
  }
  /// ... then all.
  void add_counted(const std::vector<std::uint64_t>& keys) {
    for (const std::uint64_t name : keys) {
      if (const auto it = columns_.find(name); it != columns_.end()) rows_.indices.push_back(it->second);
    }
    rows_.offsets.push_back(rows_.indices.size());
  }

  linalg::SparseRows<float> finish(const FeatureOptions& options) {
    rows_.columns = counts_.size();
    std::vector<float> scales(counts_.size(), 1.0F);
    const auto total = static_cast<double>(counted_);
    if (options.scale)
      for (std::size_t i = 0; i < scales.size(); ++i)
        scales[i] = static_cast<float>(std::sqrt(total / (counts_[i] + options.pseudo_count)));
    rows_.values.reserve(rows_.indices.size());
    for (const std::uint32_t column : rows_.indices) rows_.values.push_back(scales[column]);
    return std::move(rows_);
  }

 private:
  std::uint32_t count(std::uint64_t name) {
    const auto [it, added] = columns_.try_emplace(name, static_cast<std::uint32_t>(counts_.size()));
    if (added) counts_.push_back(0);
    ++counts_[it->second];
    return it->second;
  }

  std::unordered_map<std::uint64_t, std::uint32_t> columns_;
  std::vector<std::uint32_t> counts_;
  std::uint64_t counted_ = 0;
  linalg::SparseRows<float> rows_;
};

}  // namespace

SymbolFeatures extract_features(const TrainingNodes& trees, std::span<const std::uint32_t> nodes,
                                const FeatureOptions& options) {
  const Extractor extractor(trees, options);
  RowBuilder inside;
  RowBuilder outside;
  std::vector<std::uint64_t> keys;
  const auto each = [&](std::uint32_t node, auto add) {
    keys.clear();
    extractor.inside(node, keys);
    (inside.*add)(keys);
    keys.clear();
    extractor.outside(node, keys);
    (outside.*add)(keys);
  };
  const bool all = trees.sampled.empty();
  if (!all) {
    for (const std::uint32_t node : nodes)
      if (trees.is_sampled(node)) each(node, &RowBuilder::count_row);
  }
  for (const std::uint32_t node : nodes) each(node, all ? &RowBuilder::add : &RowBuilder::add_counted);
  return {inside.finish(options), outside.finish(options)};
}

}  // namespace firth::grammar
