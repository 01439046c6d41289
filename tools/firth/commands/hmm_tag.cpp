#include <fmt/format.h>

#include <algorithm>
#include <firth/hmm.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "model_text.hpp"

namespace firth::cli {
namespace {

class HmmTagCommand final : public Command {
 public:
  std::string name() const override { return "hmm tag"; }
  std::string summary() const override { return "gives every word of a text a state"; }
  std::string description() const override {
    return "Writes every word of a text with its state: a word, a tab and a number on each line, a blank line after each sentence. With --types, writes every word once, with its most frequent state: a file of classes that other commands read. With --json, writes one object per sentence, with its words and states, or (with --types) one per word.";
  }
  std::vector<Example> examples() const override {
    return {{"firth hmm tag text.hmm text.txt > text.tagged", "the most probable states"},
            {"firth hmm tag text.hmm text.txt --types > classes.tsv", "one state for each word"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positional("MODEL", model_, "A model that firth hmm train wrote.");
    options.positionals("TEXT", inputs_, "Files or folders to tag; - is standard input.");
    options.choice("--decode", options_.decoding,
                   {{"viterbi", HmmDecoding::viterbi}, {"posterior", HmmDecoding::posterior}},
                   "The most probable sequence of states, or the most probable state of each word.");
    options.flag("--types", types_, "One line for each word, with its most frequent state.");
    model_text_.declare(options, options_.text);
    session.declare(options, {.threads = false, .json = true, .text = true});
  }

  void run(Session& session) override {
    const HmmModel model = load_hmm(model_);
    model_text_.follow(model.preprocessing, model_, inputs_, session);
    Seen seen;
    decode_text(
        model, session.text(inputs_), options_,
        [&](std::span<const std::string_view> words, std::span<const std::uint32_t> states) {
          if (types_) {
            for (std::size_t i = 0; i < words.size(); ++i) count(seen, words[i], states[i]);
            return;
          }
          if (session.json())
            return print_json({{"words", std::vector<std::string>(words.begin(), words.end())},
                               {"states", std::vector<std::uint32_t>(states.begin(), states.end())}},
                              session);
          std::string lines;
          for (std::size_t i = 0; i < words.size(); ++i)
            lines += fmt::format("{}\t{}\n", words[i], states[i]);
          session.print(lines + "\n");
        },
        session.run());
    for (const auto& [word, states] : seen) {
      const auto best = std::max_element(states.begin(), states.end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
      if (session.json())
        print_json({{"word", word}, {"state", best->first}}, session);
      else
        session.print(fmt::format("{}\t{}\n", word, best->first));
    }
  }

 private:
  using Seen = std::map<std::string, std::map<std::uint32_t, Count>, std::less<>>;

  static void print_json(const nlohmann::ordered_json& json, Session& session) {
    session.print(json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  }

  static void count(Seen& seen, std::string_view word, std::uint32_t state) {
    auto place = seen.find(word);
    if (place == seen.end()) place = seen.try_emplace(std::string(word)).first;
    ++place->second[state];
  }

  std::string model_;
  std::vector<std::string> inputs_;
  HmmDecodeOptions options_;
  bool types_ = false;
  ModelText model_text_;
};

}  // namespace

std::unique_ptr<Command> make_hmm_tag_command() {
  return std::make_unique<HmmTagCommand>();
}

}  // namespace firth::cli
