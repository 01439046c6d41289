#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>
#include <utility>

#include "cluster/class_count.hpp"
#include "cluster/exchange/search_context.hpp"
#include "firth/error.hpp"
#include "firth/exchange.hpp"

// The outer loop of exchange clustering: a first partition, then passes until nothing moves.
namespace firth {
namespace exchange {
namespace {

/// The classes of the start for the units of a run.
struct Start {
  State state;
  std::optional<WarmStart> warm;
  std::vector<ClassId> known;  // class of each word of the run at the start, kNoClass for new words
};

std::vector<ClassId> plain_start(SearchContext& context, ExchangeInit init, ClassId classes) {
  std::vector<ClassId> class_of = context.modulo(classes);
  if (init == ExchangeInit::modulo) return class_of;
  // The first K units get a class each whatever the start, so that no class is empty.
  const ClassId first = context.first_class();
  for (UnitId unit = classes - first; unit + first < class_of.size(); ++unit)
    class_of[unit] = init == ExchangeInit::random
                         ? first + static_cast<ClassId>(context.rng().below(classes - first))
                         : classes - 1;
  return class_of;
}

/// Classes of units from those of words: a unit follows its first known word.
std::vector<ClassId> look_up_units(const Units& units, const Vocabulary& words, const Clustering& given,
                                   WarmStart& warm) {
  const WordIndex index(given.vocabulary());
  std::vector<ClassId> class_of(units.count, kNoClass);
  for (std::size_t i = 0; i < units.words.size(); ++i) {
    const auto word = index.find(words.word(units.words[i]));
    ++(word ? warm.known : warm.added);
    ClassId& c = class_of[units.unit_of[i]];
    if (word && c == kNoClass) c = given.class_of(*word);
  }
  if (warm.known == 0) {
    throw UsageError("the clustering to start from has no word of the text",
                     "give one of the same language, or another ExchangeOptions::init",
                     "ExchangeOptions::start");
  }
  return class_of;
}

/// A state of the given classes; classes without a word of this text vanish, and units without a class go
/// where they fit best.
State place_given(SearchContext& context, std::vector<ClassId> class_of, ClassId given_classes) {
  std::vector<ClassId> number(given_classes, kNoClass);
  const ClassId first = context.first_class();
  ClassId found = first;
  std::vector<UnitId> unplaced;
  if (context.units().boundary) class_of.back() = 0;
  for (UnitId unit = 0; unit + first < class_of.size(); ++unit) {
    ClassId& c = class_of[unit];
    if (c == kNoClass) {
      unplaced.push_back(unit);
      continue;
    }
    if (number[c] == kNoClass) number[c] = found++;
    c = number[c];
  }
  if (unplaced.empty()) return context.start(found, std::move(class_of));
  for (const UnitId unit : unplaced) class_of[unit] = found;
  return context.place(context.resume(found + 1, std::move(class_of)), unplaced);
}

/// The state with the wanted number of classes.
State reach(SearchContext& context, State state, ClassId classes) {
  const ClassId wanted = context.with_boundary_class(classes);
  state = context.merged(std::move(state), wanted);
  while (state.classes() < wanted) {
    const ClassId before = state.classes();
    state = context.split(state, wanted);
    if (state.classes() == before) {
      throw UsageError(fmt::format("the start cannot be split into {} classes", classes),
                       "ask for fewer classes", "ExchangeOptions::classes");
    }
  }
  if (!context.units().constrained()) return state;
  return context.start(state.classes(), {state.class_of().begin(), state.class_of().end()});
}

/// Class of each word that takes part, kNoClass for words that the start did not have.
std::vector<ClassId> classes_of_known(const Units& units, const Vocabulary& words, const Clustering& given,
                                      const State& state) {
  const WordIndex index(given.vocabulary());
  std::vector<ClassId> known(units.words.size(), kNoClass);
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (index.find(words.word(units.words[i]))) known[i] = state.class_of()[units.unit_of[i]];
  }
  return known;
}

Start warm_start(SearchContext& context, const Counts& counts, const ExchangeOptions& options) {
  const Units& units = context.units();
  const Clustering& given = *options.start;
  WarmStart warm;
  std::vector<ClassId> class_of = look_up_units(units, counts.vocabulary(), given, warm);
  State state =
      reach(context, place_given(context, std::move(class_of), given.class_count()), options.classes);
  std::vector<ClassId> known = classes_of_known(units, counts.vocabulary(), given, state);
  return {std::move(state), warm, std::move(known)};
}

/// Passes until nothing moves, or nothing worth mentioning.
void climb(SearchContext& context, State& state, const ExchangeOptions& options) {
  const double bits = static_cast<double>(state.problem().total()) * std::numbers::ln2;
  for (std::uint32_t pass = 0; options.passes == 0 || pass < options.passes; ++pass) {
    const PassResult result = context.greedy_pass(state);
    context.record("exchange pass", state, result.moved);
    if (result.moved == 0 || state.tables().nats(result.gain) < options.tolerance * bits) break;
  }
}

void count_kept(const Start& start, const Units& units, WarmStart& warm) {
  for (std::size_t i = 0; i < start.known.size(); ++i) {
    if (start.known[i] != kNoClass && start.known[i] == start.state.class_of()[units.unit_of[i]]) ++warm.kept;
  }
}

Start make_start(SearchContext& context, const Counts& counts, const ExchangeOptions& options) {
  if (options.init == ExchangeInit::given) return warm_start(context, counts, options);
  const ClassId classes = context.with_boundary_class(options.classes);
  return {context.start(classes, plain_start(context, options.init, classes)), std::nullopt, {}};
}

}  // namespace
}  // namespace exchange

void validate(const ExchangeOptions& options) {
  clusters::require_classes(options.classes, "ExchangeOptions::classes");
  if (options.restarts == 0)
    throw UsageError("0 runs are asked for", "ask for at least one", "ExchangeOptions::restarts");
  exchange::check_size_weight(options.size_weight, "ExchangeOptions::size_weight");
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
  exchange::SearchContext context(search_problem, run);
  constexpr double kUsualPasses = 25;
  base::Stage stage = context.begin(
      "exchange", options.restarts * (options.passes == 0 ? kUsualPasses : options.passes), options.classes);
  std::optional<exchange::Start> best;
  for (std::uint32_t restart = 0; restart < options.restarts; ++restart) {
    context.reseed(restart);
    exchange::Start start = exchange::make_start(context, counts, options);
    context.record("start", start.state, 0);
    exchange::climb(context, start.state, options);
    if (!best || start.state.objective() > best->state.objective()) best.emplace(std::move(start));
  }
  stage.end();
  if (best->warm) exchange::count_kept(*best, context.units(), *best->warm);
  ClusterResult result = context.finish(best->state, options.tree);
  result.warm_start = best->warm;
  return result;
}

}  // namespace firth
