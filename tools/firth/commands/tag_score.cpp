// firth tag score: precision, recall and accuracy of tags.
#include <fmt/format.h>

#include <firth/error.hpp>
#include <firth/tag_scores.hpp>
#include <nlohmann/json.hpp>

#include "commands/commands.hpp"
#include "commands/tag_options.hpp"
#include "shared_options.hpp"

namespace firth::cli {
namespace {

class TagScoreCommand final : public Command {
 public:
  std::string name() const override { return "tag score"; }
  std::string summary() const override { return "scores tags: precision, recall, F1 and accuracy"; }
  std::string description() const override {
    return "Compares tags with the gold ones, by conlleval's rules and in its layout. Without --model, FILE has both: the gold tag in the last column but one, the predicted one in the last. With --model, FILE has the gold tags, and the tagger is run on it; words and entities that the training sentences did not have are counted separately (an entity is unknown if one of its words is). Intervals hold 95% of bootstrap samples of sentences.";
  }
  std::vector<Example> examples() const override {
    return {{"firth tag score tagged.conll",
             "a file with the gold and the predicted tag in its last two columns"},
            {"firth tag score --model ner.tagger test.conll", "tag and score"},
            {"firth tag score --model pos.tagger test.conllu --json", "accuracy, for programs"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positionals("FILE", inputs_, "Tagged files, folders, or - for standard input.");
    options.group("Scoring");
    options.text("--model", "MODEL", model_, "A tagger of firth tag train to run on FILE.");
    options.number_or<int>("--beam", "N", beam_, {1, 10000}, {"viterbi", 0},
                           "With --model: width of the beam; if not given, that of the training.");
    options.show_default("");
    options.number<int>("--bootstrap;--samples", "N", bootstrap_.samples, {1, 1000000},
                        "Bootstrap samples for the intervals.");
    options.flag("--json", json_, "One line of JSON.");
    declare_token_options(options, tokens_);
    session.declare(options, {.threads = false, .seed = true, .text = true});
  }

  void run(Session& session) override {
    TagScore score;
    if (model_.empty()) {
      score = score_tagged_file(session.text(inputs_), tokens_, session.run());
    } else {
      const Tagger tagger = load_tagger(model_);
      say_spelling(tagger.preprocessing(), model_, session);
      score = score_tagger(tagger, read_tagged(session.text(inputs_), tokens_, session.run()), {beam_},
                           session.run());
    }
    if (score.words == 0)
      throw InputError({inputs_.front()}, "there are no tagged words", "name a file with words and tags");
    bootstrap_.seed = session.run().seed;
    const Bootstrap intervals = bootstrap(score, bootstrap_);
    session.print(json_ ? as_json(score, intervals) : as_text(score, intervals));
  }

 private:
  static std::string interval(const ConfidenceInterval& range) {
    return fmt::format("[{}, {}]", percent(range.low), percent(range.high));
  }

  static std::string counts_text(const EntityCounts& c) {
    return fmt::format("precision: {:>6}%; recall: {:>6}%; FB1: {:>6}", percent(c.precision()),
                       percent(c.recall()), percent(c.f1()));
  }

  std::string as_text(const TagScore& s, const Bootstrap& intervals) const {
    std::string text;
    if (s.has_entities) {
      text = fmt::format("processed {} tokens with {} phrases; found: {} phrases; correct: {}.\n", s.words,
                         s.entities.gold, s.entities.guessed, s.entities.right);
      text += fmt::format("accuracy: {:>6}%; {}\n", percent(s.accuracy()), counts_text(s.entities));
      for (const auto& [type, counts] : s.types) {
        text += fmt::format("{:>17}: {}  {}\n", type, counts_text(counts), counts.guessed);
      }
      text += fmt::format("interval of FB1: {}\n", interval(intervals.f1));
    } else {
      text = fmt::format("processed {} tokens; correct: {}.\naccuracy: {:>6}%\n", s.words, s.right_words,
                         percent(s.accuracy()));
    }
    text += fmt::format("interval of accuracy: {}\n", interval(intervals.accuracy));
    if (model_.empty()) return text;
    text += fmt::format(
        "unknown words: {} ({}%); accuracy: {:>6}%\n", s.unknown_words,
        percent(s.words == 0 ? 0 : static_cast<double>(s.unknown_words) / static_cast<double>(s.words)),
        percent(s.unknown_accuracy()));
    if (s.has_entities) {
      text += fmt::format("entities with unknown words: {}; {}\n", s.unknown_entities.gold,
                          counts_text(s.unknown_entities));
    }
    return text;
  }

  static nlohmann::ordered_json counts_json(const EntityCounts& c) {
    return {{"gold", c.gold},       {"guessed", c.guessed}, {"right", c.right}, {"precision", c.precision()},
            {"recall", c.recall()}, {"f1", c.f1()}};
  }

  std::string as_json(const TagScore& s, const Bootstrap& intervals) const {
    nlohmann::ordered_json json = {{"sentences", s.sentences.size()},
                                   {"words", s.words},
                                   {"accuracy", s.accuracy()},
                                   {"accuracy_interval", {intervals.accuracy.low, intervals.accuracy.high}}};
    if (!model_.empty()) {
      json["unknown_words"] = s.unknown_words;
      json["unknown_accuracy"] = s.unknown_accuracy();
    }
    if (s.has_entities) {
      json["entities"] = counts_json(s.entities);
      json["f1_interval"] = {intervals.f1.low, intervals.f1.high};
      if (!model_.empty()) json["unknown_entities"] = counts_json(s.unknown_entities);
      for (const auto& [type, counts] : s.types) json["types"][type] = counts_json(counts);
    }
    return json.dump() + "\n";
  }

  std::vector<std::string> inputs_;
  std::string model_;
  int beam_ = -1;
  bool json_ = false;
  BootstrapOptions bootstrap_;
  TokenOptions tokens_;
};

}  // namespace

std::unique_ptr<Command> make_tag_score_command() {
  return std::make_unique<TagScoreCommand>();
}

}  // namespace firth::cli
