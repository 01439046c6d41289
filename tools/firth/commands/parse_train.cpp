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
    return "Learns a probabilistic grammar from bracketed trees (Penn Treebank style, one per line or spread over lines). Traces, function tags and indices are taken out, chains of phrases with a single child become one symbol, and phrases with more than two children are made binary; `firth parse run` undoes all of it. Words seen rarely are known by their shape and ending. Symbols get latent states: found by clustering the contexts of their nodes and improved by EM, unless --algorithm says otherwise.";
  }
  std::vector<Example> examples() const override {
    return {
        {"firth parse train train.mrg -o english.grammar", "16 latent states a symbol"},
        {"firth parse train train.mrg -o best.grammar --grammars 4 --clusters classes",
         "four grammars combined; unseen words behave as the words of their class"},
        {"firth parse train train.mrg -o fast.grammar --algorithm spectral", "without iterations"},
        {"firth parse train --sequences en-ud-train.conllu -o tagger", "a tagger: a latent-variable HMM"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positionals("TREES", inputs_, "Files or folders of bracketed trees; - is standard input.");
    options.group("Model");
    options.text("-o,--output", "MODEL", output_, "Output file.");
    options.writes_file();
    options.require_last();
    options.choice(
        "--algorithm", options_.algorithm,
        {{"pcfg", LpcfgAlgorithm::pcfg},
         {"spectral", LpcfgAlgorithm::spectral},
         {"cluster", LpcfgAlgorithm::cluster},
         {"em", LpcfgAlgorithm::em}},
        "How to learn: pcfg takes relative frequencies, without latent states; spectral takes singular "
        "value decompositions; cluster finds states by k-means and counts them; em climbs the "
        "likelihood.");
    declare_latent(options);
    options.group("Trees");
    options.flag(
        "--sequences", options_.sequences,
        "The inputs are tagged sentences, CoNLL-U or lines of word TAB tag: learns a tagger, a hidden Markov model with latent states.");
    options.choice("--branching", options_.binarize.branching,
                   {{"left", Branching::left}, {"right", Branching::right}}, "Direction of binarisation.");
    options.number_or<std::uint32_t>(
        "--horizontal", "N", options_.binarize.horizontal, {0, 5}, {"all", kAllSiblings},
        "Horizontal Markovisation order: how many earlier children a symbol within a long phrase remembers.");
    options.number<std::uint32_t>("--vertical", "N", options_.binarize.vertical, {1, 4},
                                  "Vertical Markovisation order; 2 = parent annotation.");
    options.flag("--annotate-between", options_.binarize.annotate_between,
                 "With --vertical above 1: symbols within a long phrase carry the phrases above it too.");
    options.flag("--annotate-tags", options_.binarize.annotate_tags,
                 "With --vertical above 1: tags carry the phrases above them too.");
    options.group("Words");
    options.number<std::uint32_t>(
        "--rare", "N", options_.lexicon.rare, {1, 1000000},
        "Treat words that occur fewer than N times as rare: they go by their class.");
    options.number<std::uint32_t>("--class-size", "N", options_.lexicon.class_size, {1, 1000000},
                                  "Classes of rare words with fewer tokens join a more general one.");
    options.text(
        "--clusters", "DIR|FILE", options_.clusters,
        "Classes of words, from `firth cluster` or others: a word that was not seen in training behaves "
        "as the words of its class.");
    session.declare(options, {.seed = true, .memory = true});
  }

  void declare_latent(OptionTable& options) {
    LatentOptions& latent = options_.latent;
    options.number<std::uint32_t>("-m,--states", "M", latent.states, {1, 256},
                                  "Maximum number of latent states per symbol; rare symbols get fewer.");
    options.number<std::uint32_t>("--grammars", "N", latent.grammars, {1, 64},
                                  "Train N grammars with different seeds and average them when parsing.");
    options.number<std::uint32_t>("--em-steps", "N", latent.em_steps, {0, 10000}, "em: number of steps.");
    options.choice("--em-start", latent.em_start,
                   {{"cluster", EmStart::cluster}, {"random", EmStart::random}},
                   "Where em starts: at the states that cluster finds, or at random ones.");
    options.real("--singular-cut", "X", latent.singular_cut, {0.0, 0.999},
                 "Leaves out singular values below this share of a symbol's largest.");
    options.real("--pseudo-count", "K", latent.pseudo_count, {1e-3, 1e6},
                 "Features seen n times weigh 1 / sqrt(n + K).");
    options.flag("--no-scaling", unscaled_, "All features weigh the same.");
    options.real("--backoff", "C", latent.backoff, {0.0, 1e6},
                 "spectral: moments of a rule seen n times weigh sqrt(n) / (C + sqrt(n)) against those of "
                 "less detail.");
    options.real("--smooth-rules", "X", latent.smooth_rules, {0.0, 1.0},
                 "cluster, em: how far the rules of a state are drawn towards the mean of its symbol.");
    options.real("--smooth-words", "X", latent.smooth_words, {0.0, 1.0}, "The same for words.");
  }

  void run(Session& session) override {
    options_.latent.scale_features = !unscaled_;
    const Lpcfg grammar = train_lpcfg(inputs_, options_, session.run());
    save_lpcfg(output_, grammar);
    const LpcfgInfo info = grammar.info();
    session.say(
        fmt::format("{}: {} phrase symbols, {} tags, {} states, {} binary rules, {} lexical rules, {} "
                    "words and {} classes of words",
                    output_, info.phrases, info.tags, info.states, info.binary_rules, info.lexical_rules,
                    info.words, info.classes));
    if (info.negative > 0) {
      session.say(fmt::format("{} of {} parameters are negative, as spectral estimates may be", info.negative,
                              info.parameters));
    }
  }

 private:
  std::vector<std::string> inputs_;
  std::string output_;
  LpcfgTrainOptions options_ = recommended_training();
  bool unscaled_ = false;
};

}  // namespace

std::unique_ptr<Command> make_parse_train_command() {
  return std::make_unique<ParseTrainCommand>();
}

}  // namespace firth::cli
