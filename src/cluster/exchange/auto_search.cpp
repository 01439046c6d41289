#include "firth/auto.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include "cluster/class_count.hpp"
#include "cluster/exchange/anytime.hpp"
#include "cluster/exchange/balance_state.hpp"
#include "cluster/exchange/overlap.hpp"
#include "cluster/exchange/rank_groups.hpp"
#include "cluster/exchange/search_checkpoint.hpp"
#include "cluster/exchange/search_context.hpp"
#include "cluster/exchange/search_messages.hpp"
#include "cluster/exchange/search_program.hpp"
#include "firth/error.hpp"

// The search behind cluster_auto(): runs the programs of a plan, step by step.
namespace firth {
namespace exchange {
namespace {

using Partition = std::vector<ClassId>;

/// A greedy pass that moves fewer than one of this many units is the last of its stage: more of them gain next to
/// nothing.
constexpr std::uint64_t kFewMoves = 100;

Partition partition_of(const State& state) {
  return {state.class_of().begin(), state.class_of().end()};
}

/// What all searches of a run share.
struct Job {
  ClassId classes;  // with that of the line ends
  const SearchPlan& plan;
  SearchCheckpoint& checkpoint;
  BestPartition& best;
  SearchEnd& end;
  RankGroups& groups;
};

/// One search of a run. Large because its steps follow one plan and share one state of the search; a checkpoint
/// must be able to enter at any of them.
class Search {
 public:
  /// `place` numbers the searches of a run from 1, as the nodes of a tree: 2n and 2n + 1 are the parts of n.
  Search(SearchContext& context, const Job& job, std::size_t level, std::uint64_t place)
      : context_(context), job_(job), level_(level), place_(place), program_(job.plan[level]) {
    context.reseed(random_stream(job.plan.size(), place));
  }

  State run() {
    if (const auto snapshot = job_.checkpoint.find(place_)) restore(*snapshot);
    while (next_ < program_.steps.size()) {
      const SearchStep& step = program_.steps[next_++];
      run_step(step);
      after_step(step);
    }
    require_wanted_classes();
    save(true);
    return std::move(*state_);
  }

 private:
  using Pair = std::array<Partition, 2>;

  void run_step(const SearchStep& step) {
    switch (step.kind) {
      case StepKind::start:
        return start(classes_times(step.value));
      case StepKind::merge:
        return merge_to(classes_times(step.value));
      case StepKind::merge_halfway:
        return merge_to(std::max(job_.classes, (state_->classes() + job_.classes) / 2));
      case StepKind::greedy:
      case StepKind::heat:
        return pass(step);
      case StepKind::keep:
        failures_ = 0;
        return keep();
      case StepKind::restore_if_worse:
        return restore_if_worse();
      case StepKind::parts:
        return run_parts();
      case StepKind::combine:
        return combine(step);
      case StepKind::combine_end:
        context_.record("combine", *state_, 0);
        if (state_->objective() <= kept_objective_) return_to_kept();
        return;
      case StepKind::split:
        state_ = context_.split(*state_, classes_times(step.value));
        return;
      case StepKind::cycle_end:
        return end_cycle(step);
    }
  }

  ClassId classes_times(double ratio) const {
    return context_.capped(std::max(ratio * job_.classes, 1.0 * job_.classes));
  }

  void start(ClassId classes) { state_ = context_.start(classes, context_.modulo(classes)); }

  void merge_to(ClassId classes) {
    if (state_->classes() <= classes) return;
    state_ = context_.merged(std::move(*state_), classes);
    context_.record("merge", *state_, 0);
  }

  void pass(const SearchStep& step) {
    const bool greedy = step.kind == StepKind::greedy;
    const PassResult result =
        greedy ? context_.greedy_pass(*state_) : context_.heat_pass(*state_, step.value);
    if (step.logged) context_.record(greedy ? "exchange pass" : "heat-bath pass", *state_, result.moved);
    if (greedy && result.moved * kFewMoves <= context_.units().count) next_ += step.skip;
  }

  /// Steps leave the wanted number of classes behind; a checkpoint that was made up may not.
  void require_wanted_classes() const {
    if (state_->classes() != job_.classes) job_.checkpoint.damaged();
  }

  void keep() {
    require_wanted_classes();
    kept_ = partition_of(*state_);
    kept_objective_ = state_->objective();
  }

  void return_to_kept() {
    if (kept_.empty()) job_.checkpoint.damaged();
    state_ = context_.resume(job_.classes, kept_);
  }

  void restore_if_worse() {
    if (state_->objective() < kept_objective_) return_to_kept();
  }

