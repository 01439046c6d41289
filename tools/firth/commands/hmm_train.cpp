#include <fmt/format.h>

#include <firth/hmm.hpp>
#include <nlohmann/json.hpp>

#include "commands/commands.hpp"
#include "interrupt.hpp"
#include "progress_bar.hpp"
#include "shared_options.hpp"

namespace firth::cli {
namespace {

class HmmTrainCommand final : public Command {
 public:
  std::string name() const override { return "hmm train"; }
  std::string summary() const override { return "learns a hidden Markov model from plain text"; }
  std::string description() const override {
    return "Learns states that follow one another and emit words (a bigram hidden Markov model) from text without tags, by maximum likelihood (em), by variational Bayes with Dirichlet priors (vb), by collapsed Gibbs sampling (gibbs), or by EM that makes words use few states (sparse). Of several restarts, the one with the highest likelihood is kept. 'firth hmm tag' applies the model to text, and 'firth evaluate --tagged' compares its states with tags.";
  }
  std::vector<Example> examples() const override {
    return {{"firth hmm train text.txt -c 50 -o text.hmm", "50 states by EM"},
            {"firth hmm train text.txt -c 17 --algorithm vb --restarts 5 -o text.hmm",
             "the best of five runs of variational Bayes"},
            {"firth hmm train text.txt -c 17 --algorithm sparse --sigma 32 -o text.hmm",
             "posterior regularisation: few states per word"},
            {"firth hmm train text.txt -c 100 -o text.hmm --checkpoint text.point --resume",
             "if it is killed, run the same line again: it continues where it was"}};
  }

  void declare(OptionTable& options, Session& session) override {
    constexpr std::uint32_t kMax = std::numeric_limits<std::uint32_t>::max();
    options.positionals("TEXT", inputs_, "Files or folders to learn from; - is standard input.");
    options.group("Model");
    options.text("-o,--output", "MODEL", output_, "Output file.");
    options.writes_model();
    options.require_last();
    options.number<std::uint32_t>("-c,--states", "K", options_.states, {1, 65535},
                                  "Number of hidden states.");
    options.choice("--algorithm", options_.algorithm,
                   {{"em", HmmAlgorithm::em},
                    {"vb", HmmAlgorithm::vb},
                    {"gibbs", HmmAlgorithm::gibbs},
                    {"sparse", HmmAlgorithm::sparse}},
                   "How the model is learnt.");
    options.number<std::uint32_t>("--iterations", "N", options_.iterations, {1, kMax},
                                  "Maximum number of iterations; for gibbs, sweeps over the text.");
    options.real("--tolerance", "SHARE", options_.tolerance, {0, 1},
                 "em and vb: stop when an iteration gains less than this share of the log likelihood.");
    options.number<std::uint32_t>("--restarts", "N", options_.restarts, {1, 1U << 20},
                                  "Number of runs with different random numbers; the most likely is kept.");
    options.real("--transition-prior", "A", options_.transition_prior, {1e-9, 1e9},
                 "vb and gibbs: parameter of the Dirichlet prior over the next state.");
    options.real("--emission-prior", "B", options_.emission_prior, {1e-9, 1e9},
                 "vb and gibbs: parameter of the Dirichlet prior over the words of a state.");
    options.real("--sigma", "PRICE", options_.sparse.sigma, {0, 500},
                 "sparse: penalty in nats for every state that a word uses; 0 is plain EM.");
    options.number<std::uint32_t>("--sparse-min-count", "N", options_.sparse.min_count, {1, kMax},
                                  "sparse: words with fewer than N tokens are not constrained.");
    options.number<std::uint32_t>("--sparse-steps", "N", options_.sparse.steps, {1, kMax},
                                  "sparse: number of steps of the projection per iteration.");
    options.number<std::uint32_t>("--warm-up", "N", options_.sparse.warm_up, {1, kMax},
                                  "sparse: number of iterations of plain EM at the start.");
    declare_checkpoint_options(options, options_.checkpoint);
    options.flag("--json", json_, "Print the result of every iteration and restart as JSON.");
    declare_text_options(options, options_.text);
    declare_vocabulary_options(options, options_.vocabulary);
    session.declare(options, {.threads = true, .seed = true, .memory = true, .text = true});
  }

  void run(Session& session) override {
    if (!options_.checkpoint.file.empty()) wait_for_result_when_interrupted();
    const HmmResult result = train_hmm(session.text(inputs_), options_, session.run());
    save_hmm(output_, result.model);
    if (json_) {
      const nlohmann::ordered_json json = {{"states", result.model.states},
                                           {"words", result.model.vocabulary.size()},
                                           {"tokens", result.tokens},
                                           {"objective", result.objective},
                                           {"restarts", result.restarts}};
      session.print(json.dump(2) + "\n");
    }
    session.say(fmt::format(
        "{}: {}, {}, {}, {} {:.6g}", output_, counted(result.model.states, "state", "states"),
        counted(result.model.vocabulary.size(), "word", "words"),
        counted(result.objective.size(), "iteration", "iterations"), what(), result.objective.back()));
  }

 private:
  const char* what() const {
    if (options_.algorithm == HmmAlgorithm::vb || options_.algorithm == HmmAlgorithm::sparse) return "bound";
    return options_.algorithm == HmmAlgorithm::gibbs ? "log joint" : "log likelihood";
  }

  std::vector<std::string> inputs_;
  std::string output_;
  bool json_ = false;
  HmmOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_hmm_train_command() {
  return std::make_unique<HmmTrainCommand>();
}

}  // namespace firth::cli
