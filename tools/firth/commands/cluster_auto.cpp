// firth cluster --method auto and --method exchange.
#include <fmt/format.h>

#include <algorithm>
#include <firth/auto.hpp>
#include <firth/brown.hpp>
#include <firth/error.hpp>
#include <firth/exchange.hpp>
#include <limits>

#include "commands/cluster_methods.hpp"
#include "shared_options.hpp"

namespace firth::cli {
namespace {

/// What --init says: a word, or a clustering to start from.
void set_start(const std::string& init, const Counts& counts, ExchangeOptions& options,
               const RunOptions& run) {
  if (init == "frequency") {
    options.init = ExchangeInit::frequency;
  } else if (init == "modulo") {
    options.init = ExchangeInit::modulo;
  } else if (init == "random") {
    options.init = ExchangeInit::random;
  } else if (init == "brown") {
    options.init = ExchangeInit::given;
    BrownOptions brown;
    brown.classes = options.classes;
    options.start = cluster_brown(counts, brown, run).clustering;
  } else {
    options.init = ExchangeInit::given;
    options.start = load_clustering(init, ClusterFormat::automatic, run);
  }
}

void report_start(const std::string& init, const ClusterResult& result, Session& session) {
  if (!result.warm_start) return;
  const WarmStart& warm = *result.warm_start;
  session.say(fmt::format("start from {}: {} of {} words kept their class, {} words are new", init, warm.kept,
                          warm.known, warm.added));
}

/// The first Ctrl-C ends the search, which then hands over what it has found; the second ends the process.
RunOptions without_stop(RunOptions run) {
  run.stop = {};
  return run;
}

ClusterResult run_exchange(const Counts& counts, const std::string& init, ExchangeOptions options,
                           Session& session) {
  set_start(init, counts, options, session.run());
  ClusterResult result = cluster(counts, options, without_stop(session.run()));
  report_start(init, result, session);
  return result;
}

/// What the options of both methods have in common.
template <class Options>
void apply(const SharedSettings& settings, ClassId classes, const Session& session, Options& options) {
  const SearchSettings& search = settings.search;
  options.classes = classes;
  if (!search.constraints.empty())
    options.constraints = load_constraints(search.constraints, session.run());
  else
    options.constraints = {};
  options.boundaries = search.boundaries;
  options.size_weight = search.size_weight;
  options.sizes = settings.class_sizes();
  options.limits.max_seconds = search.max_seconds;
  options.limits.finish = session.run().stop;
  options.limits.checkpoint_file = settings.checkpoint.file;
  options.limits.resume = settings.checkpoint.resume;
}

class AutoMethod : public MethodOptions {
 public:
  explicit AutoMethod(std::shared_ptr<SharedSettings> settings) : settings_(std::move(settings)) {}

  ClusterMethod method() const override {
    if (!settings_->search.init.empty()) return ExchangeOptions{};
    return options_;
  }
  std::vector<std::string> shared_groups() const override {
    return {kSearchGroup, kRulesGroup, kCheckpointGroup, kSizeGroup};
  }

  void declare(OptionTable& options) override {
    options.choice(
        "--effort", options_.effort,
        {{"fast", SearchEffort::fast},
         {"normal", SearchEffort::normal},
         {"high", SearchEffort::high},
         {"max", SearchEffort::max}},
        "How long to search. On 1 million words and 200 classes: about 1, 4, 8 seconds, and minutes. high begins with all that normal does, max with all that high does: neither finds less.");
    options.group(kSearchGroup);
    options.text(
        "--init", "START", settings_->search.init,
        "Start of the exchange: frequency, modulo, random, brown, or a clustering in any format (a folder of firth cluster, paths, classes ...) to refine or to apply to new text. With --method auto, exchange from this start replaces the search.");
    options.field_of_last("ExchangeOptions::init");
    options.real(
        "--size-weight", "W", settings_->search.size_weight, {0, 4},
        "Weight of a prior that sends rare words to large classes. For language models, use 1 to 1.5 together with --boundaries; the AMI is lower.");
    options.numbers<ClassId>(
        "--flat-cuts", "K,K...", settings_->search.cuts, {1, 1u << 30},
        "Also write flat clusterings with K classes, each refined, into DIR as flat-K.tsv: better than cuts of the tree, but not nested.");
    options.duration(
        "--time", settings_->search.max_seconds,
        "End the search after this time with the best classes found so far (90s, 2m, 1h). Ctrl-C does "
        "the same.");
    options.group(kSizeGroup);
    options.text(
        "--class-size", "SIZE", settings_->sizes,
        "Limit the sizes of classes: max=N = at most N words; equal = sizes differ by at most one word; max-tokens=N, equal-tokens = the same for tokens instead of words (words above the average have a class of their own). A word enters a full class by swapping places with another.");
    options.field_of_last("ClassSizes::max");
    options.group(kRulesGroup);
    options.text(
        "--constraints", "FILE", settings_->search.constraints,
        "File of words that must share a class, must not share one, belong to a seed class, or are not clustered; see docs/constraints.md.");
    options.flag(
        "--boundaries", settings_->search.boundaries,
        "Treat line ends as neighbours, in a class of their own that is not written. The classes are better for language models; the AMI between words is lower.");
    options.group(kCheckpointGroup);
    declare_checkpoint_options(options, settings_->checkpoint);
  }

