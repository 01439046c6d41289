// The outer loop of exchange clustering: a first partition, then passes until nothing moves.
#include <algorithm>
#include <compare>
#include <numbers>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/message.hpp"
#include "cluster/class_count.hpp"
#include "cluster/exchange/anytime.hpp"
#include "cluster/exchange/balance_state.hpp"
#include "cluster/exchange/rank_groups.hpp"
#include "cluster/exchange/search_checkpoint.hpp"
#include "cluster/exchange/search_context.hpp"
#include "cluster/exchange/search_messages.hpp"
#include "cluster/exchange/start.hpp"
#include "firth/error.hpp"
#include "firth/exchange.hpp"

namespace firth {
namespace exchange {
namespace {

/// A partition that a run has come to.
struct Found {
  std::vector<ClassId> class_of;
  std::int64_t objective = 0;
  std::vector<ClassId> known;  // as in its start
  std::uint32_t run = 0;
};

/// One run of an exchange clustering. Its snapshot is at place `number` + 1.
class Run {
 public:
  Run(SearchContext& context, const ExchangeOptions& options, SearchCheckpoint& checkpoint,
      RankGroups& groups, std::uint32_t number)
      : context_(context), options_(options), checkpoint_(checkpoint), groups_(groups), number_(number) {}

  /// From its start, or on from where the checkpoint says, to its end.
  void run(const Counts& counts) {
    context_.reseed(number_);
    current_.emplace(make_start(context_, counts, options_));
    if (const auto snapshot = checkpoint_.find(number_ + std::uint64_t{1})) {
      restore(*snapshot);
      if (snapshot->finished) return;
    } else {
      context_.record("start", current_->state, 0);
    }
    climb();
    save(true);
  }

  /// What it has found so far; nothing before its start.
  std::optional<Found> found() const {
    if (!current_) return std::nullopt;
    const State& state = current_->state;
    return Found{
        {state.class_of().begin(), state.class_of().end()}, state.objective(), current_->known, number_};
  }

 private:
  void restore(const SearchSnapshot& snapshot) {
    pass_ = static_cast<std::uint32_t>(snapshot.next);
    current_->state = context_.resume(snapshot.classes, snapshot.class_of);
    current_->known = snapshot.known;
    context_.restore(snapshot.context);
  }

  /// Passes until nothing moves, or nothing worth mentioning.
  void climb() {
    State& state = current_->state;
    const double bits = static_cast<double>(state.problem().total()) * std::numbers::ln2;
    while (options_.passes == 0 || pass_ < options_.passes) {
      const PassResult result = context_.greedy_pass(state);
      ++pass_;
      context_.record("exchange pass", state, result.moved);
      if (result.moved == 0 || state.tables().nats(result.gain) < options_.tolerance * bits) return;
      save(false);
      groups_.meet();
    }
  }

  void save(bool finished) {
    if (!checkpoint_.wants_from(context_.run())) return;
    SearchSnapshot snapshot;
    snapshot.place = number_ + std::uint64_t{1};
    snapshot.next = pass_;
    snapshot.finished = finished;
    snapshot.classes = context_.with_boundary_class(options_.classes);
    snapshot.class_of.assign(current_->state.class_of().begin(), current_->state.class_of().end());
    snapshot.known = current_->known;
    snapshot.context = context_.snapshot();
    checkpoint_.put(std::move(snapshot));
    checkpoint_.report(context_.run());
  }

  SearchContext& context_;
  const ExchangeOptions& options_;
  SearchCheckpoint& checkpoint_;
  RankGroups& groups_;
  std::uint32_t number_;
  std::uint32_t pass_ = 0;
  std::optional<Start> current_;
};

/// The runs of an exchange clustering: one after the other, or on groups of ranks at the same time.
class Runs {
 public:
  Runs(SearchContext& context, const Counts& counts, const ExchangeOptions& options,
       SearchCheckpoint& checkpoint, RankGroups& groups)
      : context_(context),
        counts_(counts),
        options_(options),
        checkpoint_(checkpoint),
        groups_(groups),
        ranks_(context.run()),
        logs_(options.restarts) {}

