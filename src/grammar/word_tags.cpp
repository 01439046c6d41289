#include "grammar/word_tags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "base/memory_limit.hpp"
#include "base/stage.hpp"
#include "text/unicode_words.hpp"

namespace firth::grammar {
namespace {

constexpr double kPseudoCount = 1.0;      // kappa
constexpr double kMinProbability = 1e-5;  // of a tag given the word: what is below is left out
// A rare word may have any tag of its class: with a tag of its own for every word, the square of their number.
constexpr std::size_t kMaxClassTags = 1000;

// Rules of each terminal are neighbours.
std::pair<std::size_t, std::size_t> rules_of(const RuleCounts& rules, TerminalId terminal) {
  const auto before = [](const LexicalRule& rule, TerminalId value) { return rule.terminal < value; };
  const auto first = std::lower_bound(rules.lexical.begin(), rules.lexical.end(), terminal, before);
  const auto last = std::lower_bound(first, rules.lexical.end(), terminal + 1, before);
  return {first - rules.lexical.begin(), last - rules.lexical.begin()};
}

double terminal_count(const RuleCounts& rules, std::pair<std::size_t, std::size_t> range) {
  Count sum = 0;
  for (std::size_t i = range.first; i < range.second; ++i) sum += rules.lexical_counts[i];
  return static_cast<double>(sum);
}

// What was seen of one word with one tag.
struct Seen {
  std::uint32_t word = 0;
  SymbolId tag = 0;
  std::uint32_t rule = 0;
  friend auto operator<=>(const Seen&, const Seen&) = default;
};

std::vector<Seen> all_seen(const TrainingSet& set) {
  std::vector<Seen> seen;
  for (std::size_t t = 0; t < set.trees.size(); ++t) {
    for (const treebank::BinaryNode& node : set.trees[t].nodes) {
      if (node.is_leaf()) seen.push_back({set.sentences[t][node.begin], node.symbol, node.rule});
    }
  }
  std::sort(seen.begin(), seen.end());
  return seen;
}

// Calls visit(sights) for each word.
template <typename Visit>
void for_each_word(std::span<const Seen> seen, const RunOptions& run, const Visit& visit) {
  for (std::size_t first = 0; first < seen.size();) {
    std::size_t last = first;
    while (last < seen.size() && seen[last].word == seen[first].word) ++last;
    run.check_stop();
    visit(seen.subspan(first, last - first));
    first = last;
  }
}

// The tags of one word.
class WordTagMaker {
 public:
  explicit WordTagMaker(const TrainingSet& set) : set_(set) {}

  // Calls visit(tag) for each tag of a word; `seen` are all sights of it.
  template <typename Visit>
  void for_each_tag(std::span<const Seen> seen, const Visit& visit) {
    struct TagCount {
      double count = 0;
      std::uint32_t rule = 0;
    };
    std::map<SymbolId, TagCount> counts;
    for (const Seen& item : seen) {
      TagCount& count = counts[item.tag];
      count.count += 1;
      count.rule = item.rule;
    }
    const auto total = static_cast<double>(seen.size());
    const Shares& smooth = class_share(set_.words[seen.front().word]);
    for (const auto& [tag, count] : counts) {
      const auto share = smooth.find(tag);
      const double class_part = share == smooth.end() ? 0 : share->second.second;
      give(count.rule, (count.count + kPseudoCount * class_part) / (total + kPseudoCount), total, visit);
    }
    for (const auto& [tag, rule_share] : smooth) {
      if (counts.contains(tag)) continue;
      give(rule_share.first, kPseudoCount * rule_share.second / (total + kPseudoCount), total, visit);
    }
  }

 private:
  using Shares = std::map<SymbolId, std::pair<std::uint32_t, double>>;

  // P(tag | class), with the rule of the tag and the class. Words of a class share it.
  const Shares& class_share(const std::string& word) {
    const TerminalId terminal = set_.lexicon.class_of(word, false);
    const auto [known, is_new] = shares_.try_emplace(terminal);
    Shares& shares = known->second;
    if (!is_new) return shares;
    const auto range = rules_of(set_.rules, terminal);
    const double total = terminal_count(set_.rules, range);
    for (const std::size_t i : frequent_rules(range)) {
      shares[set_.rules.lexical[i].tag] = {static_cast<std::uint32_t>(i),
                                           static_cast<double>(set_.rules.lexical_counts[i]) / total};
    }
    return shares;
  }