  /// Two searches side by side: each is too short a piece of work to gain much from threads.
  void run_parts() {
    const base::Ranks ranks(context_.run());
    if (RankGroups::count_for(ranks, 2) == 2) return run_parts_on_groups(ranks);
    // Ranks that cannot be parted search together, one part after the other.
    const bool room = ranks.alone() && !job_.groups.apart() &&
                      context_.search_problem().has_room_for(searches_beside(), context_.run());
    base::Team team(room ? context_.run().threads : 1);
    std::array<std::vector<IterationStats>, 2> logs;
    RunOptions silent = context_.run();
    if (room) silent.threads = std::max(1U, team.size() / 2);
    silent.progress = nullptr;
    RunOptions reporting = silent;
    reporting.progress = context_.run().progress;
    std::atomic<std::size_t> next = 0;
    team.run([&](unsigned thread) {
      for (std::size_t i = next++; i < found_.size(); i = next++) {
        // Gone before the other part begins on the same thread: what it holds to make moves is large.
        SearchContext context(context_, thread == 0 ? reporting : silent);
        found_[i] = partition_of(Search(context, job_, level_ - 1, part(i)).run());
        logs[i].assign(context.history().begin(), context.history().end());
      }
    });
    for (const auto& log : logs) context_.append(log);
  }

  /// Searches at the same time if all parts of this depth ran side by side: 2 of the first combination, 4 below.
  unsigned searches_beside() const { return 1U << std::bit_width(place_); }

  /// Each half of the ranks makes one of the two searches and tells the other what it has found.
  void run_parts_on_groups(const base::Ranks& ranks) {
    base::MessageWriter writer;
    job_.groups.run(ranks, 2, [&](World& world, unsigned group) {
      RunOptions run = context_.run();
      run.world = &world;
      SearchContext context(context_, run, 2);
      const Partition found = partition_of(Search(context, job_, level_ - 1, part(group)).run());
      if (world.rank() != 0) return;
      writer.put_all(found);
      put_log(writer, context.history());
    });
    auto found = found_.begin();
    for (const std::vector<std::byte>& message : ranks.gather_messages(writer.take())) {
      if (message.empty()) continue;
      base::MessageReader reader(message);
      reader.get_all(*found++);
      context_.append(get_log(reader));
    }
  }

  std::uint64_t part(std::size_t i) const { return 2 * place_ + i; }

  /// The classes on which two partitions agree, with the rest merged into them: better than either.
  void combine(const SearchStep& step) {
    if (found_[0].empty()) job_.checkpoint.damaged();  // it says to go on without the parts
    State first = context_.resume(job_.classes, found_[0]);
    State second = context_.resume(job_.classes, found_[1]);
    State& better = first.objective() >= second.objective() ? first : second;
    parts_objective_ = better.objective();
    std::optional<State> both;
    const bool same = same_partition(found_[0], found_[1]);
    if (!same) {
      both = context_.overlap(found_[0], found_[1], context_.capped(kCombineRatio * job_.classes));
    }
    if (!both) {
      state_ = std::move(better);
      // Two long searches that agree are hardly wrong.
      next_ = same && level_ > 1 ? program_.steps.size() : next_ + step.skip;
      return;
    }
    kept_ = partition_of(better);
    kept_objective_ = better.objective();
    state_ = std::move(both);
    context_.record("overlap", *state_, 0);
  }

  void end_cycle(const SearchStep& step) {
    const auto gained = static_cast<double>(kept_objective_ - parts_objective_);
    const std::int64_t gain = state_->objective() - kept_objective_;
    const bool better = gain > 0;
    context_.record(better ? "cycle kept" : "cycle dropped", *state_, 0);
    const int failures = failures_ + 1;
    if (better) {
      keep();
    } else {
      return_to_kept();
    }
    failures_ = better && static_cast<double>(gain) >= step.value * gained ? 0 : failures;
    if (failures_ >= step.max_failures) next_ += step.skip;
  }

  void after_step(const SearchStep& step) {
    if (step.kind == StepKind::parts) return;
    if (step.kind == StepKind::greedy || step.kind == StepKind::heat) {
      job_.best.offer(*state_);
      save(false);
      job_.groups.meet();
    }
    if (step.kind == StepKind::combine) {
      save(false);
      if (job_.checkpoint.wants_from(context_.run())) job_.checkpoint.forget(std::array{part(0), part(1)});
    }
  }

  void save(bool finished) {
    if (!job_.checkpoint.wants_from(context_.run())) return;
    SearchSnapshot snapshot;
    snapshot.place = place_;
    snapshot.next = next_;
    snapshot.finished = finished;
    snapshot.classes = state_->classes();
    snapshot.failures = static_cast<std::uint32_t>(failures_);
    snapshot.kept_objective = kept_objective_;
    snapshot.parts_objective = parts_objective_;
    snapshot.class_of = partition_of(*state_);
    snapshot.kept = kept_;
    snapshot.context = context_.snapshot();
    job_.checkpoint.put(std::move(snapshot));
    job_.checkpoint.report(context_.run());
  }