  /// Makes all runs, or goes on where the checkpoint says.
  void run() {
    const unsigned groups = RankGroups::count_for(ranks_, options_.restarts);
    if (groups == 1) return run_some(context_.run(), 0, 1);
    groups_.run(ranks_, groups, [&](World& world, unsigned group) {
      RunOptions run = context_.run();
      run.world = &world;
      run_some(run, group, groups);
    });
  }

  /// The best partition of all runs and ranks, those of unfinished runs included; nothing before the first start. The
  /// logs of the runs go to the log of the whole. To be called by all ranks.
  std::optional<Found> finish() {
    for (const std::vector<std::byte>& message : ranks_.gather_messages(message_of_own())) {
      base::MessageReader reader(message);
      for (std::vector<IterationStats>& log : logs_) {
        std::vector<IterationStats> lines = get_log(reader);
        if (log.empty()) log = std::move(lines);
      }
      if (reader.done()) continue;
      best_.emplace();
      reader.get_all(best_->class_of);
      reader.get_all(best_->known);
    }
    for (const std::vector<IterationStats>& log : logs_) context_.append(log);
    return std::move(best_);
  }

 private:
  /// Every `step`th run, from `first` on.
  void run_some(const RunOptions& run, unsigned first, unsigned step) {
    for (std::uint32_t number = first; number < options_.restarts; number += step) {
      SearchContext context(context_, run, step);
      Run one(context, options_, checkpoint_, groups_, number);
      const auto keep = [&] {
        if (std::optional<Found> found = one.found()) keep_better(std::move(*found));
        logs_[number] = context.history();
      };
      try {
        one.run(counts_);
      } catch (const Cancelled&) {
        keep();
        throw;
      }
      keep();
    }
  }

  void keep_better(Found found) {
    if (!best_ || found.objective > best_->objective) best_ = std::move(found);
  }

  /// Whether the best partition of this rank is that of all.
  bool has_best() const {
    struct Offer {
      bool any;
      std::int64_t objective;
      std::int64_t earliness;  // of two that are as good, the one of the earlier run
      auto operator<=>(const Offer&) const = default;
    };
    std::vector<Offer> offers(ranks_.size());
    if (best_) offers[ranks_.rank()] = {true, best_->objective, -std::int64_t{best_->run}};
    ranks_.gather(std::span(offers));
    return best_ && std::ranges::max_element(offers) - offers.begin() == ranks_.rank();
  }

  /// The logs of its runs, and the best partition if it is here.
  std::vector<std::byte> message_of_own() const {
    base::MessageWriter writer;
    for (const std::vector<IterationStats>& log : logs_) put_log(writer, log);
    if (has_best()) {
      writer.put_all(best_->class_of);
      writer.put_all(best_->known);
    }
    return writer.take();
  }

