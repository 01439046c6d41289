#include <fmt/format.h>

#include <algorithm>
#include <firth/clustering.hpp>
#include <firth/error.hpp>
#include <firth/lpcfg.hpp>
#include <nlohmann/json.hpp>

#include "commands/commands.hpp"
#include "interrupt.hpp"
#include "progress_bar.hpp"
#include "shared_options.hpp"

namespace firth::cli {
namespace {

/// Options that are not fields of LatentOptions.
struct FeatureChoice {
  bool unscaled = false;
  std::string inside = "all";
  std::string outside = "all";
};

void declare_latent(OptionTable& options, LatentOptions& latent, FeatureChoice& features) {
  options.number<std::uint32_t>("-m,--states", "M", latent.states, {1, 256},
                                "Maximum number of latent states per symbol; rare symbols get fewer.");
  options.number<std::uint32_t>("--grammars", "N", latent.grammars, {1, 64},
                                "Train N grammars with different seeds and average them when parsing.");
  options.number<std::uint32_t>("--em-steps", "N", latent.em_steps, {0, 10000}, "em: number of steps.");
  options.choice("--em-start", latent.em_start, {{"cluster", EmStart::cluster}, {"random", EmStart::random}},
                 "Where em starts: at the states that cluster finds, or at random ones.");
  options.real("--nodes-per-state", "N", latent.nodes_per_state, {0.0, 1e9},
               "spectral: at most one state per N nodes of a symbol; 0 = M states for every symbol.");
  options.real(
      "--held-out-share", "SHARE", latent.held_out, {0.0, 0.9},
      "spectral: hold out this share of the trees to choose the number of states of each symbol, up to "
      "M, by their likelihood; then learn from all. 0 = no choice.");
  options.flag("--one-node-per-tree", latent.one_node_per_tree,
               "spectral: learn from one random node of each tree, as Cohen et al. (2012) do, not from all.");
  options.text("--inside-features", "LIST", features.inside,
               "spectral, cluster: features of inside trees: all, or some of rule,left,right,left-rule,"
               "right-rule,length,first-word,last-word,spelling.");
  options.text("--outside-features", "LIST", features.outside,
               "The same for outside trees: rule,two-rules,three-rules,parent,grandparent,sister,word-before,"
               "word-after,tag-before,tag-after,words-before,words-after.");
  options.real("--singular-cut", "X", latent.singular_cut, {0.0, 0.999},
               "Leave out singular values below this share of a symbol's largest.");
  options.real("--pseudo-count", "K", latent.pseudo_count, {1e-3, 1e6},
               "The weight of a feature seen n times is 1 / sqrt(n + K).");
  options.flag("--no-scaling", features.unscaled, "Give all features the same weight.");
  options.real(
      "--backoff", "C", latent.backoff, {0.0, 1e6},
      "spectral: weight of the moments of a rule seen n times against less detailed ones, sqrt(n) / (C + sqrt(n)).");
  options.real("--smooth-rules", "X", latent.smooth_rules, {0.0, 1.0},
               "cluster, em: how strongly the rules of a state are smoothed towards the mean of its symbol.");
  options.real("--smooth-words", "X", latent.smooth_words, {0.0, 1.0}, "The same for words.");
  options.real(
      "--state-prior", "N", latent.state_prior, {0.0, 1e9},
      "cluster, em: smooth rare states more, as if the mean had been seen N times in each. Matters for small treebanks.");
}

std::string grammars_json(const std::vector<Lpcfg>& grammars) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Lpcfg& grammar : grammars) {
    const LpcfgInfo info = grammar.info();
    list.push_back({{"phrases", info.phrases},
                    {"tags", info.tags},
                    {"states", info.states},
                    {"binary_rules", info.binary_rules},
                    {"lexical_rules", info.lexical_rules},
                    {"words", info.words},
                    {"word_classes", info.classes},
                    {"grammars", info.grammars},
                    {"parameters", info.parameters},
                    {"negative", info.negative}});
  }
  return nlohmann::ordered_json{{"models", list}}.dump() + "\n";
}

class ParseTrainCommand final : public Command {
 public:
  std::string name() const override { return "parse train"; }
  std::string summary() const override { return "learns a grammar from trees"; }
  std::string description() const override {
    return "Learns a probabilistic grammar from bracketed trees (Penn Treebank style, one per line or spread over lines). Traces, function tags and indices are removed. Chains of phrases with a single child become one symbol, and phrases with more than two children are made binary; `firth parse run` undoes both. Rare words are represented by their shape and ending. Symbols get latent states, found by clustering the contexts of their nodes and improved by EM, unless --algorithm says otherwise.";
  }
  std::vector<Example> examples() const override {
    return {
        {"firth parse train train.mrg -o english.grammar", "up to 16 latent states per symbol"},
        {"firth parse train train.mrg -o best.grammar --recipe best --clusters classes",
         "six grammars of three kinds that vote; unseen words behave as the words of their class"},
        {"firth parse train train.mrg -o fast.grammar --algorithm spectral", "without iterations"},
        {"firth parse train --sequences en-ud-train.conllu -o tagger", "a tagger: a latent-variable HMM"}};
  }

