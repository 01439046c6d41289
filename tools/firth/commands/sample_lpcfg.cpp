#include <fmt/format.h>

#include <firth/sample.hpp>
#include <limits>

#include "commands/commands.hpp"

namespace firth::cli {
namespace {

class SampleLpcfgCommand : public Command {
 public:
  std::string name() const override { return "sample lpcfg"; }
  std::string summary() const override { return "draws trees from a random grammar with latent states"; }
  std::string description() const override {
    return "Makes a random L-PCFG, a grammar whose symbols have latent states, and draws trees from it. DIR gets trees.mrg, one tree per line; states.mrg, the same trees with the state of each node in its label (S-0), which cleaning takes out again; and grammar.tsv with every parameter of the grammar. This shows what `firth parse train` learns from trees whose true probabilities are known.";
  }
  std::vector<Example> examples() const override {
    return {
        {"firth sample lpcfg -o sample", "10,000 trees of a grammar with three states per symbol"},
        {"firth sample lpcfg -m 8 --contrast 3 --trees 100000 --seed 7 -o big", "more states, more trees"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.text("-o,--output", "DIR", folder_, "The folder to write to.");
    options.writes_folder();
    options.require_last();
    options.number<std::uint64_t>("--trees", "N", trees_, {1, std::numeric_limits<std::uint64_t>::max()},
                                  "Number of trees.");
    options.number<std::uint32_t>("-m,--states", "M", model_.states, {1, 64},
                                  "Number of states of every symbol.");
    options.number<std::uint32_t>("--phrases", "N", model_.phrases, {1, 1000},
                                  "Number of symbols that become two symbols.");
    options.number<std::uint32_t>("--tags", "N", model_.tags, {1, 1000},
                                  "Number of symbols that become words.");
    options.number<std::uint32_t>("-n,--words", "N", model_.words, {1, 10'000'000},
                                  "Number of different words, at least as many as tags.");
    options.number<std::uint32_t>("--rules", "N", model_.rules, {1, 1000},
                                  "Number of binary rules of each phrase.");
    options.real("--contrast", "C", model_.contrast, {0.0, 20.0},
                 "How different the states of a symbol are: 0 = not at all, 1 = mildly, 3 = very.");
    session.declare(options, {.threads = false, .seed = true, .memory = true});
  }

  void run(Session& session) override {
    const LpcfgSample sample = save_lpcfg_sample(folder_, model_, trees_, session.run());
    session.say(fmt::format("{} trees with {} words; {} binary rules, {} states per symbol", sample.trees,
                            sample.words, sample.rules, model_.states));
  }

 private:
  std::string folder_;
  std::uint64_t trees_ = 10'000;
  LpcfgModelOptions model_;
};

}  // namespace

std::unique_ptr<Command> make_sample_lpcfg_command() {
  return std::make_unique<SampleLpcfgCommand>();
}

}  // namespace firth::cli
