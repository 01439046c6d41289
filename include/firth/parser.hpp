// Parsing with a trained grammar.
//
//   const firth::Parser parser(firth::load_lpcfg("english.grammar"), {});
//   const std::vector<firth::ParserToken> words = {{"We"}, {"saw"}, {"it"}};
//   std::puts(firth::format_tree(parser.parse(words).tree).c_str());
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "firth/inputs.hpp"
#include "firth/lpcfg.hpp"
#include "firth/run.hpp"
#include "firth/text.hpp"
#include "firth/treebank.hpp"

namespace firth {

/// How a tree is chosen.
enum class ParseDecoding {
  /// The tree with the largest expected number of correct phrases, minus a penalty for each: that of the largest
  /// expected F1. It need not be one of the grammar's.
  brackets,
  max_marginal,  ///< the grammar's tree with the largest sum of marginals of its symbols (Goodman 1996)
  viterbi,       ///< the likeliest tree; plain PCFGs only
};

/// Whether parse() also gives the marginals of figure 3 of Cohen et al. 2012.
enum class ParseMarginals {
  none,
  /// Of labels as trees have them: summed over annotations, a chain counts for each of its labels, symbols
  /// within long phrases are left out.
  labels,
  symbols,  ///< of the grammar's own symbols, as src/treebank/symbols.hpp spells them
};

/// How to parse.
struct ParseOptions {
  ParseDecoding decoding = ParseDecoding::brackets;
  ParseMarginals marginals = ParseMarginals::none;
  double min_marginal = 0.001;  ///< smaller ones are left out; from 0 to 1
  /// Phrases whose marginal under the plain PCFG is below this are left out; 0 keeps all; below 1.
  double prune = 3e-5;
  /// Tokens are word, separator, tag; what has no separator has no tag given. Empty: words only.
  std::string tag_separator = {};
  /// The inputs of parse_text() are bracketed trees: their words are parsed, traces left out.
  bool from_trees = false;
  /// Lines are split into tokens as the Penn Treebank does: marks are cut off, don't becomes do n't.
  bool tokenize = false;
  /// What parse_text() does with bytes that are not UTF-8.
  InvalidUtf8 invalid_utf8 = InvalidUtf8::error;
};

/// Throws UsageError.
void validate(const ParseOptions& options);

/// A word, with its tag if that is known.
struct ParserToken {
  std::string word = {};
  std::string tag = {};
};

/// How a tree came about.
enum class ParseStatus {
  parsed,  ///< by the grammar
  coarse,  ///< by the plain PCFG, because the grammar gave no positive probability
  flat,    ///< all words under one phrase X: no tree of the grammar covers them, or there is no memory for it
  empty,   ///< no words, no tree
};

/// The share mu(a, i, j) / p(x) of the probability of all trees that belongs to those with a label over the
/// words [begin, end). Spectral parameters may give values a little below 0 or above 1.
struct SpanMarginal {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string label = {};
  double marginal = 0;
};

/// The tree of a sentence.
struct ParseResult {
  Tree tree = {};
  ParseStatus status = ParseStatus::empty;
  /// Natural logarithm of the probability of the words under the first grammar, as far as pruning left it;
  /// NaN unless `parsed` by it.
  double log_probability = 0;
  /// If asked for: the mean over all grammars, or those of the plain PCFG if the tree is `coarse`; in the order
  /// of begin, end and label. Empty for flat trees.
  std::vector<SpanMarginal> marginals = {};
};

/// Parses sentences. May be used from several threads at once.
class Parser {
 public:
  /// Throws UsageError for options out of range, or Viterbi decoding with latent states.
  Parser(Lpcfg grammar, const ParseOptions& options);
  /// Several models, trained in different ways, all of whose grammars vote: decoding by brackets only.
  Parser(std::vector<Lpcfg> grammars, const ParseOptions& options);
  ~Parser();
  Parser(Parser&&) noexcept;
  Parser& operator=(Parser&&) noexcept;
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  /// Brackets in words become -LRB- and -RRB-. run.memory_bytes bounds the chart; a sentence that does not
  /// fit gets a flat tree. Throws Cancelled soon after a stop was requested.
  [[nodiscard]] ParseResult parse(std::span<const ParserToken> sentence, const RunOptions& run = {}) const;

  [[nodiscard]] const ParseOptions& options() const noexcept;
  /// The first one.
  [[nodiscard]] const Lpcfg& grammar() const noexcept;
  /// Whether a grammar has a tag of this name.
  [[nodiscard]] bool knows_tag(const std::string& tag) const;
  /// Memory that the first pass over a number of words takes at most.
  [[nodiscard]] std::uint64_t max_chart_bytes(std::size_t words) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// What was parsed.
struct ParseSummary {
  std::uint64_t sentences = 0;  ///< lines with words
  std::uint64_t words = 0;
  std::uint64_t coarse = 0;
  std::uint64_t flat = 0;
  std::uint64_t unknown_tags = 0;  ///< given tags that the grammar does not know
};

/// Parses text, one sentence per line, words between white space, and hands the results over in order: one for
/// every line (tree), also for empty ones. Throws InputError, also for trees where lines are expected, IoError,
/// Cancelled. Does not depend on the threads.
ParseSummary parse_text(const Parser& parser, const Inputs& inputs,
                        const std::function<void(const ParseResult&)>& each, const RunOptions& run = {});

/// The probability of a tree and of its words.
struct TreeScore {
  double log_tree = 0;       ///< natural logarithm of |p(tree)|; -infinity if the grammar has no such tree
  bool is_negative = false;  ///< spectral parameters may give p(tree) < 0
  double log_sentence = 0;   ///< natural logarithm of p(words): the sum over all trees; NaN if not asked for
};

/// Scores trees under a grammar (figure 2 of Cohen et al. 2012).
class TreeScorer {
 public:
  /// With `sentences`, also the probability of the words, over all trees, without pruning: O(n^3).
  TreeScorer(Lpcfg grammar, bool sentences);
  ~TreeScorer();
  TreeScorer(TreeScorer&&) noexcept;
  TreeScorer& operator=(TreeScorer&&) noexcept;
  TreeScorer(const TreeScorer&) = delete;
  TreeScorer& operator=(const TreeScorer&) = delete;

  /// `tree` is cleaned first. An empty tree has probability 0.
  [[nodiscard]] TreeScore score(Tree tree);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace firth
