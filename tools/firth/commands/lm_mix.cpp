#include <fmt/format.h>

#include <firth/class_lm.hpp>
#include <firth/error.hpp>
#include <nlohmann/json.hpp>

#include "commands/commands.hpp"
#include "model_text.hpp"
#include "shared_options.hpp"

namespace firth::cli {
namespace {

class LmMixCommand final : public Command {
 public:
  std::string name() const override { return "lm mix"; }
  std::string summary() const override { return "mixes models, with the best weights for held-out text"; }
  std::string description() const override {
    return "Mixes models by linear interpolation. With --held-out, the weights are found by expectation maximisation on text that none of the models was trained on; with --weights, you give them. The mixture can be used wherever a model can.";
  }
  std::vector<Example> examples() const override {
    return {{"firth lm mix word.lm class.lm --held-out dev.txt -o mixed.lm", "the best mixture for dev.txt"},
            {"firth lm mix word.lm class.lm --weights 0.7,0.3 -o mixed.lm", "given weights"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positionals("MODEL", models_, "Two models or more, of Firth or ARPA files.");
    options.group("Mixture");
    options.text("-o,--output", "MODEL", output_, "Output file.");
    options.writes_model();
    options.require_last();
    options.texts("--held-out", "TEXT", held_out_, "Text to find the weights on.");
    options.text("--weights", "W,W...", weights_, "The weights, one per model; they must add up to 1.");
    model_text_.declare(options, text_);
    session.declare(options, {.json = true, .text = true});
  }

  void run(Session& session) override {
    if (held_out_.empty() && weights_.empty())
      throw UsageError("the weights are missing",
                       "give --held-out TEXT to find them on, or --weights W,W...");
    if (!held_out_.empty() && !weights_.empty())
      throw UsageError("--held-out and --weights contradict each other", "leave one of them out");
    std::vector<LanguageModel> models;
    for (const std::string& path : models_) models.push_back(load_lm(path, "", session.run()));
    for (std::size_t i = 1; i < models.size(); ++i) {
      const auto first = models.front().preprocessing();
      const auto other = models[i].preprocessing();
      if (first && other && first != other) {
        session.run().progress->warn(fmt::format(
            "{} and {} were trained on text that was read in different ways (--lowercase, --tokenize, "
            "--normalize): the mixture may be worse than its parts",
            models_.front(), models_[i]));
      }
    }
    std::vector<double> weights;
    nlohmann::ordered_json json = {{"file", output_}};
    if (weights_.empty()) {
      model_text_.follow(models.front().preprocessing(), models_.front(), held_out_, session);
      const LmMixResult result = tune_weights(models, session.text(held_out_), text_, session.run());
      weights = result.weights;
      json["perplexity_equal_weights"] = result.perplexities.front();
      json["perplexity"] = result.perplexities.back();
      session.say(fmt::format("held-out perplexity {:.4f} with equal weights, {:.4f} with the best ones",
                              result.perplexities.front(), result.perplexities.back()));
    } else {
      weights = decimal_list("--weights", weights_);
    }
    save_lm(output_, mix_models(models, weights));
    for (std::size_t i = 0; i < models_.size(); ++i) {
      json["models"].push_back({{"model", models_[i]}, {"weight", weights[i]}});
      if (!session.json()) session.print(fmt::format("{:.6f}\t{}\n", weights[i], models_[i]));
    }
    if (session.json())
      session.print(json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  }

 private:
  std::vector<std::string> models_;
  std::string output_;
  std::vector<std::string> held_out_;
  std::string weights_;
  TextOptions text_;
  ModelText model_text_;
};

}  // namespace

std::unique_ptr<Command> make_lm_mix_command() {
  return std::make_unique<LmMixCommand>();
}

}  // namespace firth::cli
