// firth tag train: a tagger from tagged sentences.
#include <fmt/format.h>

#include <firth/tag_scores.hpp>
#include <firth/tagger.hpp>

#include "commands/commands.hpp"
#include "commands/tag_options.hpp"

namespace firth::cli {
namespace {

class TagTrainCommand final : public Command {
 public:
  std::string name() const override { return "tag train"; }
  std::string summary() const override { return "trains a tagger (named entities, parts of speech, chunks)"; }
  std::string description() const override {
    return "Trains an averaged perceptron on the tagged sentences of TRAIN and writes it into one file, with "
           "the "
           "classes and vectors that it uses. Features: the word and its neighbours, their shapes, "
           "beginnings and "
           "endings, the tags before, and the classes of words from any number of clusterings. The order of "
           "sentences comes from --seed; the same input gives the same file.";
  }
  std::vector<Example> examples() const override {
    return {{"firth tag train train.conll --clusters out -o ner.tagger --dev dev.conll",
             "entities with the classes in out; prints how good it is on dev.conll"},
            {"firth tag train en-ud-train.conllu -o pos.tagger --clusters brown --clusters spectral",
             "universal parts of speech with two clusterings"},
            {"firth tag train en-ud-train.conllu --tag-column 5 -o xpos.tagger --vectors vectors.npy",
             "the language's own tags, with the vectors of firth embed"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positionals("TRAIN", inputs_, "Files with words and tags, folders, or - for standard input.");
    options.group("Model");
    options.text("-o,--output", "FILE", output_, "Output file.");
    options.writes_file();
    options.require_last();
    options.texts(
        "--clusters", "DIR", clusters_,
        "Classes to make features of: a folder that firth cluster wrote, or any other format. May be given "
        "several times.");
    options.texts("--vectors", "FILE", vectors_,
                  "Word vectors to use as features: npy or word2vec files. May be given several times.");
    options.texts("--dev", "FILE", dev_, "Tagged files to score the tagger on when it is ready.");
    declare_training(options, training_);
    declare_class_features(options, choice_);
    declare_token_options(options, tokens_);
    session.declare(options, {.threads = false, .seed = true, .memory = true});
  }

  void run(Session& session) override {
    const RunOptions& run = session.run();
    const std::vector<TaggedSentence> sentences = read_tagged(inputs_, tokens_, run);
    const std::vector<TaggedSentence> dev =
        dev_.empty() ? std::vector<TaggedSentence>() : read_tagged(dev_, tokens_, run);
    const Tagger tagger =
        train_tagger(sentences, training_, load_knowledge(clusters_, vectors_, choice_.get()), run);
    save_tagger(output_, tagger);
    std::size_t words = 0;
    for (const TaggedSentence& sentence : sentences) words += sentence.words.size();
    session.say(fmt::format("{}: {} words in {} sentences, {} tags, {} features, {} weights", output_, words,
                            sentences.size(), tagger.tag_count(), tagger.feature_count(),
                            tagger.weight_count()));
    if (dev.empty()) return;
    const TagScore score = score_tagger(tagger, dev, {}, run);
    std::string line = fmt::format("accuracy {}, unknown words {}", percent(score.accuracy()),
                                   percent(score.unknown_accuracy()));
    if (score.has_entities) {
      line = fmt::format("precision {}, recall {}, F1 {}; {}", percent(score.entities.precision()),
                         percent(score.entities.recall()), percent(score.entities.f1()), line);
    }
    session.print(line + "\n");
  }

 private:
  std::vector<std::string> inputs_;
  std::string output_;
  std::vector<std::string> clusters_;
  std::vector<std::string> vectors_;
  std::vector<std::string> dev_;
  TaggerOptions training_;
  ClassFeatureChoice choice_;
  TokenOptions tokens_;
};

}  // namespace

std::unique_ptr<Command> make_tag_train_command() {
  return std::make_unique<TagTrainCommand>();
}

}  // namespace firth::cli
