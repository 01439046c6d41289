// The outer loop of exchange clustering: a first partition, then passes until nothing moves.
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "cluster/class_count.hpp"
#include "cluster/exchange/anytime.hpp"
#include "cluster/exchange/search_checkpoint.hpp"
#include "cluster/exchange/search_context.hpp"
#include "cluster/exchange/start.hpp"
#include "firth/error.hpp"
#include "firth/exchange.hpp"

namespace firth {
namespace exchange {
namespace {

/// The best partition of all runs so far.
struct Best {
  std::vector<ClassId> class_of;
  std::int64_t objective = 0;
  std::vector<ClassId> known;  // as in its start
};

/// The runs of an exchange clustering, one after the other. The snapshot of run r is at place r + 1.
class Runs {
 public:
  Runs(SearchContext& context, const Counts& counts, const ExchangeOptions& options,
       SearchCheckpoint& checkpoint)
      : context_(context), counts_(counts), options_(options), checkpoint_(checkpoint) {}

  /// Makes all runs, or goes on where the checkpoint says.
  void run() {
    const std::optional<SearchSnapshot> snapshot = last_snapshot();
    if (snapshot) restore_best(*snapshot);
    while (run_ < options_.restarts) {
      context_.reseed(run_);
      current_.emplace(make_start(context_, counts_, options_));
      if (snapshot && !snapshot->finished && run_ + 1 == snapshot->place) {
        restore_current(*snapshot);
      } else {
        pass_ = 0;
        context_.record("start", current_->state, 0);
      }
      climb();
      keep_better();
      save(true);
      ++run_;
    }
  }

  /// The best partition, that of an unfinished run included; nothing before the first start.
  std::optional<Best> take_best() {
    keep_better();
    return std::move(best_);
  }

 private:
  std::optional<SearchSnapshot> last_snapshot() const {
    for (std::uint64_t place = options_.restarts; place > 0; --place) {
      if (auto snapshot = checkpoint_.find(place)) return snapshot;
    }
    return std::nullopt;
  }

  void restore_best(const SearchSnapshot& snapshot) {
    run_ = static_cast<std::uint32_t>(snapshot.place - 1);
    if (snapshot.finished) ++run_;
    if (!snapshot.kept.empty()) best_ = {snapshot.kept, snapshot.kept_objective, snapshot.kept_known};
    context_.restore(snapshot.context);
  }

  void restore_current(const SearchSnapshot& snapshot) {
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
    }
  }

  void keep_better() {
    if (!current_) return;
    const State& state = current_->state;
    if (!best_ || state.objective() > best_->objective) {
      best_ = {{state.class_of().begin(), state.class_of().end()}, state.objective(), current_->known};
    }
    current_.reset();
  }

  void save(bool finished) {
    if (!checkpoint_.enabled()) return;
    SearchSnapshot snapshot;
    snapshot.place = run_ + std::uint64_t{1};
    snapshot.next = pass_;
    snapshot.finished = finished;
    snapshot.classes = context_.with_boundary_class(options_.classes);
    if (best_) {
      snapshot.kept = best_->class_of;
      snapshot.kept_objective = best_->objective;
      snapshot.kept_known = best_->known;
    }
    if (current_) {
      snapshot.class_of.assign(current_->state.class_of().begin(), current_->state.class_of().end());
      snapshot.known = current_->known;
    } else {
      snapshot.class_of = best_->class_of;
    }
    snapshot.context = context_.snapshot();
    checkpoint_.put(std::move(snapshot));
    checkpoint_.forget(std::array{std::uint64_t{run_}});
  }

  SearchContext& context_;
  const Counts& counts_;
  const ExchangeOptions& options_;
  SearchCheckpoint& checkpoint_;
  std::uint32_t run_ = 0;
  std::uint32_t pass_ = 0;
  std::optional<Start> current_;
  std::optional<Best> best_;
};

/// Words that are in the same class at the end as at the start.
std::uint64_t count_kept(const Best& best, const Units& units) {
  std::uint64_t kept = 0;
  for (std::size_t i = 0; i < best.known.size(); ++i) {
    if (best.known[i] != kNoClass && best.known[i] == best.class_of[units.unit_of[i]]) ++kept;
  }
  return kept;
}

std::uint64_t fingerprint(const Counts& counts, const ExchangeOptions& options, const RunOptions& run) {
  Fingerprint print;
  print.add(std::string("exchange")).add(counts).add(std::uint64_t{options.classes});
  print.add(static_cast<std::uint64_t>(options.init))
      .add(std::uint64_t{options.passes})
      .add(options.tolerance);
  print.add(std::uint64_t{options.restarts}).add(options.constraints);
  print.add(std::uint64_t{options.boundaries ? 1U : 0U}).add(options.size_weight).add(run.seed);
  if (options.start) {
    print.add(std::string(options.start->vocabulary().bytes())).add_all(options.start->classes());
  }
  return print.value();
}

/// Makes the runs; false if they ended early.
bool make_runs(Runs& runs, SearchCheckpoint& checkpoint, const SearchEnd& end) {
  try {
    runs.run();
    checkpoint.write();
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
  if (!(options.tolerance >= 0))
    throw UsageError("the tolerance is below 0", "give 0 or more bits", "ExchangeOptions::tolerance");
  if ((options.init == ExchangeInit::given) != options.start.has_value()) {
    throw UsageError("a start from a given clustering needs the clustering, other starts do not",
                     "set both init and start, or neither", "ExchangeOptions::start");
  }
}

ClusterResult cluster_exchange(const Counts& counts, const ExchangeOptions& options, const RunOptions& run) {
  validate(options);
  const exchange::SearchProblem search_problem(
      counts, {{options.constraints, options.boundaries}, options.size_weight}, options.classes, 1, run);
  const exchange::Units& units = search_problem.units();
  std::optional<WarmStart> warm;
  if (options.start) warm = exchange::compare_words(units, counts.vocabulary(), *options.start);
  const SearchLimits& limits = options.limits;
  exchange::SearchEnd end(run, limits.finish, limits.max_seconds);
  exchange::SearchCheckpoint checkpoint(
      {limits.checkpoint_file, limits.checkpoint_seconds, limits.resume},
      limits.checkpoint_file.empty() ? 0 : exchange::fingerprint(counts, options, run), units.count);
  exchange::SearchContext context(search_problem, end.run(), &end);
  constexpr double kUsualPasses = 25;
  base::Stage stage = context.begin(
      "exchange", options.restarts * (options.passes == 0 ? kUsualPasses : options.passes), options.classes);
  exchange::Runs runs(context, counts, options, checkpoint);
  const bool complete = exchange::make_runs(runs, checkpoint, end);
  stage.end();
  const std::optional<exchange::Best> best = runs.take_best();
  if (!best) throw Cancelled();
  if (warm) warm->kept = exchange::count_kept(*best, units);
  const exchange::State state =
      context.resume(search_problem.with_boundary_class(options.classes), best->class_of);
  ClusterResult result = context.finish(state, options.tree, run);
  result.warm_start = warm;
  result.complete = complete;
  return result;
}

}  // namespace firth