  void restore(const SearchSnapshot& snapshot) {
    if (snapshot.next > program_.steps.size()) job_.checkpoint.damaged();
    next_ = snapshot.next;
    failures_ = static_cast<int>(snapshot.failures);
    kept_objective_ = snapshot.kept_objective;
    parts_objective_ = snapshot.parts_objective;
    kept_ = snapshot.kept;
    state_ = context_.resume(snapshot.classes, snapshot.class_of);
    context_.restore(snapshot.context);
  }

  SearchContext& context_;
  const Job& job_;
  std::size_t level_;
  std::uint64_t place_;
  const SearchProgram& program_;
  std::size_t next_ = 0;  // step
  std::optional<State> state_;
  Pair found_;  // by the parts
  Partition kept_;
  std::int64_t kept_objective_ = 0;
  std::int64_t parts_objective_ = 0;  // of the better part
  int failures_ = 0;
};

/// A snapshot names its step by number: it means nothing to another plan, such as that of another version.
void add_plan(base::Fingerprint& print, const SearchPlan& plan) {
  for (const SearchProgram& program : plan) {
    print.add(std::uint64_t{program.steps.size()});
    for (const SearchStep& step : program.steps) {
      print.add(static_cast<std::uint64_t>(step.kind)).add(step.value).add(std::uint64_t{step.skip});
      print.add(static_cast<std::uint64_t>(step.max_failures));
    }
  }
}

/// Needed for a checkpoint, and by ranks, which must be about to do the same.
std::uint64_t auto_fingerprint(const Counts& counts, const AutoOptions& options, const RunOptions& run) {
  if (options.limits.checkpoint_file.empty() && base::Ranks(run).alone()) return 0;
  base::Fingerprint print;
  print.add(std::string_view("auto"));
  add_counts(print, counts, base::Ranks(run));
  print.add(std::uint64_t{options.classes}).add(static_cast<std::uint64_t>(options.effort));
  add_plan(print, plan_for(options.effort));
  add_constraints(print, options.constraints);
  return print.add(std::uint64_t{options.boundaries ? 1U : 0U})
      .add(options.size_weight)
      .add(run.seed)
      .value();
}

/// The result of the whole search, or nothing if it ended early.
std::optional<State> run_search(SearchContext& context, const Job& job) {
  try {
    State state = Search(context, job, job.plan.size() - 1, 1).run();
    job.checkpoint.write();
    job.end.check_complete();
    return state;
  } catch (const Cancelled&) {
    job.checkpoint.write();
    job.best.agree(base::Ranks(context.run()));
    if (!job.end.ended_early() || job.best.empty()) throw;
    return std::nullopt;
  }
}

/// The best partition so far, brought to the wanted number of classes.
State best_so_far(const SearchProblem& search_problem, const BestPartition& best, ClassId classes,
                  const RunOptions& run) {
  SearchContext context(search_problem, run);
  return context.merged(context.resume(best.classes(), best.class_of()), classes);
}

}  // namespace
}  // namespace exchange

void validate(const AutoOptions& options) {
  clusters::require_classes(options.classes, "AutoOptions::classes");
  exchange::check_size_weight(options.size_weight, "AutoOptions::size_weight");
  exchange::check_limits(options.limits);
  validate(options.sizes);
}

ClusterResult cluster_auto(const Counts& counts, const AutoOptions& options, const RunOptions& run) {
  validate(options);
  exchange::require_lists_for(options.sizes, run);
  const exchange::SearchPlan plan = exchange::plan_for(options.effort);
  const exchange::SearchProblem search_problem(
      counts, {{options.constraints, options.boundaries}, options.size_weight}, options.classes,
      exchange::max_class_ratio(), run);
  const ClassId classes = search_problem.with_boundary_class(options.classes);
  exchange::SearchEnd end(run, options.limits.finish, options.limits.max_seconds);
  exchange::BestPartition best(classes);
  const SearchLimits& limits = options.limits;
  const std::uint64_t print = exchange::auto_fingerprint(counts, options, run);
  exchange::require_same_work(print, base::Ranks(run));
  exchange::SearchCheckpoint checkpoint(limits, print, search_problem.shape(options.classes),
                                        base::Ranks(run));
  exchange::RankGroups groups(run, end, checkpoint);
  exchange::SearchContext context(search_problem, end.run(), &end);
  base::Stage stage = context.begin("search", exchange::weighted_passes(plan), options.classes);
  std::optional<exchange::State> state =
      exchange::run_search(context, {classes, plan, checkpoint, best, end, groups});
  stage.end();
  const bool complete = state.has_value();
  if (!complete) state = exchange::best_so_far(search_problem, best, classes, run);
  std::optional<double> free_bits;
  if (options.sizes.limited()) {
    free_bits = exchange::word_ami_bits(search_problem, *state);
    state = exchange::balanced(search_problem, std::move(*state), options.sizes, run);
  }
  ClusterResult result = context.finish(*state, options.tree, run);
  result.free_ami_bits = free_bits;
  result.complete = complete;
  return result;
}

}  // namespace firth
