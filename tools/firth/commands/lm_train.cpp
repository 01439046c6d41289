#include <fmt/format.h>

#include <firth/class_lm.hpp>
#include <firth/error.hpp>

#include "commands/commands.hpp"
#include "shared_options.hpp"

namespace firth::cli {
namespace {

class LmTrainCommand final : public Command {
 public:
  std::string name() const override { return "lm train"; }
  std::string summary() const override { return "trains a class or word n-gram model"; }
  std::string description() const override {
    return "Trains p(word | class) p(class | classes before it) on text, or with --words a model of words. "
           "Unknown "
           "words are <unk>, sentences start with <s> and end with </s>, and every word of the vocabulary "
           "gets a "
           "probability, seen or not. With both --words and --classes, the word model has the vocabulary of "
           "the "
           "classes, so that the two can be compared and mixed.";
  }
  std::vector<Example> examples() const override {
    return {{"firth lm train --classes out text.txt -o class.lm",
             "a trigram model over the classes in folder out"},
            {"firth lm train --words --min-count 2 text.txt -o word.lm", "a word trigram model"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positionals("TEXT", inputs_, "Files or folders to learn from; - is standard input.");
    options.group("Model");
    options.text("-o,--output", "MODEL", output_, "Output file.");
    options.writes_file();
    options.require_last();
    options.text(
        "--classes", "DIR|FILE", classes_,
        "The classes: a folder of `firth cluster`, or a file in any format that `firth convert` reads.");
    options.flag("--words", words_, "A model of words instead of classes.");
    options.number<int>("--order", "N", options_.order, {1, 6}, "Length of the n-grams.");
    options.field_of_last("LmTrainOptions::order");
    options.choice(
        "--smoothing", options_.smoothing,
        {{"kneser-ney", LmSmoothing::kneser_ney},
         {"witten-bell", LmSmoothing::witten_bell},
         {"none", LmSmoothing::none}},
        "How n-grams are smoothed: interpolated modified Kneser-Ney, interpolated Witten-Bell, or none (unseen n-grams get probability zero).");
    options.choice(
        "--emission", options_.emission,
        {{"discounted", LmEmission::discounted}, {"frequency", LmEmission::frequency}},
        "p(word | class): with a discount that all words of the class share, or relative frequency "
        "(words of the class that are not in the text become impossible).");
    options.flag("--no-boundaries", no_boundaries_,
                 "No <s> and </s>: the first word of a line is context only (order 1 or 2).");
    declare_text_options(options, options_.text);
    declare_vocabulary_options(options, vocabulary_);
    session.declare(options, {.memory = true});
  }

  void run(Session& session) override {
    if (words_ == false && classes_.empty()) {
      throw UsageError("neither --classes nor --words", "say what the model is made of");
    }
    if (!classes_.empty() && vocabulary_.restricts()) {
      throw UsageError("--classes and vocabulary options contradict each other",
                       "the words are those of the classes");
    }
    options_.boundaries = !no_boundaries_;
    const LanguageModel model = train(session);
    save_lm(output_, model);
    const LmPart part = model.parts().front();
    std::string ngrams;
    for (std::size_t i = 0; i < part.ngrams.size(); ++i) {
      ngrams += fmt::format("{}{} {}-grams", i == 0 ? "" : ", ", part.ngrams[i], i + 1);
    }
    session.say(fmt::format("{}: {} words{}, {}", output_, model.word_count() - kSpecialWords,
                            part.classes ? fmt::format(" in {} classes", part.symbols - kSpecialWords) : "",
                            ngrams));
  }

 private:
  static constexpr std::size_t kSpecialWords = 3;

  LanguageModel train(Session& session) const {
    if (classes_.empty()) return train_word_lm(inputs_, vocabulary_, options_, session.run());
    const Clustering classes = load_clustering(classes_);
    if (words_) return train_word_lm(inputs_, classes.vocabulary(), options_, session.run());
    return train_class_lm(inputs_, classes, options_, session.run());
  }

  std::vector<std::string> inputs_;
  std::string output_;
  std::string classes_;
  bool words_ = false;
  bool no_boundaries_ = false;
  LmTrainOptions options_;
  VocabularyOptions vocabulary_;
};

}  // namespace

std::unique_ptr<Command> make_lm_train_command() {
  return std::make_unique<LmTrainCommand>();
}

}  // namespace firth::cli
