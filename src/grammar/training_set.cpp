#include "grammar/training_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/stage.hpp"
#include "firth/error.hpp"
#include "firth/printable.hpp"
#include "text/inputs.hpp"
#include "text/unicode_words.hpp"
#include "treebank/tagged_reader.hpp"

namespace firth::grammar {
namespace {

using treebank::BinaryNode;
using treebank::BinaryTree;

// Builds the set tree by tree; terminals come at the end, when all words are counted.
class SetBuilder {
 public:
  /// No more than `memory_bytes` for trees; 0 = no limit.
  explicit SetBuilder(const LpcfgTrainOptions& options, std::uint64_t memory_bytes = 0)
      : options_(options),
        memory_bytes_(memory_bytes),
        binarizer_(options.binarize, set_.symbols, set_.words),
        maker_(options.lexicon.words) {
    set_.binarize = options.binarize;
    set_.spelling = options.lexicon.words;
  }

  void add(const Tree& tree) {
    set_.trees.push_back(binarizer_(maker_.is_needed() ? spelled(tree) : tree));
    std::vector<std::uint32_t> sentence;
    for (const BinaryNode& node : set_.trees.back().nodes) {
      if (!node.is_leaf()) continue;
      sentence.push_back(node.word);
      counts_.resize(set_.words.size());
      ++(node.begin == 0 ? counts_[node.word].first : counts_[node.word].other);
    }
    bytes_ += set_.trees.back().nodes.capacity() * sizeof(BinaryNode) + sizeof(BinaryTree) +
              sentence.capacity() * sizeof(std::uint32_t) + sizeof(std::vector<std::uint32_t>);
    set_.sentences.push_back(std::move(sentence));
    if (memory_bytes_ > 0 && bytes_ > memory_bytes_) {
      throw ResourceError(fmt::format("the first {} trees alone take more than the {} that are allowed",
                                      set_.trees.size(), memory_text(memory_bytes_)),
                          "give fewer trees or allow more memory");
    }
  }

  TrainingSet finish() {
    set_.lexicon = Lexicon::build(set_.words, counts_, options_.lexicon);
    for (BinaryTree& tree : set_.trees) {
      for (BinaryNode& node : tree.nodes) {
        if (node.is_leaf()) node.word = set_.lexicon.terminal_of(set_.words[node.word], node.begin == 0);
      }
    }
    set_.rules = count_rules(set_.trees, set_.symbols.size());
    return std::move(set_);
  }

 private:
  Tree spelled(Tree tree) {
    for (TreeNode& node : tree.nodes) {
      if (!node.word.empty()) node.word = std::string(maker_.token(node.word));
    }
    return tree;
  }

