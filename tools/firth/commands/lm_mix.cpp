#include <fmt/format.h>

#include <firth/class_lm.hpp>
#include <firth/error.hpp>

#include "commands/commands.hpp"
#include "shared_options.hpp"

namespace firth::cli {
namespace {

class LmMixCommand final : public Command {
 public:
  std::string name() const override { return "lm mix"; }
  std::string summary() const override { return "mixes models, with the best weights for held-out text"; }
  std::string description() const override {
    return "Linear interpolation of models. With --held-out the weights are found by expectation "
           "maximisation on text "
           "that none of the models was trained on; with --weights they are given. The mixture can be used "
           "wherever "
           "a model can.";
  }
  std::vector<Example> examples() const override {
    return {{"firth lm mix word.lm class.lm --held-out dev.txt -o mixed.lm", "the best mixture for dev.txt"},
            {"firth lm mix word.lm class.lm --weights 0.7,0.3 -o mixed.lm", "given weights"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positionals("MODEL", models_, "Two models or more, of Firth or ARPA files.");
    options.group("Mixture");
    options.text("-o,--output", "MODEL", output_, "Output file.");
    options.writes_file();
    options.require_last();
    options.texts("--held-out", "TEXT", held_out_, "Text to find the weights on.");
    options.text("--weights", "W,W...", weights_, "The weights, one per model; they add up to 1.");
    declare_text_options(options, text_);
    session.declare(options, {});
  }

  void run(Session& session) override {
    if (held_out_.empty() == weights_.empty()) {
      throw UsageError("either --held-out or --weights is needed, not both",
                       "give text to find the weights on");
    }
    std::vector<LanguageModel> models;
    for (const std::string& path : models_) models.push_back(load_lm(path, "", session.run()));
    std::vector<double> weights;
    if (weights_.empty()) {
      const LmMixResult result = tune_weights(models, held_out_, text_, session.run());
      weights = result.weights;
      session.say(fmt::format("held-out perplexity {:.4f} with equal weights, {:.4f} with the best ones",
                              result.perplexities.front(), result.perplexities.back()));
    } else {
      weights = parse_weights();
    }
    save_lm(output_, mix_models(models, weights));
    for (std::size_t i = 0; i < models_.size(); ++i)
      session.print(fmt::format("{:.6f}\t{}\n", weights[i], models_[i]));
  }

 private:
  std::vector<double> parse_weights() const {
    std::vector<double> weights;
    for (std::size_t begin = 0; begin <= weights_.size();) {
      const std::size_t end = std::min(weights_.find(',', begin), weights_.size());
      const std::string item = weights_.substr(begin, end - begin);
      try {
        std::size_t used = 0;
        weights.push_back(std::stod(item, &used));
        if (used != item.size()) throw std::invalid_argument(item);
      } catch (const std::logic_error&) {
        throw UsageError(fmt::format("--weights: '{}' is not a number", item), "write e.g. 0.7,0.3");
      }
      begin = end + 1;
    }
    return weights;
  }

  std::vector<std::string> models_;
  std::string output_;
  std::vector<std::string> held_out_;
  std::string weights_;
  TextOptions text_;
};

}  // namespace

std::unique_ptr<Command> make_lm_mix_command() {
  return std::make_unique<LmMixCommand>();
}

}  // namespace firth::cli
