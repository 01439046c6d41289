// firth phrases: units of several words.
#include <fmt/format.h>

#include <firth/error.hpp>
#include <firth/phrases.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands/commands.hpp"
#include "progress_bar.hpp"
#include "shared_options.hpp"
#include "whole_number.hpp"

namespace firth::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kPhrasesDescription =
    "Finds words that occur together more often than by chance, such as 'New York'. Prints these phrases, separated by tabs: left part, right part, how often they occur together, how often the left part has a right neighbour, how often the right part has a left one, the score and the round of counting that found it; with -o, writes the text with each phrase joined into one word. The text may be of any size: it is read as a stream, and counts stay within --memory.";

class PhrasesCommand : public Command {
 public:
  std::string name() const override { return "phrases"; }
  std::string summary() const override { return "finds multi-word units and joins them in the text"; }
  std::string description() const override { return kPhrasesDescription; }
  std::vector<Example> examples() const override {
    return {{"firth phrases text.txt -o joined.txt > phrases.tsv",
             "Pairs of words, and the text with New_York as one word."},
            {"firth phrases text.txt --max-words 4 --score lr --threshold 200",
             "Up to four words, by the likelihood ratio."},
            {"firth phrases more.txt --list phrases.tsv -o joined.txt", "The phrases of another text."}};
  }

  void declare(OptionTable& options, Session& session) override {
    options_ = &options;
    options.positionals("TEXT", inputs_, "Text files, folders, or - for standard input.");
    options.group("Output");
    options.text("-o,--output", "FILE", output_, "Write the text with phrases joined; - = standard output.");
    options.writes_file();
    options.text("--joiner", "CHARS", phrases_.joiner, "Characters between the words of a phrase.");
    options.field_of_last("PhraseOptions::joiner");
    options.text("--list", "FILE", list_, "Join the phrases in this table instead of searching for phrases.");
    options.group(kSearchGroup);
    options.choice(
        "--score", phrases_.score, {{"npmi", PhraseScore::npmi}, {"lr", PhraseScore::likelihood_ratio}},
        "npmi = normalised pointwise mutual information, from -1 to 1; lr = log-likelihood ratio, which "
        "grows with the text.");
    options.text("--threshold", "S", threshold_, "Minimum score; auto = 0.5 for npmi, 100 for lr.");
    options.field_of_last("PhraseOptions::threshold");
    options.number<Count>("--min-count", "N", phrases_.min_count, {1, std::numeric_limits<Count>::max()},
                          "Ignore pairs that occur fewer than N times.");
    options.field_of_last("PhraseOptions::min_count");
    options.number<std::uint32_t>(
        "--max-words", "N", phrases_.max_words, {2, 16},
        "Maximum number of words in a phrase; above 2, the text is counted again with the phrases found so far joined.");
    options.field_of_last("PhraseOptions::max_words");
    declare_text_options(options, text_);
    session.declare(options, {.threads = true, .seed = false, .memory = true, .json = true, .text = true});
  }

  void run(Session& session) override {
    if (!list_.empty()) return join(session);
    phrases_.threshold = threshold();
    const Phrases found =
        output_.empty()
            ? find_phrases(session.text(inputs_), phrases_, text_, session.run())
            : find_and_join_phrases(output_, session.text(inputs_), phrases_, text_, session.run());
    if (output_ != "-") session.print(session.json() ? as_json(found) : format_phrases(found));
    session.say(counted(found.list.size(), "phrase", "phrases"));
  }

 private:
  static constexpr const char* kSearchGroup = "Search";

  static std::string as_json(const Phrases& found) {
    Json list = Json::array();
    for (const Phrase& phrase : found.list) {
      list.push_back({{"left", phrase.left},
                      {"right", phrase.right},
                      {"count", phrase.count},
                      {"left_count", phrase.left_count},
                      {"right_count", phrase.right_count},
                      {"score", phrase.score},
                      {"round", phrase.round}});
    }
    return Json{{"phrases", list}}.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }

  std::optional<double> threshold() const {
    if (threshold_ == "auto") return std::nullopt;
    const std::optional<double> value = whole_number<double>(threshold_);
    if (!value)
      throw UsageError(fmt::format("--threshold: '{}' is not a number", threshold_),
                       "give a number, or auto");
    return value;
  }

  void join(Session& session) {
    if (output_.empty()) throw UsageError("--list joins phrases in a text", "name the file to write with -o");
    if (const auto given = options_->given_in_group(kSearchGroup); !given.empty())
      throw UsageError(fmt::format("{} has no effect with --list", given.front()), "leave it out");
    validate(phrases_);
    const Phrases phrases = load_phrases(list_, phrases_.joiner, session.run());
    const std::uint64_t joined = join_phrases(output_, session.text(inputs_), phrases, text_, session.run());
    session.report(
        {{"phrases", static_cast<double>(phrases.list.size())}, {"joins", static_cast<double>(joined)}},
        fmt::format("{} phrases in the list, {} joins in the text", phrases.list.size(), joined));
  }

  const OptionTable* options_ = nullptr;
  std::vector<std::string> inputs_;
  std::string output_;
  std::string list_;
  std::string threshold_ = "auto";
  PhraseOptions phrases_;
  TextOptions text_;
};

}  // namespace

std::unique_ptr<Command> make_phrases_command() {
  return std::make_unique<PhrasesCommand>();
}

}  // namespace firth::cli
