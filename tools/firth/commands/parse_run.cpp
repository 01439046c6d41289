#include <fmt/format.h>

#include <cctype>
#include <firth/error.hpp>
#include <firth/parser.hpp>
#include <numbers>

#include "commands/commands.hpp"
#include "shared_options.hpp"

namespace firth::cli {
namespace {

class ParseRunCommand final : public Command {
 public:
  std::string name() const override { return "parse run"; }
  std::string summary() const override { return "parses text with a grammar"; }
  std::string description() const override {
    return "Reads one sentence per line, words separated by white space (or raw English, with --tokenize ptb); writes one tree per line, in the same order, and an empty line for an empty line. Brackets in words become -LRB- and -RRB-. A sentence that the grammar cannot parse gets a flat tree with the label X, and a warning says how many there were.";
  }
  std::vector<Example> examples() const override {
    return {{"firth parse run english.grammar text.txt > trees.mrg", "words only"},
            {"firth parse run english.grammar tagged.txt --tags _", "the tags are given: saw_VBD"},
            {"firth parse run english.grammar raw.txt --tokenize ptb", "raw text: don't becomes do n't"},
            {"firth parse run english.grammar text.txt --marginals labels > spans.tsv",
             "how probable each phrase is, over all trees"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positional("MODEL", model_, "A grammar of `firth parse train`.");
    options.positionals("TEXT", inputs_, "Files or folders to parse; - is standard input.");
    options.group("Parsing");
    options.text(
        "--tags", "SEPARATOR", options_.tag_separator,
        "Words carry their tags: word, separator (the last one counts), tag. Words without it, and tags "
        "that the grammar does not know, are left to the parser.");
    options.choice(
        "--tokenize", options_.tokenize, {{"none", false}, {"ptb", true}},
        "none = the words of TEXT are separated by white space already; ptb = split raw English text as the "
        "Penn Treebank does.");
    options.field_of_last("ParseOptions::tokenize");
    options.flag("--from-trees", options_.from_trees,
                 "TEXT holds bracketed trees: parse their words, without traces.");
    options.field_of_last("ParseOptions::from_trees");
    options.choice(
        "--decode", options_.decoding,
        {{"brackets", ParseDecoding::brackets},
         {"max-marginal", ParseDecoding::max_marginal},
         {"viterbi", ParseDecoding::viterbi}},
        "brackets = the tree with the highest expected number of correct brackets, minus a penalty per bracket; max-marginal = the grammar's tree with the largest sum of marginals (Goodman 1996); viterbi = the most probable tree (plain PCFGs only).");
    options.texts(
        "--with", "MODEL", others_,
        "A further grammar that votes; best is one that was trained with another --branching, --vertical or --algorithm. May be given several times.");
    options.real("--prune", "P", options_.prune, {0, 0.5},
                 "Skip phrases with a marginal below P under the plain PCFG; 0 = no pruning.");
    options.flag(
        "--probabilities", probabilities_,
        "Print the log10 probability of the words (or - if there is none) and a tab before each tree.");
    options.choice(
        "--marginals", options_.marginals,
        {{"none", ParseMarginals::none},
         {"labels", ParseMarginals::labels},
         {"symbols", ParseMarginals::symbols}},
        "Instead of trees, the probability that a label covers words, given the sentence: lines of sentence (from 1), begin (from 0), end (exclusive), label and marginal, separated by tabs. labels = as trees have them; symbols = those of the binary grammar.");
    options.real("--min-marginal", "X", options_.min_marginal, {0, 1},
                 "With --marginals: leave out smaller ones.");
    options.choice(
        "--invalid-utf8", options_.invalid_utf8,
        {{"error", InvalidUtf8::error}, {"replace", InvalidUtf8::replace}},
        "What to do with NUL bytes and bytes that are not UTF-8: stop and say where, or put U+FFFD in their place.");
    session.declare(options, {.memory = true, .text = true});
  }

  void run(Session& session) override {
    if (options_.from_trees && (options_.tokenize || !options_.tag_separator.empty()))
      throw UsageError("--from-trees takes words as the trees have them", "leave out --tokenize and --tags");
    if (probabilities_ && options_.marginals != ParseMarginals::none)
      throw UsageError("--probabilities are printed before trees, and --marginals prints none",
                       "leave out one of them");
    std::vector<Lpcfg> grammars = load_grammars(model_);
    for (const std::string& path : others_) {
      for (const Lpcfg& grammar : load_grammars(path)) grammars.push_back(grammar);
    }
    say_spelling(grammars.front().preprocessing(), model_, session);
    const Parser parser(std::move(grammars), options_);
    const ParseSummary summary = parse_text(
        parser, session.text(inputs_), [&](const ParseResult& result) { print(session, result); },
        session.run());
    const auto warn = [&](std::uint64_t count, const char* what) {
      if (count > 0) session.run().progress->warn(fmt::format("{} of {} {}", count, summary.sentences, what));
    };
    warn(summary.flat,
         "sentences got a flat tree (label X): no parse was found, or the memory limit was reached");
    warn(summary.coarse,
         "sentences were parsed by the plain PCFG: the grammar gave them no positive probability");
    if (2 * raw_ > summary.sentences)
      warn(
          raw_,
          "sentences end in a word with a punctuation mark: separate them as the treebank does (--tokenize ptb, "
          "for English)");
    if (summary.unknown_tags > 0) {
      session.run().progress->warn(fmt::format(
          "given tags that the grammar does not know, and that were not used: {}", summary.unknown_tags));
    }
  }

 private:
  /// "barks.": nobody has split this text into words and punctuation.
  static bool looks_raw(const Tree& tree) {
    if (tree.nodes.empty()) return false;
    const std::string_view word = tree.nodes[tree.leaves().back()].word;
    return word.size() > 2 && std::string_view(".!?").find(word.back()) != std::string_view::npos &&
           std::isalpha(static_cast<unsigned char>(word[word.size() - 2])) != 0;
  }

  void print(Session& session, const ParseResult& result) {
    raw_ += looks_raw(result.tree) ? 1 : 0;
    if (options_.marginals != ParseMarginals::none) {
      print_marginals(session, result);
    } else {
      print_tree(session, result);
    }
    session.finish();  // trees are slow to come by: the reader of a pipe gets each at once
  }

  void print_marginals(Session& session, const ParseResult& result) {
    ++sentence_;
    for (const SpanMarginal& span : result.marginals) {
      session.print(fmt::format("{}\t{}\t{}\t{}\t{:.6f}\n", sentence_, span.begin, span.end, span.label,
                                span.marginal));
    }
  }

  void print_tree(Session& session, const ParseResult& result) const {
    std::string line;
    if (probabilities_) {
      line = result.status == ParseStatus::parsed
                 ? fmt::format("{:.6f}\t", result.log_probability / std::numbers::ln10)
                 : "-\t";
    }
    if (result.status != ParseStatus::empty) line += format_tree(result.tree);
    session.print(line + "\n");
  }

  std::string model_;
  std::vector<std::string> others_;
  std::vector<std::string> inputs_;
  ParseOptions options_;
  bool probabilities_ = false;
  std::uint64_t sentence_ = 0;
  std::uint64_t raw_ = 0;  ///< sentences that look as if nobody had split their words
};

}  // namespace

std::unique_ptr<Command> make_parse_run_command() {
  return std::make_unique<ParseRunCommand>();
}

}  // namespace firth::cli
