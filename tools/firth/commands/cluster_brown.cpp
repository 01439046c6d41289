// firth cluster --method brown.
#include <firth/brown.hpp>
#include <firth/files.hpp>
#include <limits>

#include "commands/cluster_methods.hpp"

namespace firth::cli {
namespace {

class BrownMethod : public MethodOptions {
 public:
  explicit BrownMethod(std::shared_ptr<SharedSettings> settings) : settings_(std::move(settings)) {}

  ClusterMethod method() const override { return options_; }

  std::vector<std::string> shared_groups() const override { return {kRulesGroup, kCheckpointGroup}; }

  void imitate_wcluster() override { options_.marginals = BrownMarginals::unigram; }

  void declare(OptionTable& options) override {
    constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
    options.number_or<std::uint64_t>(
        "--window", "A", options_.window, {0, kMax}, {"all", kWholeVocabulary},
        "Number of clusters in the window, more than K; 0 = K + 1; all = no window. Time and memory grow with its square.");
    options.choice(
        "--variant", options_.variant,
        {{"plain", BrownVariant::plain},
         {"allsame", BrownVariant::allsame},
         {"resort", BrownVariant::resort}},
        "plain = Brown et al. 1992; allsame = words of equal frequency enter together; resort = words "
        "outside the window are sorted again every R merges (both: Ciosici 2015).");
    options.number<std::uint64_t>("--resort-every", "R", options_.resort_every, {1, kMax},
                                  "With --variant resort: merges between two sorts.");
    options.choice(
        "--resort-by", options_.resort_by,
        {{"mi", ResortBy::mi}, {"connectivity", ResortBy::connectivity}, {"frequency", ResortBy::frequency}},
        "With --variant resort: sort by mutual information with the window, by number of different "
        "neighbours, or by frequency.");
    options.choice(
        "--marginals", options_.marginals,
        {{"bigram", BrownMarginals::bigram}, {"unigram", BrownMarginals::unigram}},
        "Probabilities of single classes: left and right sums of bigrams, or unigram counts as in wcluster.");
    options.text(
        "--word-order;--order", "FILE", order_file_,
        "Words enter in the order of FILE, one per line; words that are not in it follow by frequency.");
    options.text("--trace", "FILE", trace_file_, "Write the AMI after every insertion and merge to FILE.");
    options.writes_file();
    options.number<std::uint64_t>("--check-every", "N", options_.check_every, {0, kMax},
                                  "Recompute all sums every N merges (for tests).");
    options.hide_last();
  }

  ClusterResult run(const Counts& counts, ClassId classes, Session& session, const std::string&) override {
    options_.classes = classes;
    options_.checkpoint_file = settings_->checkpoint.file;
    options_.resume = settings_->checkpoint.resume;
    options_.boundaries = settings_->search.boundaries;
    if (!settings_->search.constraints.empty())
      options_.constraints = load_constraints(settings_->search.constraints, session.run());
    if (!order_file_.empty()) {
      options_.order = load_word_order(order_file_, counts.vocabulary(), session.run());
    }
    if (trace_file_.empty()) return cluster(counts, options_, session.run());
    std::vector<BrownEvent> events;
    options_.on_event = [&events](const BrownEvent& event) { events.push_back(event); };
    ClusterResult result = cluster(counts, options_, session.run());
    if (session.is_root()) save_text(trace_file_, format_events(events));
    return result;
  }

 private:
  std::shared_ptr<SharedSettings> settings_;
  BrownOptions options_;
  std::string order_file_;
  std::string trace_file_;
};

}  // namespace

std::unique_ptr<MethodOptions> make_brown_method(std::shared_ptr<SharedSettings> settings) {
  return std::make_unique<BrownMethod>(std::move(settings));
}

}  // namespace firth::cli