  SearchContext& context_;
  const Counts& counts_;
  const ExchangeOptions& options_;
  SearchCheckpoint& checkpoint_;
  RankGroups& groups_;
  base::Ranks ranks_;
  std::vector<std::vector<IterationStats>> logs_;  // by run
  std::optional<Found> best_;
};

/// Words that are in the same class at the end as at the start.
std::uint64_t count_kept(const Found& best, const Units& units) {
  std::uint64_t kept = 0;
  for (std::size_t i = 0; i < best.known.size(); ++i) {
    if (best.known[i] != kNoClass && best.known[i] == best.class_of[units.unit_of[i]]) ++kept;
  }
  return kept;
}

/// Needed for a checkpoint, and by ranks, which must be about to do the same.
std::uint64_t exchange_fingerprint(const Counts& counts, const ExchangeOptions& options,
                                   const RunOptions& run) {
  if (options.limits.checkpoint_file.empty() && base::Ranks(run).alone()) return 0;
  base::Fingerprint print;
  print.add(std::string_view("exchange"));
  add_counts(print, counts, base::Ranks(run));
  print.add(std::uint64_t{options.classes})
      .add(static_cast<std::uint64_t>(options.init))
      .add(std::uint64_t{options.passes})
      .add(options.tolerance)
      .add(std::uint64_t{options.restarts});
  add_constraints(print, options.constraints);
  print.add(std::uint64_t{options.boundaries ? 1U : 0U}).add(options.size_weight).add(run.seed);
  if (options.start) {
    print.add(options.start->vocabulary().bytes()).add_all(options.start->classes());
  }
  return print.value();
}

/// Makes the runs; false if they ended early.
bool make_runs(Runs& runs, SearchCheckpoint& checkpoint, SearchEnd& end) {
  try {
    runs.run();
    checkpoint.write();
    end.check_complete();
    return true;
  } catch (const Cancelled&) {
    checkpoint.write();
    if (!end.ended_early()) throw;
    return false;
  }
}

}  // namespace
}  // namespace exchange

void validate(const ExchangeOptions& options) {
  clusters::require_classes(options.classes, "ExchangeOptions::classes");
  if (options.restarts == 0)
    throw UsageError("0 runs are asked for", "ask for at least one", "ExchangeOptions::restarts");
  exchange::check_size_weight(options.size_weight, "ExchangeOptions::size_weight");
  exchange::check_limits(options.limits);
  validate(options.sizes);
  if (!(options.tolerance >= 0))
    throw UsageError("the tolerance is below 0", "give 0 or more bits", "ExchangeOptions::tolerance");
  if ((options.init == ExchangeInit::given) != options.start.has_value()) {
    throw UsageError("a start from a given clustering needs the clustering, other starts do not",
                     "set both init and start, or neither", "ExchangeOptions::start");
  }
}

ClusterResult cluster_exchange(const Counts& counts, const ExchangeOptions& options, const RunOptions& run) {
  validate(options);
  exchange::require_lists_for(options.sizes, run);
  const exchange::SearchProblem search_problem(
      counts, {{options.constraints, options.boundaries}, options.size_weight}, options.classes, 1, run);
  const exchange::Units& units = search_problem.units();
  std::optional<WarmStart> warm;
  if (options.start) warm = exchange::compare_words(units, counts.vocabulary(), *options.start);
  const SearchLimits& limits = options.limits;
  exchange::SearchEnd end(run, limits.finish, limits.max_seconds);
  const std::uint64_t print = exchange::exchange_fingerprint(counts, options, run);
  exchange::require_same_work(print, base::Ranks(run));
  exchange::SearchCheckpoint checkpoint(limits, print, search_problem.shape(options.classes),
                                        base::Ranks(run));
  exchange::SearchContext context(search_problem, end.run(), &end);
  constexpr double kUsualPasses = 25;
  base::Stage stage = context.begin(
      "exchange", options.restarts * (options.passes == 0 ? kUsualPasses : options.passes), options.classes);
  exchange::RankGroups groups(run, end, checkpoint);
  exchange::Runs runs(context, counts, options, checkpoint, groups);
  const bool complete = exchange::make_runs(runs, checkpoint, end);
  stage.end();
  const std::optional<exchange::Found> best = runs.finish();
  if (!best) throw Cancelled();
  if (warm) warm->kept = exchange::count_kept(*best, units);
  exchange::State state = context.resume(search_problem.with_boundary_class(options.classes), best->class_of);
  std::optional<double> free_bits;
  if (options.sizes.limited()) {
    free_bits = exchange::word_ami_bits(search_problem, state);
    state = exchange::balanced(search_problem, std::move(state), options.sizes, run);
  }
  ClusterResult result = context.finish(state, options.tree, run);
  result.free_ami_bits = free_bits;
  result.warm_start = warm;
  result.complete = complete;
  return result;
}

}  // namespace firth
