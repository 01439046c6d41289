// firth tag run: tags for text.
#include <fmt/format.h>
#include <unistd.h>

#include <firth/tagger.hpp>

#include "commands/commands.hpp"
#include "commands/tag_options.hpp"
#include "progress_bar.hpp"
#include "shared_options.hpp"

namespace firth::cli {
namespace {

class TagRunCommand final : public Command {
 public:
  std::string name() const override { return "tag run"; }
  std::string summary() const override { return "tags text with a tagger"; }
  std::string description() const override {
    return "Reads tokens and prints them with their tags: columns (CoNLL) get one more column at the end, so "
           "that firth tag score and conlleval can compare it with the one before; in CoNLL-U the tag column "
           "is replaced, entities go to MISC as Entity=; text becomes one word and its tag per line, a blank "
           "line after each sentence. Files of any size are read piece by piece, and sentences from a pipe are answered as they come; what is typed at a terminal is text.";
  }
  std::vector<Example> examples() const override {
    return {
        {"firth tag run ner.tagger text.txt", "one word per line, with its tag"},
        {"firth tag run ner.tagger test.conll | firth tag score -", "tag and score"},
        {"firth tag run pos.tagger text.conllu > tagged.conllu", "universal parts of speech in column 4"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positional("MODEL", model_, "A tagger of firth tag train.");
    options.positionals("FILE", inputs_, "Files with tokens, folders, or - for standard input.");
    options.group("Tagging");
    options.number_or<int>(
        "--beam", "N", beam_, {1, 10000}, {"viterbi", 0},
        "Width of the beam: 1 = greedy, from left to right; viterbi = exact; if not given, that of "
        "the training.");
    options.show_default("");
    options.choice("--scheme", options_.scheme,
                   {{"bio", TagScheme::automatic}, {"bilou", TagScheme::bilou}, {"io", TagScheme::io}},
                   "How entities are written.");
    declare_token_options(options, options_.tokens);
    session.declare(options, {.threads = false, .text = true});
  }

  void run(Session& session) override {
    const Tagger tagger = load_tagger(model_);
    say_spelling(tagger.preprocessing(), model_, session);
    options_.tagging.beam = beam_;
    // Somebody who types sentences wants each of them tagged, before the next shows whether it was a row of columns.
    const bool typed = inputs_.size() == 1 && inputs_.front() == "-" && ::isatty(STDIN_FILENO) == 1;
    if (typed && options_.tokens.format == TokenFormat::automatic) options_.tokens.format = TokenFormat::text;
    const std::uint64_t words = tag_files(
        tagger, session.text(inputs_), options_, [&](std::string_view text) { session.print_now(text); },
        session.run());
    session.say(counted(words, "word", "words") + " tagged");
  }

 private:
  std::string model_;
  std::vector<std::string> inputs_;
  int beam_ = -1;
  TagFileOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_tag_run_command() {
  return std::make_unique<TagRunCommand>();
}

}  // namespace firth::cli
