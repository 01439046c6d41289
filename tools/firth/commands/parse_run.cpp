#include <fmt/format.h>

#include <firth/parser.hpp>

#include "commands/commands.hpp"

namespace firth::cli {
namespace {

class ParseRunCommand final : public Command {
 public:
  std::string name() const override { return "parse run"; }
  std::string summary() const override { return "parses text with a grammar"; }
  std::string description() const override {
    return "Reads one sentence per line, words separated by white space; writes one tree per line, in the same order, and an empty line for an empty line. Brackets in words become -LRB- and -RRB-. A sentence that the grammar cannot parse gets a flat tree with the label X, and a warning says how many there were.";
  }
  std::vector<Example> examples() const override {
    return {{"firth parse run english.grammar text.txt > trees.mrg", "words only"},
            {"firth parse run english.grammar tagged.txt --tags _", "the tags are given: saw_VBD"}};
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
        "--decode", options_.decoding,
        {{"brackets", ParseDecoding::brackets},
         {"max-marginal", ParseDecoding::max_marginal},
         {"viterbi", ParseDecoding::viterbi}},
        "brackets = the tree with the highest expected number of correct brackets, minus a penalty per bracket; max-marginal = the grammar's tree with the largest sum of marginals (Goodman 1996); viterbi = the most probable tree (plain PCFGs only).");
    options.texts("--with", "MODEL", others_,
                  "A further grammar that votes, best one trained with another --branching, --vertical or "
                  "--algorithm; may be given several times.");
    options.real("--prune", "P", options_.prune, {0, 0.5},
                 "Skip phrases with a marginal below P under the plain PCFG; 0 = no pruning.");
    options.flag("--probabilities", probabilities_,
                 "Before each tree, the log10 probability of the words and a tab; - where there is none.");
    options.choice(
        "--invalid-utf8", options_.invalid_utf8,
        {{"error", InvalidUtf8::error}, {"replace", InvalidUtf8::replace}},
        "What to do with bytes that are not UTF-8: stop and say where, or put U+FFFD in their place.");
    session.declare(options, {.memory = true});
  }

  void run(Session& session) override {
    std::vector<Lpcfg> grammars = {load_lpcfg(model_)};
    for (const std::string& path : others_) grammars.push_back(load_lpcfg(path));
    const Parser parser(std::move(grammars), options_);
    const ParseSummary summary = parse_text(
        parser, inputs_, [&](const ParseResult& result) { print(session, result); }, session.run());
    const auto warn = [&](std::uint64_t count, const char* what) {
      if (count > 0) session.run().progress->warn(fmt::format("{} of {} {}", count, summary.sentences, what));
    };
    warn(summary.flat, "sentences have a flat tree (label X): the grammar has none for them, or no memory");
    warn(summary.coarse,
         "sentences were parsed by the plain PCFG: the grammar gave them no positive probability");
    if (summary.unknown_tags > 0) {
      session.run().progress->warn(fmt::format(
          "given tags that the grammar does not know, and that were not used: {}", summary.unknown_tags));
    }
  }

 private:
  void print(Session& session, const ParseResult& result) const {
    std::string line;
    if (probabilities_) {
      constexpr double kLn10 = 2.302585092994045684;
      line = result.status == ParseStatus::parsed ? fmt::format("{:.6f}\t", result.log_probability / kLn10)
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
};

}  // namespace

std::unique_ptr<Command> make_parse_run_command() {
  return std::make_unique<ParseRunCommand>();
}

}  // namespace firth::cli
