#include <fmt/format.h>

#include <algorithm>
#include <firth/error.hpp>
#include <firth/rescore.hpp>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands/commands.hpp"
#include "shared_options.hpp"

namespace firth::cli {
namespace {

using Json = nlohmann::ordered_json;

double error_rate(std::uint64_t errors, std::uint64_t words) {
  return words == 0 ? 0 : 100 * static_cast<double>(errors) / static_cast<double>(words);
}

class LmRescoreCommand final : public Command {
 public:
  std::string name() const override { return "lm rescore"; }
  std::string summary() const override {
    return "chooses among the hypotheses of a recogniser or translator";
  }
  std::string description() const override {
    return "Reads lists of hypotheses with scores, adds the score of the model to each, and prints the best hypothesis of each list: id, total and words with tabs between them. A line of LISTS is 'ID ||| words ||| scores' (Moses), or ID, scores and words with tabs between them. The total is the sum of the scores (higher is better), the log10 probability of the words and a bonus per word, each times its weight. --held-out finds the weights with the fewest word errors on other lists.";
  }
  std::vector<Example> examples() const override {
    return {{"firth lm rescore class.lm test.nbest --held-out dev.nbest --references dev.ref",
             "weights from dev.nbest, whose true words are in dev.ref: an id and the words per line"},
            {"firth lm rescore class.lm test.nbest --weights 1,12,-0.5 -n 3",
             "one score in the lists, the model times 12, half a point less per word; the best three"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positional("MODEL", model_, "A model of `firth lm train` or `firth lm mix`, or an ARPA file.");
    options.positionals("LISTS", lists_, "Files of hypotheses; - is standard input.");
    options.group("Rescoring");
    options.text(
        "--weights", "W,W...", weights_,
        "Weights of the scores in the lists, of the model, and per word, in this order; by default 1 for each score and for the model, and 0 per word.");
    options.texts("--held-out", "FILE", held_out_, "Lists to find the weights on; needs --references.");
    options.text("--references", "FILE", references_,
                 "The true words for the lists of --held-out: an id and the words on each line.");
    options.number<std::size_t>("-n", "N", max_printed_, {1, 1'000'000},
                                "Number of hypotheses to print of each list.");
    session.declare(options, {.json = true});
  }

  void run(Session& session) override {
    if (held_out_.empty() != references_.empty()) {
      throw UsageError("--held-out and --references go together", "give both, or neither");
    }
    if (!held_out_.empty() && !weights_.empty()) {
      throw UsageError("--held-out and --weights contradict each other", "leave one of them out");
    }
    const LanguageModel model = load_lm(model_, "", session.run());
    const std::vector<NbestList> lists = load_nbest(lists_, session.run());
    std::optional<RescoreTuning> tuning;
    if (!held_out_.empty()) tuning = tuned(model, session);
    const RescoreWeights used = tuning ? tuning->weights : weights(lists);
    auto best = rescore(model, lists, used, session.run());
    for (std::vector<RescoredHypothesis>& list : best) list.resize(std::min(max_printed_, list.size()));
    if (session.json()) return print_json(lists, best, used, tuning, session);
    for (std::size_t i = 0; i < lists.size(); ++i) {
      for (const RescoredHypothesis& one : best[i]) {
        session.print(fmt::format("{}\t{:.6f}\t{}\n", lists[i].id, one.total,
                                  lists[i].hypotheses[one.hypothesis].words));
      }
    }
  }

 private:
  RescoreWeights weights(const std::vector<NbestList>& lists) const {
    if (weights_.empty()) return {};
    const std::vector<double> all = decimal_list("--weights", weights_);
    const std::size_t scores = lists.front().hypotheses.front().scores.size();
    if (all.size() != scores + 2) {
      throw UsageError(fmt::format("--weights: {} numbers where the lists need {}", all.size(), scores + 2),
                       "give one for each score, one for the model, one per word");
    }
    return {{all.begin(), all.end() - 2}, all[scores], all[scores + 1]};
  }

  /// Finds the weights with the fewest word errors on held-out lists, and says them.
  RescoreTuning tuned(const LanguageModel& model, Session& session) const {
    const std::vector<NbestList> lists = load_nbest(held_out_, session.run());
    RescoreTuning result =
        tune_rescoring(model, lists, load_references(references_, session.run()), session.run());
    if (session.json()) return result;
    std::string shown;
    for (const double weight : result.weights.scores) shown += fmt::format("{:.6g},", weight);
    session.say(
        fmt::format("--weights {}{:.6g},{:.6g}: word errors {:.2f}% (first hypotheses {:.2f}%) of {} words",
                    shown, result.weights.model, result.weights.word, error_rate(result.errors, result.words),
                    error_rate(result.errors_before, result.words), result.words));
    return result;
  }

  static void print_json(const std::vector<NbestList>& lists,
                         const std::vector<std::vector<RescoredHypothesis>>& best,
                         const RescoreWeights& weights, const std::optional<RescoreTuning>& tuning,
                         Session& session) {
    const std::vector<double> ones(lists.front().hypotheses.front().scores.size(), 1.0);
    Json json = {{"weights",
                  {{"scores", weights.scores.empty() ? ones : weights.scores},
                   {"model", weights.model},
                   {"word", weights.word}}}};
    if (tuning) {
      json["held_out"] = {{"words", tuning->words},
                          {"errors", tuning->errors},
                          {"errors_of_first_hypotheses", tuning->errors_before}};
    }
    json["lists"] = Json::array();
    for (std::size_t i = 0; i < lists.size(); ++i) {
      Json found = Json::array();
      for (const RescoredHypothesis& one : best[i]) {
        found.push_back({{"total", one.total},
                         {"log10", one.log10},
                         {"words", lists[i].hypotheses[one.hypothesis].words}});
      }
      json["lists"].push_back({{"id", lists[i].id}, {"hypotheses", std::move(found)}});
    }
    session.print(json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  }

  std::string model_;
  std::vector<std::string> lists_;
  std::string weights_;
  std::vector<std::string> held_out_;
  std::string references_;
  std::size_t max_printed_ = 1;
};

}  // namespace

std::unique_ptr<Command> make_lm_rescore_command() {
  return std::make_unique<LmRescoreCommand>();
}

}  // namespace firth::cli
