// The outer loop: words enter, two clusters merge, until one cluster is left.
#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <utility>

#include "base/stage.hpp"
#include "cluster/brown/checkpoint.hpp"
#include "cluster/brown/entry_plan.hpp"
#include "cluster/brown/memory_plan.hpp"
#include "cluster/brown/recorder.hpp"
#include "cluster/brown/replay.hpp"
#include "cluster/brown/step_estimate.hpp"
#include "cluster/brown/unit_input.hpp"
#include "cluster/class_count.hpp"
#include "cluster/objective.hpp"
#include "firth/brown.hpp"
#include "firth/error.hpp"

namespace firth {
namespace brown {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::vector<std::uint32_t> rank_words(std::span<const WordId> order) {
  std::vector<std::uint32_t> rank(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  return rank;
}

std::unique_ptr<EntryPlan> make_entry_plan(const EntryContext& context, const EngineSizes& sizes) {
  switch (context.options.variant) {
    case BrownVariant::allsame:
      return make_grouped_entry(context, sizes);
    case BrownVariant::resort:
      return make_resorted_entry(context, sizes);
    case BrownVariant::plain:
      break;
  }
  return make_plain_entry(context, sizes);
}

/// One run over one set of counts.
class Run {
 public:
  Run(const UnitInput& units, const BrownOptions& options, const RunOptions& run)
      : units_(units),
        options_(options),
        run_(run),
        order_(units.order),
        rank_(rank_words(order_)),
        terms_(units.counts, options.marginals, run.threads),
        recorder_(terms_, static_cast<std::uint32_t>(order_.size()), options.on_event),
        checkpointer_(units.counts, options, order_),
        replay_(recorder_, options.checkpoint_file) {
    if (units.line_ends) recorder_.add_line_end();
  }

  MergeTree cluster() {
    const EngineSizes sizes = plan_memory(units_.counts, options_, order_, terms_, run_);
    if (auto checkpoint = checkpointer_.load()) {
      order_ = std::move(checkpoint->order);
      replay_.set_merges(std::move(checkpoint->merges));
    }
    try {
      merge_all(sizes);
    } catch (const Cancelled&) {
      if (!replay_.active()) checkpointer_.save(order_, recorder_.merges(), run_);
      throw;
    }
    return recorder_.finish();
  }

 private:
  void merge_all(const EngineSizes& sizes) {
    const PairCounts transposed = units_.counts.bigrams().transposed();
    const EngineInput input{units_.counts, transposed, terms_, rank_, units_.apart, units_.line_ends};
    const auto plan = make_entry_plan({input, options_, run_, order_, recorder_, replay_}, sizes);
    enter_all(*plan, StepEstimate(input, options_, sizes));
    merge_to_one(plan->finish());
  }

  void enter_all(EntryPlan& plan, StepEstimate steps) {
    const base::Stage stage(run_, "clustering", "steps", steps.total());
    while (plan.step()) {
      after_merge(plan.engine());
      show(stage, steps.done(recorder_, order_));
    }
  }

  void merge_to_one(WindowEngine& engine) {
    const auto pairs = [&] { return std::uint64_t{engine.live()} * engine.live(); };
    const std::uint64_t all = pairs();
    const base::Stage stage(run_, "hierarchy", "pairs", all);
    while (engine.live() > 1) {
      if (engine.live() == options_.classes) engine.open_all();  // constraints are about classes
      replay_.merge(engine);
      after_merge(engine);
      show(stage, all - pairs());
    }
  }

  void after_merge(MergeEngine& engine) {
    run_.check_stop();
    if (options_.check_every > 0 && recorder_.merges().size() % options_.check_every == 0) engine.check();
    if (!replay_.active() && checkpointer_.is_due()) checkpointer_.save(order_, recorder_.merges(), run_);
  }

  void show(const base::Stage& stage, std::uint64_t done) {
    if (seconds_since(shown_) < 0.1) return;
    stage.advance(done, [&] {
      return fmt::format("{} words, AMI {:.4f}", recorder_.inserted_words(), recorder_.ami_bits());
    });
    shown_ = Clock::now();
  }