  void declare(OptionTable& options, Session& session) override {
    table_ = &options;
    options.positionals("TREES", inputs_, "Files or folders of bracketed trees; - is standard input.");
    options.group("Model");
    options.text("-o,--output", "MODEL", output_, "Output file.");
    options.writes_model();
    options.require_last();
    options.choice(
        "--recipe", recipe_,
        {{"none", Recipe::none},
         {"best", Recipe::best},
         {"fast", Recipe::fast},
         {"spectral", Recipe::spectral}},
        "best = two EM grammars of each of three kinds of trees, in one file, which vote when parsing; fast = one "
        "EM grammar; spectral = one spectral grammar; none = as the other options say.");
    declare_checkpoint_options(options, options_.checkpoint);
    options.group("Learning");
    options.choice(
        "--algorithm", options_.algorithm,
        {{"pcfg", LpcfgAlgorithm::pcfg},
         {"spectral", LpcfgAlgorithm::spectral},
         {"cluster", LpcfgAlgorithm::cluster},
         {"em", LpcfgAlgorithm::em}},
        "How to learn: pcfg = relative frequencies, without latent states; spectral = singular value decompositions; cluster = states found by k-means, then counted; em = expectation maximisation.");
    declare_latent(options, options_.latent, features_);
    options.group("Trees");
    options.flag(
        "--sequences", options_.sequences,
        "The inputs are tagged sentences, CoNLL-U or lines of word TAB tag: learn a tagger, a hidden Markov model with latent states.");
    options.field_of_last("LpcfgTrainOptions::sequences");
    options.flag("--skip-bad", options_.skip_bad,
                 "Leave out trees that cannot be read, and say how many, instead of stopping at the first.");
    options.choice("--branching", options_.binarize.branching,
                   {{"left", TreeBranching::left}, {"right", TreeBranching::right}},
                   "Direction of binarisation.");
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
        "--rare-below;--rare", "N", options_.lexicon.rare, {1, 1000000},
        "Treat words that occur fewer than N times as rare: they go by their class.");
    options.number<std::uint32_t>(
        "--class-size", "N", options_.lexicon.class_size, {1, 1000000},
        "Merge classes of rare words that have fewer than N tokens into a more general one.");
    declare_spelling(options, options_.lexicon.words);
    options.text(
        "--clusters", "DIR|FILE", clusters_,
        "Classes of words, from `firth cluster` or others: a word that was not seen in training behaves "
        "as the words of its class.");
    session.declare(options, {.seed = true, .memory = true, .json = true, .text = true});
  }

  void run(Session& session) override {
    options_.latent.scale_features = !features_.unscaled;
    options_.latent.inside_templates = inside_templates(features_.inside);
    options_.latent.outside_templates = outside_templates(features_.outside);
    if (!clusters_.empty())
      options_.clusters = load_clustering(clusters_, ClusterFormat::automatic, session.run());
    if (!options_.checkpoint.file.empty()) wait_for_result_when_interrupted();
    const std::vector<Lpcfg> grammars = train_grammars(session.text(inputs_), models(), session.run());
    save_grammars(output_, grammars);
    if (session.json()) return session.print(grammars_json(grammars));
    for (const Lpcfg& grammar : grammars) say(session, grammar.info());
  }

 private:
  enum class Recipe { none, best, fast, spectral };

  /// What is to be trained.
  std::vector<LpcfgTrainOptions> models() const {
    if (recipe_ == Recipe::none) return {options_};
    for (const char* group : {"Learning", "Trees"}) {
      const std::vector<std::string> given = table_->given_in_group(group);
      if (given.empty()) continue;
      throw UsageError(fmt::format("{} has no effect with --recipe", fmt::join(given, ", ")),
                       "leave out one of them");
    }
    if (recipe_ == Recipe::fast) return grammar_recipe(GrammarRecipe::fast, options_);
    if (recipe_ == Recipe::spectral) return grammar_recipe(GrammarRecipe::spectral, options_);
    if (std::find(inputs_.begin(), inputs_.end(), "-") != inputs_.end()) {
      throw UsageError("--recipe best reads the trees three times, and standard input can be read once",
                       "put the trees into a file");
    }
    return grammar_recipe(GrammarRecipe::best, options_);
  }

  void say(Session& session, const LpcfgInfo& info) const {
    session.say(fmt::format(
        "{}: {}, {}, {}, {}, {}, {} and {}", output_,
        counted(info.phrases, "phrase symbol", "phrase symbols"), counted(info.tags, "tag", "tags"),
        counted(info.states, "state", "states"), counted(info.binary_rules, "binary rule", "binary rules"),
        counted(info.lexical_rules, "lexical rule", "lexical rules"), counted(info.words, "word", "words"),
        counted(info.classes, "class of words", "classes of words")));
    if (info.negative > 0) {
      session.say(fmt::format("{} of {} parameters are negative, as spectral estimates may be", info.negative,
                              info.parameters));
    }
  }

  OptionTable* table_ = nullptr;
  std::vector<std::string> inputs_;
  std::string output_;
  Recipe recipe_ = Recipe::none;
  LpcfgTrainOptions options_ = recommended_training();
  FeatureChoice features_;
  std::string clusters_;
};

}  // namespace

std::unique_ptr<Command> make_parse_train_command() {
  return std::make_unique<ParseTrainCommand>();
}

}  // namespace firth::cli
