#include <fmt/format.h>

#include <cmath>
#include <firth/error.hpp>
#include <firth/parser.hpp>
#include <nlohmann/json.hpp>
#include <numbers>

#include "commands/commands.hpp"

namespace firth::cli {
namespace {

class ParseProbabilityCommand final : public Command {
 public:
  std::string name() const override { return "parse probability"; }
  std::string summary() const override { return "prints probabilities of trees under a grammar"; }
  std::string description() const override {
    return "Prints the log10 probability of each tree, one per line; -inf if the grammar has no such tree, and \"negative\" after it where spectral parameters give a negative number (its absolute value is shown). Then the sum and the mean of the finite ones.";
  }
  std::vector<Example> examples() const override {
    return {{"firth parse probability english.grammar dev.mrg", "tree by tree"},
            {"firth parse probability english.grammar dev.mrg --sentences",
             "also the probability of the words: the sum over all trees"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positional("MODEL", model_, "A grammar of `firth parse train`.");
    options.positionals("TREES", inputs_, "Files or folders of bracketed trees; - is standard input.");
    options.group("Output");
    options.flag(
        "--sentences", sentences_,
        "Also print, after a tab, the log10 probability of the words: the sum over all trees, without pruning (slow for long sentences).");
    options.flag("--json", json_, "Only the sums, as one line of JSON.");
    session.declare(options, {.threads = false, .text = true});
  }

  void run(Session& session) override {
    const std::vector<Lpcfg> grammars = load_grammars(model_);
    if (grammars.size() > 1) {
      throw UsageError(
          fmt::format("{} holds {} models, which vote: trees have no probability", model_, grammars.size()),
          "train one without --recipe best");
    }
    TreeScorer scorer(grammars.front(), sentences_);
    TreeReader reader(session.text(inputs_), TreeLayout::free, session.run());
    for (Tree tree; reader.next(tree);) {
      const TreeScore score = scorer.score(std::move(tree));
      add(score);
      if (!json_) session.print(line(score));
    }
    session.print(json_ ? as_json() : as_text());
  }

 private:
  void add(const TreeScore& score) {
    ++trees_;
    negative_ += score.is_negative ? 1 : 0;
    if (!std::isfinite(score.log_tree) || score.is_negative) return;
    ++finite_;
    sum_ += score.log_tree / std::numbers::ln10;
  }

  std::string line(const TreeScore& score) const {
    std::string text =
        fmt::format("{:.6f}{}", score.log_tree / std::numbers::ln10, score.is_negative ? " negative" : "");
    if (sentences_) {
      text += std::isnan(score.log_sentence)
                  ? "\t-"
                  : fmt::format("\t{:.6f}", score.log_sentence / std::numbers::ln10);
    }
    return text + "\n";
  }

  double mean() const { return finite_ == 0 ? 0 : sum_ / static_cast<double>(finite_); }

  std::string as_text() const {
    return fmt::format("trees {}, impossible {}, negative {}, log10 sum {:.4f}, mean {:.4f}\n", trees_,
                       trees_ - finite_ - negative_, negative_, sum_, mean());
  }

  std::string as_json() const {
    const nlohmann::ordered_json json = {{"trees", trees_},
                                         {"impossible", trees_ - finite_ - negative_},
                                         {"negative", negative_},
                                         {"log10_sum", sum_},
                                         {"log10_mean", mean()}};
    return json.dump() + "\n";
  }

  std::string model_;
  std::vector<std::string> inputs_;
  bool sentences_ = false;
  bool json_ = false;
  std::uint64_t trees_ = 0;
  std::uint64_t finite_ = 0;
  std::uint64_t negative_ = 0;
  double sum_ = 0;
};

}  // namespace

std::unique_ptr<Command> make_parse_probability_command() {
  return std::make_unique<ParseProbabilityCommand>();
}

}  // namespace firth::cli