  const UnitInput& units_;
  const BrownOptions& options_;
  const RunOptions& run_;
  std::vector<WordId> order_;
  std::vector<std::uint32_t> rank_;  ///< by word: its place in the order at the start
  ObjectiveTerms terms_;
  Recorder recorder_;
  Checkpointer checkpointer_;
  Replay replay_;
  Clock::time_point shown_ = Clock::now();
};

/// AMI when `classes` clusters are left; the tree has it after every merge but not before the first.
double ami_at(const Counts& counts, const BrownOptions& options, const MergeTree& tree) {
  const std::size_t merges = tree.leaves - options.classes;
  if (merges > 0) return tree.merges[merges - 1].ami_bits;
  const ObjectiveTerms terms(counts, options.marginals, 1);
  Score objective = 0;
  for (const Count count : counts.bigrams().counts()) objective += terms.h(count);
  const auto left = counts.bigrams().left_marginals();
  const auto right = counts.bigrams().right_marginals();
  for (WordId word = 0; word < tree.leaves; ++word)
    objective -=
        terms.weigh(static_cast<double>(left[word]), ObjectiveTerms::ln(terms.left_marginal(word))) +
        terms.weigh(static_cast<double>(right[word]), ObjectiveTerms::ln(terms.right_marginal(word)));
  return terms.ami_bits(objective, counts.bigrams().total());
}

/// The AMI that is reported is that of the words, whatever was maximised.
double ami_of_words(const Counts& counts, const UnitInput& units, const Clustering& clustering) {
  std::vector<ClassId> classes(counts.vocabulary().size(), kNoClass);
  for (WordId i = 0; i < units.words.size(); ++i) classes[units.words[i]] = clustering.class_of(i);
  return clusters::ami_bits(
      clusters::class_bigrams(counts.bigrams(), classes, static_cast<ClassId>(clustering.class_count())));
}

}  // namespace
}  // namespace brown

void validate(const BrownOptions& options) {
  clusters::require_classes(options.classes, "BrownOptions::classes");
  if (options.window != 0 && options.window <= options.classes)
    throw UsageError(
        fmt::format("a window of {} is too small for {} classes", options.window, options.classes),
        fmt::format("it must be at least {}", std::uint64_t{options.classes} + 1), "BrownOptions::window");
  if (options.window != 0 && options.variant == BrownVariant::allsame)
    throw UsageError("the variant allsame has no fixed window", "leave the window out",
                     "BrownOptions::window");
  if (options.variant == BrownVariant::allsame && (options.boundaries || !options.constraints.empty()))
    throw UsageError("the variant allsame knows neither line ends nor constraints", "use plain or resort",
                     "BrownOptions::variant");
  if (options.resort_every == 0)
    throw UsageError("sorting again every 0 merges makes no sense", "ask for at least 1",
                     "BrownOptions::resort_every");
  if (options.resume && options.checkpoint_file.empty())
    throw UsageError("there is no checkpoint to resume from", "name the checkpoint file",
                     "BrownOptions::checkpoint_file");
}

ClusterResult cluster_brown(const Counts& counts, const BrownOptions& options, const RunOptions& run) {
  validate(options);
  const auto start = brown::Clock::now();
  const brown::UnitInput units = brown::make_unit_input(counts, options);
  const MergeTree tree = brown::Run(units, options, run).cluster();
  ClusterResult result;
  result.clustering = units.cluster_words(tree, options.classes);
  result.clustering.learn_class_bigrams(counts);
  result.ami_bits = units.line_ends ? brown::ami_of_words(counts, units, result.clustering)
                                    : brown::ami_at(units.counts, options, tree);
  result.iterations.push_back({"brown", options.classes, result.clustering.word_count(), result.ami_bits,
                               brown::seconds_since(start)});
  return result;
}

}  // namespace firth
