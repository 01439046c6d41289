#include "cluster/brown/unit_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <unordered_map>

#include "cluster/brown/order.hpp"
#include "cluster/class_count.hpp"
#include "cluster/merge_tree.hpp"
#include "cluster/units.hpp"
#include "firth/brown.hpp"
#include "firth/error.hpp"

namespace firth::brown {
namespace {

using clusters::kNoSeed;
using clusters::UnitId;
using clusters::Units;

/// A vocabulary of units, which have counts but no spelling, and need not be sorted.
Vocabulary nameless(std::vector<Count> counts) {
  struct Storage {
    std::vector<std::uint64_t> offsets;
    std::vector<Count> counts;
  };
  const auto storage = std::make_shared<Storage>();
  storage->offsets.resize(counts.size() + 1);
  storage->counts = std::move(counts);
  return {storage->offsets, {}, storage->counts, storage};
}

/// From constraints, which tell units and seed classes apart, to units that hold all words of a seed class.
class UnitMaker {
 public:
  UnitMaker(const Counts& counts, const BrownOptions& options)
      : counts_(counts),
        options_(options),
        units_(clusters::make_units(counts.vocabulary(), {options.constraints, options.boundaries})),
        unit_of_(units_.count, kNone) {
    input_.line_ends = options.boundaries;
    input_.words = units_.words;
    if (input_.line_ends) {
      input_.members.emplace_back();
      unit_of_.back() = 0;
    }
  }

  UnitInput make() {
    number();
    const std::size_t units = input_.members.size() - (input_.line_ends ? 1 : 0);
    clusters::require_words_for(options_.classes, units, "BrownOptions::classes",
                                options_.constraints.empty() ? "words" : "words that may part");
    const ClassId seeds = units_.seeds - (input_.line_ends ? 1 : 0);
    if (seeds > options_.classes)
      throw UsageError(fmt::format("the constraints name {} seed classes, {} classes are asked for", seeds,
                                   options_.classes),
                       "ask for more classes", "BrownOptions::classes");
    separate();
    count();
    order();
    take_words();
    return std::move(input_);
  }

 private:
  static constexpr WordId kNone = static_cast<WordId>(-1);

  ClassId seed_of(UnitId unit) const { return units_.seed_of.empty() ? kNoSeed : units_.seed_of[unit]; }

  /// The unit of the end of a line is no unit of words.
  std::size_t word_units() const { return units_.count - (units_.boundary ? 1 : 0); }

  /// Units of words by their first word.
  void number() {
    std::unordered_map<ClassId, WordId> seeds;
    for (WordId i = 0; i < units_.words.size(); ++i) {
      WordId& unit = unit_of_[units_.unit_of[i]];
      const auto next = static_cast<WordId>(input_.members.size());
      if (unit == kNone) {
        const ClassId seed = seed_of(units_.unit_of[i]);
        unit = seed == kNoSeed ? next : seeds.emplace(seed, next).first->second;
      }
      if (unit == next) input_.members.emplace_back();
      input_.members[unit].push_back(i);
    }
    for (const auto& [seed, unit] : seeds) seeds_.push_back(unit);
    std::sort(seeds_.begin(), seeds_.end());
  }

  void separate() {
    std::vector<std::vector<WordId>> apart(input_.members.size());
    for (UnitId unit = 0; unit < word_units() && !units_.apart.empty(); ++unit)
      for (const UnitId other : units_.apart[unit])
        if (other < word_units()) apart[unit_of_[unit]].push_back(unit_of_[other]);
    for (const WordId seed : seeds_)
      for (const WordId other : seeds_)
        if (other != seed) apart[seed].push_back(other);
    for (std::vector<WordId>& others : apart) {
      std::sort(others.begin(), others.end());
      others.erase(std::unique(others.begin(), others.end()), others.end());
    }
    if (std::any_of(apart.begin(), apart.end(), [](const auto& others) { return !others.empty(); }))
      input_.apart = std::move(apart);
  }

