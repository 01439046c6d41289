#include <fmt/format.h>

#include <firth/lpcfg.hpp>

#include "commands/commands.hpp"

namespace firth::cli {
namespace {

class ParseTrainCommand final : public Command {
 public:
  std::string name() const override { return "parse train"; }
  std::string summary() const override { return "learns a grammar from trees"; }
  std::string description() const override {
    return "Learns a probabilistic grammar from bracketed trees (Penn Treebank style, one a line or spread "
           "over "
           "lines). Traces, function tags and indices are taken out, chains of phrases with a single child "
           "become "
           "one symbol, and phrases with more than two children are made binary; `firth parse run` undoes "
           "all of "
           "it. Words seen rarely are known by their shape and ending.";
  }
  std::vector<Example> examples() const override {
    return {{"firth parse train train.mrg -o english.grammar --horizontal 1 --vertical 2", "a plain PCFG"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positionals("TREES", inputs_, "Files or folders of bracketed trees; - is standard input.");
    options.group("Model");
    options.text("-o,--output", "MODEL", output_, "Where the grammar goes.");
    options.require_last();
    options.choice("--algorithm", options_.algorithm, {{"pcfg", LpcfgAlgorithm::pcfg}},
                   "How to learn: pcfg takes relative frequencies, without latent states.");
    options.group("Trees");
    options.choice("--branching", options_.binarize.branching,
                   {{"left", Branching::left}, {"right", Branching::right}},
                   "Which end of a long phrase is put together first.");
    options.number_or<std::uint32_t>(
        "--horizontal", "N", options_.binarize.horizontal, {0, 5}, {"all", kAllSiblings},
        "How many children of a long phrase are part of the names of the symbols within it.");
    options.number<std::uint32_t>("--vertical", "N", options_.binarize.vertical, {1, 4},
                                  "How many phrases, itself and those above, are part of a phrase's symbol.");
    options.flag("--annotate-tags", options_.binarize.annotate_tags,
                 "With --vertical above 1: tags carry the phrases above them too.");
    options.group("Words");
    options.number<std::uint32_t>("--rare", "N", options_.lexicon.rare, {1, 1000000},
                                  "Words seen fewer times than this are known by their class.");
    options.number<std::uint32_t>("--class-size", "N", options_.lexicon.class_size, {1, 1000000},
                                  "Classes of rare words with fewer tokens join a more general one.");
    options.text(
        "--clusters", "DIR|FILE", options_.clusters,
        "Classes of words, from `firth cluster` or others: a word that was not seen in training behaves "
        "as the words of its class.");
    session.declare(options, {.memory = true});
  }

  void run(Session& session) override {
    const Lpcfg grammar = train_lpcfg(inputs_, options_, session.run());
    save_lpcfg(output_, grammar);
    const LpcfgInfo info = grammar.info();
    session.say(
        fmt::format("{}: {} phrase symbols, {} tags, {} states, {} binary rules, {} lexical rules, {} "
                    "words and {} classes of words",
                    output_, info.phrases, info.tags, info.states, info.binary_rules, info.lexical_rules,
                    info.words, info.classes));
  }

 private:
  std::vector<std::string> inputs_;
  std::string output_;
  LpcfgTrainOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_parse_train_command() {
  return std::make_unique<ParseTrainCommand>();
}

}  // namespace firth::cli
