#include <fmt/format.h>

#include <firth/error.hpp>
#include <firth/parser.hpp>
#include <firth/parseval.hpp>
#include <nlohmann/json.hpp>

#include "commands/commands.hpp"
#include "shared_options.hpp"

namespace firth::cli {
namespace {

using Json = nlohmann::ordered_json;

class ParseScoreCommand final : public Command {
 public:
  std::string name() const override { return "parse score"; }
  std::string summary() const override { return "scores trees, or a grammar, against gold trees (PARSEVAL)"; }
  std::string description() const override {
    return "Prints labelled recall, precision and F1 of phrases, exact matches, crossing brackets and tagging accuracy, as EVALB computes them with COLLINS.prm: punctuation is taken out by the tags of each tree, ADVP and PRT are the same, roots do not count, labels end at - or =. EVALB skips a sentence when the trees do not agree on what is punctuation; --gold-punct counts every sentence.";
  }
  std::vector<Example> examples() const override {
    return {
        {"firth parse score gold.mrg guess.mrg", "a table"},
        {"firth parse score gold.mrg --model english.grammar",
         "parse the words of the gold trees, and score"},
        {"firth parse score gold.mrg guess.mrg --gold-punct --json", "every sentence counts; for programs"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positional("GOLD", gold_, "The gold trees, on one line each or spread over several.");
    options.positionals("GUESS", guess_,
                        "The predicted trees, one per line; an empty line or () stands for no tree.", false);
    options.group("Scoring");
    options.texts(
        "--model", "MODEL", models_,
        "Parse the words of GOLD with this grammar instead of reading GUESS; several grammars vote.");
    options.flag("--gold-punct", options_.gold_punctuation,
                 "Take punctuation from the gold trees, and count a missing tree as one without phrases.");
    options.number<std::uint32_t>("--cutoff", "N", options_.cutoff, {1, 1000000},
                                  "Also report scores for sentences of up to N words.");
    options.flag(
        "--each", each_,
        "One line per sentence: recall, precision, matched, gold and predicted phrases, crossing brackets, words, correct tags, separated by tabs; - for sentences that are skipped.");
    options.flag("--json", json_, "The sums as one line of JSON.");
    session.declare(options, {.memory = true, .text = true});
  }

  void run(Session& session) override {
    if (guess_.size() > 1 || guess_.empty() == models_.empty())
      throw UsageError("either GUESS or --model is needed, not both",
                       "firth parse score GOLD --model GRAMMAR");
    std::function<void(const ParsevalScore&)> each;
    if (each_) each = [&](const ParsevalScore& score) { session.print(line(score)); };
    const Inputs guess = models_.empty() ? session.text(guess_) : parsed(session);
    const ParsevalReport report = score_parses(session.text({gold_}), guess, options_, each, session.run());
    if (json_) {
      const Json json = {{"all", as_json(report.all)},
                         {fmt::format("up_to_{}", options_.cutoff), as_json(report.up_to_cutoff)}};
      session.print(json.dump() + "\n");
    } else {
      session.print(table("all", report.all));
      session.print("\n" + table(fmt::format("up to {} words", options_.cutoff), report.up_to_cutoff));
    }
    if (report.all.errors > 0) {
      session.run().progress->warn(fmt::format(
          "{} of {} sentences skipped: their words or punctuation differ (--gold-punct counts them)",
          report.all.errors, report.all.sentences));
    }
  }

 private:
  /// The trees that the grammars find for the words of the gold trees.
  Inputs parsed(Session& session) const {
    std::vector<Lpcfg> grammars;
    for (const std::string& path : models_) {
      for (const Lpcfg& grammar : load_grammars(path)) grammars.push_back(grammar);
    }
    say_spelling(grammars.front().preprocessing(), models_.front(), session);
    const Parser parser(std::move(grammars), {.from_trees = true});
    std::string trees;
    const auto add = [&](const ParseResult& result) { trees += format_tree(result.tree) + "\n"; };
    (void)parse_text(parser, session.text({gold_}), add, session.run());
    return Inputs::from_text(std::move(trees), models_.front());
  }

  static std::string line(const ParsevalScore& s) {
    if (s.valid() == 0) return "-\n";
    return fmt::format("{:.2f}\t{:.2f}\t{}\t{}\t{}\t{}\t{}\t{}\n", 100 * s.recall(), 100 * s.precision(),
                       s.matched, s.gold, s.guess, s.crossing, s.words, s.right_tags);
  }

  static std::string table(const std::string& title, const ParsevalScore& s) {
    const auto share = [&](std::uint64_t count) { return 100 * ParsevalScore::ratio(count, s.valid()); };
    return fmt::format(
        "{}\n"
        "  sentences               {} ({} skipped, {} without a tree)\n"
        "  labelled recall         {:.2f}\n"
        "  labelled precision      {:.2f}\n"
        "  F1                      {:.2f}\n"
        "  exact match             {:.2f}\n"
        "  crossing, mean          {:.2f}\n"
        "  without crossing        {:.2f}\n"
        "  up to two crossing      {:.2f}\n"
        "  tagging accuracy        {:.2f}\n",
        title, s.sentences, s.errors, s.skipped, 100 * s.recall(), 100 * s.precision(), 100 * s.f1(),
        100 * s.exact_match(), s.mean_crossing(), share(s.without_crossing), share(s.up_to_two_crossing),
        100 * s.tagging());
  }

  static Json as_json(const ParsevalScore& s) {
    return {{"sentences", s.sentences},
            {"errors", s.errors},
            {"skipped", s.skipped},
            {"recall", s.recall()},
            {"precision", s.precision()},
            {"f1", s.f1()},
            {"exact", s.exact_match()},
            {"mean_crossing", s.mean_crossing()},
            {"without_crossing", ParsevalScore::ratio(s.without_crossing, s.valid())},
            {"up_to_two_crossing", ParsevalScore::ratio(s.up_to_two_crossing, s.valid())},
            {"tagging", s.tagging()},
            {"matched", s.matched},
            {"gold", s.gold},
            {"guess", s.guess}};
  }

  std::string gold_;
  std::vector<std::string> guess_;
  std::vector<std::string> models_;
  ParsevalOptions options_;
  bool each_ = false;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_parse_score_command() {
  return std::make_unique<ParseScoreCommand>();
}

}  // namespace firth::cli
