#include <fmt/format.h>
#include <unistd.h>

#include <firth/class_lm.hpp>
#include <firth/count.hpp>
#include <iostream>
#include <nlohmann/json.hpp>

#include "commands/commands.hpp"

namespace firth::cli {
namespace {

class LmPredictCommand final : public Command {
 public:
  std::string name() const override { return "lm predict"; }
  std::string summary() const override { return "suggests the next word"; }
  std::string description() const override {
    return "Reads beginnings of sentences, one per line, from standard input, and suggests the words that may follow, the most probable first. Each input line gives one output line of 'word probability' pairs, separated by tabs. </s> means that the sentence is complete. Interactive in a terminal.";
  }
  std::vector<Example> examples() const override {
    return {{"echo 'the cat sat on' | firth lm predict class.lm -n 3", "the three most probable next words"},
            {"echo 'the cat s' | firth lm predict class.lm --prefix", "how the word goes on"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positional("MODEL", model_, "A model of `firth lm train` or `firth lm mix`, or an ARPA file.");
    options.group("Prediction");
    options.number<std::size_t>("-n", "N", max_words_, {1, 1'000'000}, "Number of words to suggest.");
    options.flag(
        "--prefix", prefix_,
        "The last word of a line is not complete, unless white space follows it: suggest words that begin "
        "with it.");
    options.text("--classes", "FILE", classes_,
                 "Classes of an ARPA file over classes: lines of CLASS probability word.");
    options.group("Text");
    options.flag("--lowercase", text_.lowercase,
                 "Convert words to lower case (Unicode); not needed if the model was trained so.");
    options.flag("--tokenize", text_.tokenize,
                 "Split at Unicode word boundaries; not needed if the model was trained so.");
    session.declare(options, {.threads = false, .json = true});
  }

  void run(Session& session) override {
    const LanguageModel model = load_lm(model_, classes_, session.run());
    if (const auto stored = model.preprocessing()) {
      text_.lowercase = text_.lowercase || stored->lowercase;
      text_.tokenize = text_.tokenize || stored->tokenize;
      text_.normalize = stored->normalize;
    }
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
  static bool ends_in_space(const std::string& line) {
    return !line.empty() && std::string_view(" \t\r\v\f").find(line.back()) != std::string_view::npos;
  }

  std::string as_json(const LanguageModel& model, const LmState& state, const std::string& begun) const {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const LmWord& suggestion : model.complete(state, begun, max_words_)) {
      list.push_back({{"word", model.word(suggestion.word)}, {"probability", suggestion.probability}});
    }
    return list.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  }

  void answer(const LanguageModel& model, const std::string& line, bool terminal, Session& session) const {
    LmState state = model.begin_sentence();
    std::vector<std::string> words = line_words(line, text_);
    std::string begun;
    if (prefix_ && !words.empty() && !ends_in_space(line)) {
      begun = std::move(words.back());
      words.pop_back();
    }
    for (const std::string& word : words) model.advance(state, model.find(word));
    std::string text;
    if (session.json()) {
      session.print(as_json(model, state, begun));
      return session.finish();
    }
    for (const LmWord& suggestion : model.complete(state, begun, max_words_)) {
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
  std::size_t max_words_ = 5;
  bool prefix_ = false;
};

}  // namespace

std::unique_ptr<Command> make_lm_predict_command() {
  return std::make_unique<LmPredictCommand>();
}

}  // namespace firth::cli
