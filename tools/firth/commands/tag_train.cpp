// firth tag train: a tagger from tagged sentences.
#include <fmt/format.h>

#include <firth/tag_scores.hpp>
#include <firth/tagger.hpp>

#include "commands/commands.hpp"
#include "commands/tag_options.hpp"
#include "progress_bar.hpp"

namespace firth::cli {
namespace {

class TagTrainCommand final : public Command {
 public:
  std::string name() const override { return "tag train"; }
  std::string summary() const override { return "trains a tagger (named entities, parts of speech, chunks)"; }
  std::string description() const override {
    return "Trains a conditional random field (or an averaged perceptron) on the tagged sentences of TRAIN and writes it into one file, with the classes and vectors that it uses. Features: the word and its neighbours, their shapes, beginnings and endings, the tags before, the classes of words from any number of clusterings, and whether words are usually capitalised in the text that was clustered. The order of sentences comes from --seed; the same input gives the same file.";
  }
  std::vector<Example> examples() const override {
    return {{"firth tag train train.conll --clusters out -o ner.tagger --dev dev.conll",
             "entities with the classes in out; prints the scores on dev.conll"},
            {"firth tag train en-ud-train.conllu -o pos.tagger --clusters brown --clusters spectral",
             "universal parts of speech with two clusterings"},
            {"firth tag train en-ud-train.conllu --tag-column 5 -o xpos.tagger --vectors vectors.npy",
             "the language's own tags, with the vectors of firth embed"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positionals("TRAIN", inputs_, "Files with words and tags, folders, or - for standard input.");
    options.group("Model");
    options.text("-o,--output", "FILE", output_, "Output file.");
    options.writes_model();
    options.require_last();
    options.texts(
        "--clusters", "DIR", clusters_,
        "Classes to make features of: a folder that firth cluster wrote, or any other format. May be given "
        "several times.");
    options.texts("--vectors", "FILE", vectors_,
                  "Word vectors to use as features: npy or word2vec files. May be given several times.");
    options.texts(
        "--lexicon", "FILE", lexicons_,
        "Names to use as features, one per line, each one word or several: places, people, products. Case "
        "does not matter; the longest name counts. May be given several times, once for each kind.");
    options.texts("--dev", "FILE", dev_, "Tagged files to score the tagger on after training.");
    declare_training(options, training_);
    declare_class_features(options, choice_);
    declare_token_options(options, tokens_);
    session.declare(options, {.threads = false, .seed = true, .memory = true, .json = true, .text = true});
  }

  void run(Session& session) override {
    const RunOptions& run = session.run();
    const std::vector<TaggedSentence> sentences = read_tagged(session.text(inputs_), tokens_, run);
    const std::vector<TaggedSentence> dev =
        dev_.empty() ? std::vector<TaggedSentence>() : read_tagged(session.text(dev_), tokens_, run);
    TaggerKnowledge knowledge = load_knowledge(clusters_, vectors_, choice_.get(), session.run());
    for (const std::string& path : lexicons_) knowledge.names.push_back(load_names(path, run));
    const Tagger tagger = train_tagger(sentences, training_, knowledge, run);
    save_tagger(output_, tagger);
    std::size_t words = 0;
    for (const TaggedSentence& sentence : sentences) words += sentence.words.size();
    const auto number = [](std::uint64_t value) { return static_cast<double>(value); };
    Figures figures = {{"sentences", number(sentences.size())},
                       {"words", number(words)},
                       {"tags", number(tagger.tag_count())},
                       {"features", number(tagger.feature_count())},
                       {"weights", number(tagger.weight_count())}};
    const std::string sizes = fmt::format(
        "{}: {} in {}, {}, {} features, {} weights", output_, counted(words, "word", "words"),
        counted(sentences.size(), "sentence", "sentences"), counted(tagger.tag_count(), "tag", "tags"),
        grouped(tagger.feature_count()), grouped(tagger.weight_count()));
    if (!session.json()) session.say(sizes);
    if (!dev.empty()) score_on(dev, tagger, figures, session);
    if (session.json()) session.report(figures, sizes);
  }

 private:
  static void score_on(const std::vector<TaggedSentence>& dev, const Tagger& tagger, Figures& figures,
                       Session& session) {
    const TagScore score = score_tagger(tagger, dev, {}, session.run());
    figures.emplace_back("accuracy", score.accuracy());
    figures.emplace_back("unknown_accuracy", score.unknown_accuracy());
    std::string line = fmt::format("accuracy {}, unknown words {}", percent(score.accuracy()),
                                   percent(score.unknown_accuracy()));
    if (score.has_entities) {
      figures.emplace_back("precision", score.entities.precision());
      figures.emplace_back("recall", score.entities.recall());
      figures.emplace_back("f1", score.entities.f1());
      line = fmt::format("precision {}, recall {}, F1 {}; {}", percent(score.entities.precision()),
                         percent(score.entities.recall()), percent(score.entities.f1()), line);
    }
    if (!session.json()) session.print(line + "\n");
  }

  std::vector<std::string> inputs_;
  std::string output_;
  std::vector<std::string> clusters_;
  std::vector<std::string> vectors_;
  std::vector<std::string> lexicons_;
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
