#include <fmt/format.h>
#include <unistd.h>

#include <firth/class_lm.hpp>
#include <firth/count.hpp>
#include <iostream>

#include "commands/commands.hpp"

namespace firth::cli {
namespace {

class LmPredictCommand final : public Command {
 public:
  std::string name() const override { return "lm predict"; }
  std::string summary() const override { return "suggests the next word"; }
  std::string description() const override {
    return "Reads lines, the beginnings of sentences, from standard input, and suggests the word that "
           "follows each, "
           "likeliest first, with probabilities: an input line, an output line, 'word probability' with tabs "
           "between "
           "them. </s> says that the sentence is complete. On a terminal it asks, and answers in a list.";
  }
  std::vector<Example> examples() const override {
    return {{"echo 'the cat sat on' | firth lm predict class.lm -n 3", "the three likeliest next words"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positional("MODEL", model_, "A model of `firth lm train` or `firth lm mix`, or an ARPA file.");
    options.group("Prediction");
    options.number<std::size_t>("-n", "N", most_, {1, 1'000'000}, "How many words to suggest.");
    options.text("--classes", "FILE", classes_,
                 "Classes of an ARPA file over classes: lines of CLASS probability word.");
    options.group("Text");
    options.flag("--lowercase", text_.lowercase,
                 "Convert words to lower case (Unicode), as for the model's text.");
    options.flag("--tokenize", text_.tokenize,
                 "Split words at Unicode word boundaries, as the model's text.");
    session.declare(options, {.threads = false});
  }

  void run(Session& session) override {
    const LanguageModel model = load_lm(model_, classes_, session.run());
    const bool terminal = ::isatty(STDIN_FILENO) == 1;
    std::string line;
    while (true) {
      if (terminal) {
        session.print("> ");
        session.finish();
      }
      if (!std::getline(std::cin, line)) break;
      session.run().check_stop();
      answer(model, line, terminal, session);
    }
    if (terminal) session.print("\n");
  }

 private:
  void answer(const LanguageModel& model, const std::string& line, bool terminal, Session& session) const {
    LmState state = model.begin_sentence();
    for (const std::string& word : line_words(line, text_)) model.advance(state, model.find(word));
    std::string text;
    for (const LmWord& suggestion : model.suggest(state, most_)) {
      if (!terminal && !text.empty()) text += '\t';
      text += fmt::format("{}{} {:.6g}{}", terminal ? "  " : "", model.word(suggestion.word),
                          suggestion.probability, terminal ? "\n" : "");
    }
    session.print(text + (terminal ? "" : "\n"));
    session.finish();
  }

  std::string model_;
  std::string classes_;
  TextOptions text_;
  std::size_t most_ = 5;
};

}  // namespace

std::unique_ptr<Command> make_lm_predict_command() {
  return std::make_unique<LmPredictCommand>();
}

}  // namespace firth::cli