  ClusterResult run(const Counts& counts, ClassId classes, Session& session,
                    const std::string& folder) override {
    ClusterResult result = search(counts, classes, session);
    write_flat_cuts(counts, result.clustering, settings_->search, session, folder);
    return result;
  }

 private:
  ClusterResult search(const Counts& counts, ClassId classes, Session& session) {
    if (!settings_->search.init.empty()) {
      ExchangeOptions options;
      apply(*settings_, classes, session, options);
      return run_exchange(counts, settings_->search.init, std::move(options), session);
    }
    apply(*settings_, classes, session, options_);
    return cluster(counts, options_, without_stop(session.run()));
  }

 public:
  static void write_flat_cuts(const Counts& counts, const Clustering& clustering,
                              const SearchSettings& settings, Session& session, const std::string& folder) {
    if (settings.cuts.empty()) return;
    const std::vector<Clustering> flat =
        refine_cuts(counts, clustering, settings.cuts, without_stop(session.run()));
    for (std::size_t i = 0; i < flat.size() && session.is_root(); ++i) {
      save_clustering(fmt::format("{}/flat-{}.tsv", folder, settings.cuts[i]), flat[i],
                      ClusterFormat::classes);
    }
  }

 private:
  std::shared_ptr<SharedSettings> settings_;
  AutoOptions options_;
};

class ExchangeMethod : public MethodOptions {
 public:
  explicit ExchangeMethod(std::shared_ptr<SharedSettings> settings) : settings_(std::move(settings)) {}

  ClusterMethod method() const override { return options_; }
  std::vector<std::string> shared_groups() const override {
    return {kSearchGroup, kRulesGroup, kCheckpointGroup, kSizeGroup};
  }

  void declare(OptionTable& options) override {
    constexpr std::uint32_t kMaxPasses = std::numeric_limits<std::uint32_t>::max();
    options.number<std::uint32_t>("--passes", "N", options_.passes, {0, kMaxPasses},
                                  "Maximum number of passes over all words; 0 = until no word moves.");
    options.real("--tolerance", "BITS", options_.tolerance, {0, 1},
                 "Stop when a pass gains less than this many bits of AMI.");
    options.number<std::uint32_t>("--restarts", "N", options_.restarts, {1, 1u << 20},
                                  "Number of runs with different random numbers; the best is kept.");
  }

  ClusterResult run(const Counts& counts, ClassId classes, Session& session,
                    const std::string& folder) override {
    apply(*settings_, classes, session, options_);
    ClusterResult result = run_exchange(
        counts, settings_->search.init.empty() ? "modulo" : settings_->search.init, options_, session);
    AutoMethod::write_flat_cuts(counts, result.clustering, settings_->search, session, folder);
    return result;
  }

 private:
  std::shared_ptr<SharedSettings> settings_;
  ExchangeOptions options_;
};

}  // namespace

std::unique_ptr<MethodOptions> make_auto_method(std::shared_ptr<SharedSettings> settings) {
  return std::make_unique<AutoMethod>(std::move(settings));
}

std::unique_ptr<MethodOptions> make_exchange_method(std::shared_ptr<SharedSettings> settings) {
  return std::make_unique<ExchangeMethod>(std::move(settings));
}

}  // namespace firth::cli
