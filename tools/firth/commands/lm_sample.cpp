#include <firth/class_lm.hpp>

#include "commands/commands.hpp"

namespace firth::cli {
namespace {

class LmSampleCommand final : public Command {
 public:
  std::string name() const override { return "lm sample"; }
  std::string summary() const override { return "draws sentences from a model"; }
  std::string description() const override {
    return "Writes random sentences of the model, one per line. <unk> is never drawn. The same seed gives the same sentences.";
  }
  std::vector<Example> examples() const override {
    return {{"firth lm sample class.lm -n 10 --seed 7", "ten sentences"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positional("MODEL", model_, "A model of `firth lm train` or `firth lm mix`, or an ARPA file.");
    options.group("Sampling");
    options.number<std::uint64_t>("-n", "N", sentences_, {1, std::uint64_t{1} << 40}, "Number of sentences.");
    options.number<std::size_t>("--max-words", "N", max_words_, {1, 1'000'000},
                                "Sentences are cut after N words.");
    options.text("--classes", "FILE", classes_,
                 "Classes of an ARPA file over classes: lines of CLASS probability word.");
    session.declare(options, {.threads = false, .seed = true});
  }

  void run(Session& session) override {
    const LanguageModel model = load_lm(model_, classes_, session.run());
    LmSampler sampler(model, session.run().seed);
    for (std::uint64_t i = 0; i < sentences_; ++i) {
      session.run().check_stop();
      std::string line;
      for (const WordId word : sampler.sentence(max_words_)) {
        if (!line.empty()) line += ' ';
        line += model.word(word);
      }
      session.print(line + "\n");
    }
  }

 private:
  std::string model_;
  std::string classes_;
  std::uint64_t sentences_ = 10;
  std::size_t max_words_ = 1000;
};

}  // namespace

std::unique_ptr<Command> make_lm_sample_command() {
  return std::make_unique<LmSampleCommand>();
}

}  // namespace firth::cli
