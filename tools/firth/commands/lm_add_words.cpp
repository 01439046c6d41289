// firth lm add-words: new words for a class model.
#include <fmt/format.h>

#include <firth/class_lm.hpp>
#include <firth/error.hpp>
#include <firth/text.hpp>

#include "commands/commands.hpp"

namespace firth::cli {
namespace {

class LmAddWordsCommand final : public Command {
 public:
  std::string name() const override { return "lm add-words"; }
  std::string summary() const override { return "adds words to the classes of a model, without training"; }
  std::string description() const override {
    return "Adds words that the training text did not have to a class model, or to the class models of a mixture. Each line of WORDS has a new word, a word that it is like (or the name of a class, such as CLASS-12), and, optionally, its probability within the class; without one, it gets that of the least probable word of the class.";
  }
  std::vector<Example> examples() const override {
    return {{"firth lm add-words class.lm names.txt -o new.lm",
             "a line of names.txt: Zelenskyyville Springfield"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positional("MODEL", model_, "A model of `firth lm train` or `firth lm mix` with classes.");
    options.positional("WORDS", words_, "The new words, one per line, or - for standard input.");
    options.group("Model");
    options.text("-o,--output", "MODEL", output_, "Output file.");
    options.writes_model();
    options.require_last();
    session.declare(options, {.threads = false, .json = true});
  }

  void run(Session& session) override {
    const LanguageModel model = load_lm(model_, "", session.run());
    std::vector<LmNewWord> words = load_new_words(words_, session.run());
    if (const auto stored = model.preprocessing()) {
      for (LmNewWord& word : words) {
        word.word = as_in_text(word.word, *stored);
        if (model.find(word.like) == LanguageModel::kUnknown) word.like = as_in_text(word.like, *stored);
      }
    }
    const LanguageModel larger = with_words(model, words);
    save_lm(output_, larger);
    session.report({{"new_words", static_cast<double>(words.size())},
                    {"words", static_cast<double>(larger.word_count() - kSpecialWords)}},
                   fmt::format("{}: {}, {} in all", output_, counted(words.size(), "new word", "new words"),
                               grouped(larger.word_count() - kSpecialWords)));
  }

 private:
  /// A word as the model's text has it: in lower case, normalised.
  static std::string as_in_text(const std::string& word, const Preprocessing& stored) {
    const std::vector<std::string> words =
        line_words(word, {.normalize = stored.normalize, .lowercase = stored.lowercase});
    const bool is_class = word.starts_with("CLASS-");
    return is_class || words.size() != 1 ? word : words.front();
  }

  /// A model without classes is named; what is wrong with a word is said of its line.
  LanguageModel with_words(const LanguageModel& model, const std::vector<LmNewWord>& words) const {
    try {
      return add_words(model, words);
    } catch (const UsageError& error) {
      throw InputError({model_}, error.what());
    }
  }

  static constexpr std::size_t kSpecialWords = 3;  // <unk>, <s>, </s>

  std::string model_;
  std::string words_;
  std::string output_;
};

}  // namespace

std::unique_ptr<Command> make_lm_add_words_command() {
  return std::make_unique<LmAddWordsCommand>();
}

}  // namespace firth::cli