  void count() {
    const std::size_t units = input_.members.size();
    std::vector<PairCount> pairs;
    const auto unit_of = [&](WordId row) {
      return row == units_.words.size() ? WordId{0} : unit_of_[units_.unit_of[row]];
    };
    clusters::bigrams_of(counts_, units_).for_each_pair([&](WordId left, WordId right, Count count) {
      pairs.push_back({unit_of(left), unit_of(right), count});
    });
    PairCounts bigrams = PairCounts::from_pairs(units, std::move(pairs));
    std::vector<Count> counts(units);
    for (WordId unit = 0; unit < units; ++unit)
      for (const WordId word : input_.members[unit])
        counts[unit] += counts_.vocabulary().count(units_.words[word]);
    CountsInfo info = counts_.info();
    const auto all = counts_.vocabulary().counts();
    if (info.tokens == 0) info.tokens = std::accumulate(all.begin(), all.end(), Count{0});
    if (input_.line_ends) {
      counts[0] = std::max(bigrams.left_marginals()[0], bigrams.right_marginals()[0]);
      info.tokens += counts[0];
    }
    input_.counts = Counts(nameless(std::move(counts)), std::move(bigrams), std::move(info));
  }

  /// By frequency, where the order that was asked for leaves a choice; a unit comes with the first of its words.
  void order() {
    std::vector<WordId> unit_of_word(counts_.vocabulary().size(), kNone);
    for (WordId unit = 0; unit < input_.members.size(); ++unit)
      for (const WordId word : input_.members[unit]) unit_of_word[units_.words[word]] = unit;
    std::vector<bool> seen(input_.members.size());
    const auto add = [&](WordId unit) {
      if (unit == kNone || seen[unit]) return;
      seen[unit] = true;
      input_.order.push_back(unit);
    };
    if (input_.line_ends) add(0);
    require_order(options_.order, counts_.vocabulary().size());
    for (const WordId word : options_.order) add(unit_of_word[word]);
    std::vector<WordId> rest(input_.members.size());
    std::iota(rest.begin(), rest.end(), WordId{0});
    const Vocabulary& vocabulary = input_.counts.vocabulary();
    std::stable_sort(rest.begin(), rest.end(),
                     [&](WordId a, WordId b) { return vocabulary.count(a) > vocabulary.count(b); });
    for (const WordId unit : rest) add(unit);
  }

  void take_words() {
    const Vocabulary& all = counts_.vocabulary();
    input_.vocabulary = all;
    if (input_.words.size() == all.size()) return;
    std::vector<std::pair<std::string, Count>> words;
    for (const WordId word : input_.words) words.emplace_back(all.word(word), all.count(word));
    input_.vocabulary = Vocabulary::from_words(std::move(words));
  }

  const Counts& counts_;
  const BrownOptions& options_;
  Units units_;
  std::vector<WordId> unit_of_;  ///< by unit of the constraints
  std::vector<WordId> seeds_;    ///< units that are seed classes
  UnitInput input_;
};

}  // namespace

Clustering UnitInput::cluster_words(const MergeTree& tree, ClassId classes) const {
  if (members.empty())
    return {vocabulary, clusters::nodes_after(tree, tree.leaves - classes), std::optional(tree)};
  MergeTree all{TreeLeaves::words, static_cast<std::uint32_t>(vocabulary.size()), {}};
  std::vector<std::uint32_t> node(members.size() + tree.merges.size());
  const auto merge = [&](const TreeMerge& merged) {
    all.merges.push_back(merged);
    return all.leaves + static_cast<std::uint32_t>(all.merges.size()) - 1;
  };
  for (WordId unit = 0; unit < members.size(); ++unit) {
    if (members[unit].empty()) continue;
    node[unit] = members[unit][0];
    for (const WordId word : std::span(members[unit]).subspan(1)) node[unit] = merge({node[unit], word, 0.0});
  }
  for (std::size_t i = 0; i < tree.merges.size(); ++i) {
    const TreeMerge& merged = tree.merges[i];
    node[members.size() + i] = merge({node[merged.left], node[merged.right], merged.ami_bits});
  }
  return {vocabulary, clusters::nodes_after(all, all.leaves - classes), std::optional(all)};
}

UnitInput make_unit_input(const Counts& counts, const BrownOptions& options) {
  if (options.boundaries || !options.constraints.empty()) return UnitMaker(counts, options).make();
  clusters::require_words_for(options.classes, counts.vocabulary().size(), "BrownOptions::classes");
  UnitInput input;
  input.counts = counts;
  input.order = entry_order(counts, options);
  input.vocabulary = counts.vocabulary();
  return input;
}

}  // namespace firth::brown
