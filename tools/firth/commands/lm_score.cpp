#include <fmt/format.h>

#include <cmath>
#include <firth/class_lm.hpp>
#include <firth/error.hpp>
#include <nlohmann/json.hpp>

#include "commands/commands.hpp"
#include "model_text.hpp"

namespace firth::cli {
namespace {

std::string share_text(std::uint64_t right, std::uint64_t all) {
  return all == 0 ? "-" : fmt::format("{:.2f}%", 100 * static_cast<double>(right) / static_cast<double>(all));
}

double fraction(std::uint64_t right, std::uint64_t all) {
  return all == 0 ? 0 : static_cast<double>(right) / static_cast<double>(all);
}

/// JSON has no infinities: null.
nlohmann::ordered_json number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

class LmScoreCommand final : public Command {
 public:
  std::string name() const override { return "lm score"; }
  std::string summary() const override {
    return "prints perplexity and prediction accuracy of a model on text";
  }
  std::string description() const override {
    return "Prints the log-probability (base 10) and perplexity of text, with and without unknown words, as SRILM and KenLM report them: \"without\" leaves unknown words out of the sum and of the number of tokens, \"with\" scores each as <unk>. Tokens are words and sentence ends. The model is one of Firth's or an ARPA file; for an ARPA file over classes, --classes names the classes in SRILM's classes-format.";
  }
  std::vector<Example> examples() const override {
    return {
        {"firth lm score class.lm test.txt", "perplexity of the whole text"},
        {"firth lm score class.lm test.txt --accuracy --json", "with prediction accuracies, for programs"},
        {"firth lm score model.arpa --classes model.classes test.txt --each", "line by line"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positional("MODEL", model_, "A model of `firth lm train` or `firth lm mix`, or an ARPA file.");
    options.positionals("TEXT", inputs_, "Files or folders to score; - is standard input.");
    options.group("Scoring");
    options.text("--classes", "FILE", classes_,
                 "Classes of an ARPA file over classes: lines of CLASS probability word.");
    options.flag(
        "--each", each_,
        "One line of output per line of text: log10 probability, perplexity, both without unknown words, log10 probability with them, words, unknown words, with tabs between them; then the sums.");
    options.flag(
        "--accuracy", options_.accuracy,
        "How often the most probable class is that of the next word, and how often the next word is among the 1, 5 and 10 most probable ones. Known words and sentence ends count.");
    options.flag("--json", json_, "The sums as one line of JSON.");
    model_text_.declare(options, options_.text);
    session.declare(options, {.text = true});
  }

  void run(Session& session) override {
    const LanguageModel model = load_lm(model_, classes_, session.run());
    model_text_.follow(model.preprocessing(), model_, inputs_, session);
    std::function<void(const LmScore&)> each;
    if (each_) each = [&](const LmScore& score) { print_line(session, score); };
    const LmScore score = score_text(model, session.text(inputs_), options_, each, session.run());
    if (score.sentences == 0 && !each_)
      throw InputError({inputs_.front()}, "the text has no words", "name another file");
    session.print(json_ ? as_json(model, score) : as_text(model, score));
  }

 private:
  static void print_line(Session& session, const LmScore& s) {
    if (s.sentences == 0) return session.print("0\t-\t0\t0\t0\n");
    session.print(fmt::format("{:.6f}\t{:.4f}\t{:.6f}\t{}\t{}\n", s.log10_known, s.perplexity(),
                              s.log10_known + s.log10_unknown, s.words, s.unknown));
  }

  std::string as_text(const LanguageModel& model, const LmScore& s) const {
    std::string text = fmt::format(
        "sentences                      {}\n"
        "words                          {}\n"
        "unknown words                  {} ({})\n"
        "tokens                         {}\n"
        "log10 probability              {:.4f}\n"
        "  with unknown words           {:.4f}\n"
        "perplexity                     {:.4f}\n"
        "  with unknown words           {:.4f}\n"
        "  per word, without ends       {:.4f}\n",
        s.sentences, s.words, s.unknown, share_text(s.unknown, s.words), s.words + s.ends, s.log10_known,
        s.log10_known + s.log10_unknown, s.perplexity(), s.perplexity_with_unknown(),
        s.perplexity_per_word());
    if (s.impossible > 0) text += fmt::format("impossible (in no sum)         {}\n", s.impossible);
    if (!options_.accuracy) return text;
    if (model.has_classes())
      text += fmt::format("class prediction accuracy      {}\n", share_text(s.right_class, s.predictions));
    for (std::size_t i = 0; i < kAccuracyDepths.size(); ++i) {
      text += fmt::format("next word among the best {:<6}{}\n", kAccuracyDepths[i],
                          share_text(s.right_word[i], s.predictions));
    }
    return text;
  }

  std::string as_json(const LanguageModel& model, const LmScore& s) const {
    nlohmann::ordered_json json = {{"sentences", s.sentences},
                                   {"words", s.words},
                                   {"unknown", s.unknown},
                                   {"tokens", s.words + s.ends},
                                   {"impossible", s.impossible},
                                   {"log10", number(s.log10_known)},
                                   {"log10_with_unknown", number(s.log10_known + s.log10_unknown)},
                                   {"perplexity", number(s.perplexity())},
                                   {"perplexity_with_unknown", number(s.perplexity_with_unknown())},
                                   {"perplexity_per_word", number(s.perplexity_per_word())}};
    if (options_.accuracy) {
      json["predictions"] = s.predictions;
      if (model.has_classes()) json["class_accuracy"] = fraction(s.right_class, s.predictions);
      for (std::size_t i = 0; i < kAccuracyDepths.size(); ++i) {
        json[fmt::format("word_accuracy_{}", kAccuracyDepths[i])] = fraction(s.right_word[i], s.predictions);
      }
    }
    return json.dump() + "\n";
  }

  std::string model_;
  std::vector<std::string> inputs_;
  std::string classes_;
  bool each_ = false;
  bool json_ = false;
  LmScoreOptions options_;
  ModelText model_text_;
};

}  // namespace

std::unique_ptr<Command> make_lm_score_command() {
  return std::make_unique<LmScoreCommand>();
}

}  // namespace firth::cli
