#include <fmt/format.h>

#include "base/file_system.hpp"
#include "base/files.hpp"
#include "base/memory_limit.hpp"
#include "base/rng.hpp"
#include "base/stage.hpp"
#include "base/transaction.hpp"
#include "firth/error.hpp"
#include "firth/sample.hpp"
#include "sample/random_lpcfg.hpp"
#include "sample/syllables.hpp"

namespace firth {
namespace {

// The trees must not repeat the draws that made the grammar.
constexpr std::uint64_t kTreeStream = 1;  // the grammar is drawn from stream 0
constexpr std::uint64_t kTreesBetweenReports = 1u << 10;

/// Names of what the grammar numbers.
class Names {
 public:
  explicit Names(const LpcfgModelOptions& options) : options_(options) {}

  std::string symbol(grammar::SymbolId id) const {
    if (id == 0) return "S";
    return id < options_.phrases ? fmt::format("P{}", id) : fmt::format("T{}", id - options_.phrases + 1);
  }
  std::string word(grammar::TerminalId id) const {
    return sample::stem(id / options_.tags) + sample::ending(id % options_.tags, options_.tags);
  }

 private:
  const LpcfgModelOptions& options_;
};

/// Brackets; with states, S-0 stands for state 0 of S.
void put_tree(const treebank::BinaryTree& tree, const Names& names, const std::vector<std::uint32_t>* states,
              std::uint32_t node, std::string& line) {
  const treebank::BinaryNode& at = tree.nodes[node];
  line += '(';
  line += names.symbol(at.symbol);
  if (states != nullptr) line += fmt::format("-{}", (*states)[node]);
  line += ' ';
  if (at.is_leaf()) {
    line += names.word(at.word);
  } else {
    put_tree(tree, names, states, at.left, line);
    line += ' ';
    put_tree(tree, names, states, at.right, line);
  }
  line += ')';
}

/// Every parameter on a line: what it is, the symbols with their states, the probability.
void write_parameters(const grammar::LatentGrammar& grammar, const Names& names, base::OutputFile& out) {
  const auto roots = grammar.root(0);
  for (std::size_t h = 0; h < roots.size(); ++h)
    out.write(fmt::format("root\t{}-{}\t\t\t{:.9g}\n", names.symbol(0), h, roots[h]));
  for (std::size_t r = 0; r < grammar.rules.size(); ++r) {
    const grammar::BinaryRule& rule = grammar.rules[r];
    const std::size_t left = grammar.states[rule.left];
    const std::size_t right = grammar.states[rule.right];
    const auto tensor = grammar.tensor(r);
    for (std::size_t i = 0; i < tensor.size(); ++i)
      out.write(fmt::format("rule\t{}-{}\t{}-{}\t{}-{}\t{:.9g}\n", names.symbol(rule.parent),
                            i / (left * right), names.symbol(rule.left), i / right % left,
                            names.symbol(rule.right), i % right, tensor[i]));
  }
  for (std::size_t r = 0; r < grammar.lexical.size(); ++r) {
    const auto vector = grammar.vector(r);
    for (std::size_t h = 0; h < vector.size(); ++h)
      out.write(fmt::format("word\t{}-{}\t{}\t\t{:.9g}\n", names.symbol(grammar.lexical[r].tag), h,
                            names.word(grammar.lexical[r].terminal), vector[h]));
  }
}

void check_grammar_memory(const LpcfgModelOptions& options, const RunOptions& run) {
  const std::uint64_t states = options.states;
  const std::uint64_t needed =
      64 *
      (std::uint64_t{options.phrases} * options.rules * states * states * states + options.words * states);
  base::require_memory(run, needed, "the grammar", "ask for fewer states or rules");
}

}  // namespace

void validate(const LpcfgModelOptions& options) {
  const auto check = [](std::uint64_t value, std::uint64_t max, const char* what, const char* field) {
    if (value >= 1 && value <= max) return;
    throw UsageError(fmt::format("{} must be from 1 to {}", what, max), "", field);
  };
  check(options.phrases, 1000, "the number of phrases", "LpcfgModelOptions::phrases");
  check(options.tags, 1000, "the number of tags", "LpcfgModelOptions::tags");
  check(options.states, 64, "the number of states", "LpcfgModelOptions::states");
  check(options.rules, 1000, "the rules of a phrase", "LpcfgModelOptions::rules");
  if (options.words < options.tags) {
    throw UsageError("every tag needs a word", "ask for as many words as tags, or more",
                     "LpcfgModelOptions::words");
  }
  if (!(options.contrast >= 0 && options.contrast <= 20))
    throw UsageError("the contrast must be from 0 to 20", "", "LpcfgModelOptions::contrast");
}

LpcfgSample save_lpcfg_sample(const std::string& folder, const LpcfgModelOptions& options,
                              std::uint64_t trees, const RunOptions& run) {
  validate(options);
  if (trees == 0) throw UsageError("0 trees are no sample", "ask for at least one");
  check_grammar_memory(options, run);
  const grammar::LatentGrammar truth = sample::draw_lpcfg({.phrases = options.phrases,
                                                           .tags = options.tags,
                                                           .words = options.words,
                                                           .states = options.states,
                                                           .rules = options.rules,
                                                           .contrast = options.contrast},
                                                          run.seed);
  base::Transaction files;
  files.claim(folder);
  base::OutputFile plain(base::joined(folder, "trees.mrg"));
  base::OutputFile annotated(base::joined(folder, "states.mrg"));
  base::OutputFile parameters(base::joined(folder, "grammar.tsv"));
  const Names names(options);
  write_parameters(truth, names, parameters);
  const sample::TreeSampler sampler(truth);
  base::Rng rng = base::Rng::stream(run.seed, kTreeStream);
  LpcfgSample result;
  result.rules = truth.rules.size();
  std::vector<std::uint32_t> states;
  std::string line;
  base::Stage stage(run, "drawing", "trees", trees);
  for (; result.trees < trees; ++result.trees) {
    if (result.trees % kTreesBetweenReports == 0) {
      run.check_stop();
      stage.advance(result.trees);
    }
    const treebank::BinaryTree tree = sampler.draw(rng, states);
    result.words += tree.word_count();
    for (const bool with_states : {false, true}) {
      line = "( ";
      put_tree(tree, names, with_states ? &states : nullptr, 0, line);
      line += ")\n";
      (with_states ? annotated : plain).write(line);
    }
  }
  stage.end();
  plain.commit();
  annotated.commit();
  parameters.commit();
  files.commit();
  return result;
}

}  // namespace firth
