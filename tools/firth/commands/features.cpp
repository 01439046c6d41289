// firth features: classes as features for other people's taggers.
#include <firth/clustering.hpp>
#include <firth/features.hpp>

#include "commands/commands.hpp"
#include "commands/tag_options.hpp"

namespace firth::cli {
namespace {

class FeaturesCommand final : public Command {
 public:
  std::string name() const override { return "features"; }
  std::string summary() const override { return "writes class features of every token, for any tagger"; }
  std::string description() const override {
    return "Prints, for every token of FILE, features made of its class: prefixes of its bit string, the "
           "whole string, and the class at cuts of the tree (roll-up; Derczynski & Chester 2016), for the "
           "token and, with --window, for its neighbours. Words that were not clustered get the class that "
           "their spelling suggests. FILE is text, columns (CoNLL), or CoNLL-U; files of any size are read "
           "piece by piece. docs/tagging.md shows each format that --to can write.";
  }
  std::vector<Example> examples() const override {
    return {{"firth features out train.conll > train.crfsuite",
             "CRFsuite attributes with the tag of each token in front"},
            {"firth features out train.conll --to crfpp --prefixes 4,6,10,20 > train.data",
             "the columns of train.conll, one more for each feature, and the tag, for CRF++ and Wapiti"},
            {"firth features out text.txt --to jsonl --cuts 50,200,800 --window 1",
             "one JSON object for each sentence, with the classes of neighbours"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positional(
        "CLUSTERS", clusters_,
        "A folder that firth cluster wrote, or classes in any other format that firth convert reads.");
    options.positionals("FILE", inputs_, "Files with tokens, folders, or - for standard input.");
    options.group("Output");
    options.choice(
        "--to", options_.format,
        {{"crfsuite", FeatureFormat::crfsuite},
         {"crfpp", FeatureFormat::crfpp},
         {"conllu", FeatureFormat::conllu},
         {"jsonl", FeatureFormat::jsonl}},
        "crfsuite = tag (O where the input has none) and name[offset]=value; crfpp = the columns of the input, then one for each feature, the tag last; conllu = attributes in MISC, tags of columns in XPOS; jsonl = one sentence per line, with its tags.");
    options.flag("--no-tags", no_tags_, "Do not read tags: the input has none, or you do not want them.");
    options.number<int>("--window", "N", options_.window, {0, 5},
                        "Neighbours to each side whose classes are features, too.");
    options.flag("--word-feature;--words", options_.words,
                 "The word itself as a feature, w[0] (crfsuite and jsonl).");
    options.flag("--shape-feature", options_.shapes,
                 "The shape of the word as a feature, shape[0]: Mc-42 is Xx-9 (crfsuite and jsonl).");
    declare_class_features(options, choice_);
    declare_token_options(options, options_.tokens);
    session.declare(options, {.threads = false, .text = true});
  }

  void run(Session& session) override {
    options_.features = choice_.get();
    options_.tags = !no_tags_;
    const Clustering classes = load_clustering(clusters_, ClusterFormat::automatic, session.run());
    write_features(
        classes, session.text(inputs_), options_, [&](std::string_view text) { session.print_now(text); },
        session.run());
  }

 private:
  std::string clusters_;
  std::vector<std::string> inputs_;
  FeatureFileOptions options_;
  bool no_tags_ = false;
  ClassFeatureChoice choice_ = {.options = options_.features};
};

}  // namespace

std::unique_ptr<Command> make_features_command() {
  return std::make_unique<FeaturesCommand>();
}

}  // namespace firth::cli