  // The most frequent rules of a class; of equal ones, the first.
  std::vector<std::size_t> frequent_rules(std::pair<std::size_t, std::size_t> range) const {
    std::vector<std::size_t> rules(range.second - range.first);
    std::iota(rules.begin(), rules.end(), range.first);
    if (rules.size() <= kMaxClassTags) return rules;
    const auto& counts = set_.rules.lexical_counts;
    std::stable_sort(rules.begin(), rules.end(),
                     [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
    rules.resize(kMaxClassTags);
    return rules;
  }

  template <typename Visit>
  void give(std::uint32_t rule, double share, double total, const Visit& visit) const {
    if (share < kMinProbability) return;
    const double weight = share * total / static_cast<double>(set_.rules.lexical_counts[rule]);
    visit(WordTag{rule, static_cast<float>(weight)});
  }

  const TrainingSet& set_;
  std::map<TerminalId, Shares> shares_;
};

// Before any of it is taken.
std::uint64_t count_tags(std::span<const Seen> seen, WordTagMaker& maker, const TrainingSet& set,
                         const RunOptions& run) {
  std::uint64_t tags = 0;
  for_each_word(seen, run, [&](std::span<const Seen> word) {
    maker.for_each_tag(word, [&](const WordTag&) { ++tags; });
  });
  base::require_memory(
      run, tags * sizeof(WordTag),
      fmt::format("{} words, each with {} tags that it may have,", set.words.size(), tags / set.words.size()),
      "give fewer different tags");
  return tags;
}

}  // namespace

WordTags make_word_tags(const TrainingSet& set, const RunOptions& run) {
  WordTags result;
  const std::vector<Seen> seen = all_seen(set);
  const base::Stage stage(run, "tags of words", "words", set.words.size());
  WordTagMaker maker(set);
  result.tags.reserve(count_tags(seen, maker, set, run));
  result.begin.assign(1, 0);
  for_each_word(seen, run, [&](std::span<const Seen> word) {
    maker.for_each_tag(word, [&](const WordTag& tag) { result.tags.push_back(tag); });
    result.begin.push_back(result.tags.size());
    stage.advance(result.begin.size() - 1);
  });
  return result;
}

ClusterRules make_cluster_rules(const TrainingSet& set, const LatentGrammar& grammar, const WordTags& tags,
                                const Clustering& clusters, TerminalId first_terminal) {
  constexpr double kMaxSights = 10;  // of one word
  struct Sum {
    std::vector<double> vector;
    double count = 0;
  };
  std::map<std::pair<ClassId, SymbolId>, Sum> sums;
  std::vector<Count> word_counts(set.words.size(), 0);
  for (const auto& sentence : set.sentences) {
    for (const std::uint32_t word : sentence) ++word_counts[word];
  }
  const WordIndex index(clusters.vocabulary());
  text::WordMaker maker(clusters.preprocessing().value_or(Preprocessing{}));
  for (std::uint32_t word = 0; word < set.words.size(); ++word) {
    const auto found = index.find(maker.token(set.words[word]));
    if (!found) continue;
    const auto count = static_cast<double>(word_counts[word]);
    const double damping = std::min(count, kMaxSights) / count;
    for (std::uint64_t i = tags.begin[word]; i < tags.begin[word + 1]; ++i) {
      const LexicalRule& rule = set.rules.lexical[tags.tags[i].lexical];
      Sum& sum = sums[{clusters.class_of(*found), rule.tag}];
      const double weight = damping * static_cast<double>(tags.tags[i].weight);
      const auto vector = grammar.vector(tags.tags[i].lexical);
      sum.vector.resize(vector.size(), 0.0);
      for (std::size_t h = 0; h < vector.size(); ++h) sum.vector[h] += weight * vector[h];
      sum.count += weight * static_cast<double>(set.rules.lexical_counts[tags.tags[i].lexical]);
    }
  }
  ClusterRules result;
  std::vector<TerminalId> terminal_of(clusters.class_count(), kNoTerminal);
  TerminalId next = first_terminal;
  for (auto& [key, sum] : sums) {
    if (terminal_of[key.first] == kNoTerminal) terminal_of[key.first] = next++;
    result.rules.push_back({key.second, terminal_of[key.first]});
    result.vectors.push_back(std::move(sum.vector));
    result.counts.push_back(sum.count);
  }
  for (const ClassId id : clusters.classes()) result.cluster_of.push_back(terminal_of[id]);
  return result;
}

}  // namespace firth::grammar