  LpcfgTrainOptions options_;
  std::uint64_t memory_bytes_;
  std::uint64_t bytes_ = 0;
  TrainingSet set_;
  treebank::Binarizer binarizer_;
  text::WordMaker maker_;
  std::vector<Lexicon::WordCount> counts_;
};

// Sorts and merges; `index` maps every occurrence to its rule.
template <typename Rule, typename Key>
void number_rules(std::vector<Rule>& rules, std::vector<Count>& counts, const Key& key) {
  std::sort(rules.begin(), rules.end(), [&](const Rule& a, const Rule& b) { return key(a) < key(b); });
  std::size_t kept = 0;
  for (const Rule& rule : rules) {
    if (kept > 0 && rules[kept - 1] == rule) {
      ++counts[kept - 1];
    } else {
      rules[kept++] = rule;
      counts.push_back(1);
    }
  }
  rules.resize(kept);
}

auto binary_key(const BinaryRule& rule) {
  return std::tuple(rule.left, rule.right, rule.parent);
}

auto lexical_key(const LexicalRule& rule) {
  return std::tuple(rule.terminal, rule.tag);
}

template <typename Rule, typename Key>
std::uint32_t find_rule(const std::vector<Rule>& rules, const Rule& rule, const Key& key) {
  const auto found = std::lower_bound(rules.begin(), rules.end(), rule,
                                      [&](const Rule& a, const Rule& b) { return key(a) < key(b); });
  return static_cast<std::uint32_t>(found - rules.begin());
}

BinaryRule rule_at(const BinaryTree& tree, const BinaryNode& node) {
  return {node.symbol, tree.nodes[node.left].symbol, tree.nodes[node.right].symbol};
}

// Sentences without words do not come out of the reader.
TrainingSet read_sequences(const Inputs& inputs, const LpcfgTrainOptions& options, const RunOptions& run) {
  LpcfgTrainOptions chain = options;
  chain.binarize = {.branching = TreeBranching::right, .horizontal = 1};
  SetBuilder builder(chain, run.memory_bytes);
  treebank::TaggedReader reader(inputs, {}, run);
  bool any = false;
  for (Tree tree; reader.next(tree); any = true) builder.add(tree);
  if (!any) throw InputError({inputs.first_name()}, "no tagged sentences");
  return builder.finish();
}

}  // namespace

TrainingSet read_training_set(const Inputs& inputs, const LpcfgTrainOptions& options, const RunOptions& run) {
  if (options.sequences) return read_sequences(inputs, options, run);
  SetBuilder builder(options, run.memory_bytes);
  TreeReader reader(inputs, TreeLayout::free, run);
  if (options.skip_bad) reader.skip_bad();
  base::Stage stage(run, "reading trees", "trees");
  std::uint64_t trees = 0;
  std::uint64_t empty = 0;
  for (Tree tree; reader.next(tree);) {
    clean_tree(tree);
    if (tree.empty()) {
      ++empty;
      continue;
    }
    builder.add(tree);
    if (++trees % 1024 == 0) stage.advance(trees);
  }
  stage.end();
  empty += reader.left_out();
  if (empty > 0) base::warn(run, std::to_string(empty) + " trees without words are left out");
  if (reader.bad() > 0) {
    const std::string count =
        reader.bad() == 1 ? "1 bad tree is" : std::to_string(reader.bad()) + " bad trees are";
    base::warn(run, count + " left out; the first: " + reader.first_problem());
  }
  TrainingSet set = builder.finish();
  if (set.trees.empty()) {
    throw InputError({inputs.first_name()}, "no trees", "brackets are needed: (S (NP ...) ...)");
  }
  return set;
}

RuleCounts count_rules(std::vector<BinaryTree>& trees, std::size_t symbol_count) {
  RuleCounts counts;
  counts.symbols.assign(symbol_count, 0);
  counts.roots.assign(symbol_count, 0);
  for (const BinaryTree& tree : trees) {
    ++counts.roots[tree.nodes.front().symbol];
    for (const BinaryNode& node : tree.nodes) {
      ++counts.symbols[node.symbol];
      if (node.is_leaf()) {
        counts.lexical.push_back({node.symbol, node.word});
      } else {
        counts.rules.push_back(rule_at(tree, node));
      }
    }
  }
  number_rules(counts.rules, counts.rule_counts, binary_key);
  number_rules(counts.lexical, counts.lexical_counts, lexical_key);
  for (BinaryTree& tree : trees) {
    for (BinaryNode& node : tree.nodes) {
      node.rule = node.is_leaf() ? find_rule(counts.lexical, LexicalRule{node.symbol, node.word}, lexical_key)
                                 : find_rule(counts.rules, rule_at(tree, node), binary_key);
    }
  }
  return counts;
}

LatentGrammar empty_grammar(const RuleCounts& rules, std::vector<std::uint32_t> states) {
  LatentGrammar grammar;
  grammar.states = std::move(states);
  grammar.rules = rules.rules;
  grammar.lexical = rules.lexical;
  grammar.allocate();
  return grammar;
}

LatentGrammar train_pcfg(const RuleCounts& rules) {
  LatentGrammar grammar = empty_grammar(rules, std::vector<std::uint32_t>(rules.symbols.size(), 1));
  const auto ratio = [](Count part, Count whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
  };
  for (std::size_t i = 0; i < rules.rules.size(); ++i) {
    grammar.tensors[i] = ratio(rules.rule_counts[i], rules.symbols[rules.rules[i].parent]);
  }
  for (std::size_t i = 0; i < rules.lexical.size(); ++i) {
    grammar.vectors[i] = ratio(rules.lexical_counts[i], rules.symbols[rules.lexical[i].tag]);
  }
  Count trees = 0;
  for (const Count count : rules.roots) trees += count;
  for (std::size_t i = 0; i < rules.roots.size(); ++i) grammar.roots[i] = ratio(rules.roots[i], trees);
  return grammar;
}

}  // namespace firth::grammar
