#include <fmt/format.h>

#include <firth/sample.hpp>
#include <limits>

#include "commands/commands.hpp"

namespace firth::cli {
namespace {

class SampleBrownCommand : public Command {
 public:
  std::string name() const override { return "sample brown"; }
  std::string summary() const override { return "draws a text whose true classes are known"; }
  std::string description() const override {
    return "Makes a random model of classes (each word in one class, each class followed by some classes more than by others, words of a class distributed after Zipf) and draws a text from it. DIR gets text.txt, one sentence per line, and classes.tsv with the true class of every word. Words of one class have the same ending, so that you can see at a glance whether a clustering found them.";
  }
  std::vector<Example> examples() const override {
    return {{"firth sample brown -o sample", "100,000 words of text, 1,000 different ones in 20 classes"},
            {"firth sample brown -n 50000 -c 200 --tokens 20000000 --seed 7 -o big", "a large one"}};
  }

  void declare(OptionTable& options, Session& session) override {
    constexpr std::uint32_t kMax = std::numeric_limits<std::uint32_t>::max() - 1;
    options.text("-o,--output", "DIR", folder_, "The folder to write to.");
    options.writes_folder();
    options.require_last();
    options.number<std::uint32_t>("-n,--words", "N", model_.words, {1, kMax}, "Number of different words.");
    options.number<std::uint32_t>("-c,--classes;-m", "M", model_.classes, {1, 16384}, "Number of classes.");
    options.number<std::uint64_t>("--tokens", "N", tokens_, {1, std::numeric_limits<std::uint64_t>::max()},
                                  "Length of the text in words.");
    options.real("--zipf", "S", model_.zipf, {0.0, 10.0},
                 "Within a class, the word of rank r is drawn in proportion to 1 / r^S.");
    options.real(
        "--contrast", "C", model_.contrast, {0.0, 20.0},
        "How different the classes are that follow a class: 1 = mildly, 3 = a few follow each, 6 = nearly "
        "always the same one.");
    options.number<std::uint32_t>("--sentence-length", "N", model_.sentence_length, {1, 1'000'000},
                                  "Mean number of words in a line.");
    options.flag("--fixed-length", model_.fixed_length,
                 "Every line has exactly --sentence-length words; with 2, the text is a list of bigrams.");
    options.choice(
        "--start", model_.first, {{"stationary", FirstClass::stationary}, {"uniform", FirstClass::uniform}},
        "The class that a line begins with: stationary = drawn as in the whole text; uniform = all classes are equally probable.");
    session.declare(options, {.threads = false, .seed = true, .memory = true});
  }

  void run(Session& session) override {
    const BrownSample sample = save_brown_sample(folder_, model_, tokens_, session.run());
    const std::string unseen =
        sample.unseen == 0 ? "" : fmt::format(" ({} of them not drawn)", sample.unseen);
    session.say(fmt::format("{} words of text in {} lines; {} different words in {} classes{}", tokens_,
                            sample.lines, model_.words, model_.classes, unseen));
  }

 private:
  std::string folder_;
  std::uint64_t tokens_ = 100'000;
  BrownModelOptions model_;
};

}  // namespace

std::unique_ptr<Command> make_sample_brown_command() {
  return std::make_unique<SampleBrownCommand>();
}

}  // namespace firth::cli
