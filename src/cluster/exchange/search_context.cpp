#include "cluster/exchange/search_context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/memory_limit.hpp"
#include "base/stage.hpp"
#include "cluster/class_count.hpp"
#include "cluster/exchange/merge.hpp"
#include "cluster/exchange/overlap.hpp"
#include "cluster/exchange/split.hpp"
#include "cluster/objective.hpp"
#include "counts/fingerprint_counts.hpp"
#include "counts/share_counts.hpp"
#include "firth/build_tree.hpp"
#include "firth/error.hpp"

namespace firth::exchange {
namespace {

Units checked_units(const Counts& counts, const UnitOptions& options, ClassId classes) {
  Units units = make_units(counts.vocabulary(), options);
  const std::size_t available = units.count - (units.boundary ? 1 : 0);
  clusters::require_words_for(classes, available, "",
                              options.constraints.empty() ? "words" : "words that may part");
  return units;
}

/// Units of the rows of bigrams_of().
std::vector<UnitId> unit_of_rows(const Units& units) {
  std::vector<UnitId> rows = units.unit_of;
  if (units.boundary) rows.push_back(static_cast<UnitId>(units.count - 1));
  return rows;
}

SearchSize size_of(const Counts& counts, const Units& units, const base::Ranks& ranks) {
  SearchSize size{counts.bigrams().distinct(), counts.bigrams().total(), units.count, 1};
  if (!ranks.shard_lists()) return size;
  ranks.broadcast_all(std::span(&size, 1));
  size.shards = ranks.size();
  return size;
}

void check_memory(const SearchSize& size, double max_classes, const RunOptions& run) {
  const bool could_shard = !base::Ranks(run).alone() && size.shards == 1;
  base::require_memory(run, search_bytes(size, max_classes, 1), "exchange",
                       could_shard ? "ask for fewer classes or words, or let ranks shard the neighbour lists"
                                   : "ask for fewer classes or words");
}

Problem make_problem(const Counts& counts, const Units& units, const base::Ranks& ranks) {
  const std::vector<UnitId> rows = unit_of_rows(units);
  if (!ranks.shard_lists()) return {bigrams_of(counts, units), rows, units.count};
  base::Fingerprint words;  // those of all ranks must be the same; pairs come from rank 0
  counts::add_vocabulary(words, counts.vocabulary());
  words.add(units.count);
  require_same_work(words.value(), ranks);
  return {ranks.is_root() ? bigrams_of(counts, units) : PairCounts(), rows, units.count, ranks};
}

}  // namespace

std::uint64_t search_bytes(const SearchSize& size, double max_classes, unsigned searches) {
  const auto pairs = static_cast<double>(size.pairs);
  const auto units = static_cast<double>(size.units);
  constexpr double kGroup = 0.5;  // contexts of the units of a group, a 256th of all, per pair
  double lists = 16 * pairs + 76 * units;
  double moves = kGroup * pairs;
  if (size.shards > 1) {
    constexpr double kPieces = 16e6;  // of lists and proposals that are on their way
    // Numbers of lists and what units of a batch propose are on every rank.
    lists = (16 * pairs + 32 * units) / size.shards + 150 * units + kPieces;
    moves = 0;
  }
  const double cell_bytes = size.total > kMaxCell ? 2 * sizeof(WideCell) : 2 * sizeof(Cell);
  constexpr double kStepsAndGains = 16;
  constexpr double kTables = 9e6;
  const double matrices = (cell_bytes + kStepsAndGains) * (max_classes + 16) * (max_classes + 16);
  return static_cast<std::uint64_t>(lists + searches * (moves + matrices) + kTables);
}

void check_size_weight(double weight, std::string_view field) {
  constexpr double kMaxWeight = 4;
  if (weight >= 0 && weight <= kMaxWeight) return;
  throw UsageError(fmt::format("a weight of {} for the sizes of classes is out of range", weight),
                   fmt::format("give 0 to {}", kMaxWeight), field);
}

void check_limits(const SearchLimits& limits) {
  if (!(limits.max_seconds >= 0)) {
    throw UsageError("the time limit is below 0", "give 0 or more seconds", "SearchLimits::max_seconds");
  }
  if (limits.resume && limits.checkpoint_file.empty()) {
    throw UsageError("there is no checkpoint to resume from", "name the checkpoint file",
                     "SearchLimits::checkpoint_file");
  }
}

SearchProblem::SearchProblem(const Counts& counts, const SearchProblemOptions& options, ClassId classes,
                             double overshoot, const RunOptions& run)
    : counts_(&counts),
      units_(checked_units(counts, options.units, classes)),
      rules_(units_),
      size_(size_of(counts, units_, base::Ranks(run))),
      problem_((check_memory(size_, capped(overshoot * with_boundary_class(classes)), run),
                make_problem(counts, units_, base::Ranks(run)))),
      tables_(problem_.total(), {options.size_weight, units_.count}),
      max_classes_(capped(overshoot * with_boundary_class(classes))) {}

bool SearchProblem::has_room_for(unsigned searches, const RunOptions& run) const {
  return base::fits_memory(run, search_bytes(size_, max_classes_, searches));
}

SearchShape SearchProblem::shape(ClassId classes) const {
  return {units_.count, units_.words.size(), with_boundary_class(classes), max_classes_, units_.boundary};
}

ClassId SearchProblem::capped(double classes) const {
  return static_cast<ClassId>(std::min(std::round(classes), static_cast<double>(units_.count)));
}

SearchContext::SearchContext(const SearchProblem& search_problem, const RunOptions& run, SearchEnd* end)
    : search_problem_(&search_problem),
      run_(&run),
      end_(end),
      team_(run.threads),
      sweeper_(team_, run, search_problem.units().constrained() ? &search_problem.rules() : nullptr),
      rng_(run.seed),
      order_(search_problem.units().count),
      done_(&own_done_),
      best_bits_(&own_best_bits_) {
  std::iota(order_.begin(), order_.end(), UnitId{0});
  sweeper_.on_progress([this](std::size_t units) {
    if (end_ != nullptr) end_->check();
    const double weighted = static_cast<double>(units) * pass_weight_ * groups_;
    const std::uint64_t done = *done_ += static_cast<std::uint64_t>(weighted);
    base::advance_stage(*run_, within_time(done), [this] { return progress_note(); });
  });
  if (end_ == nullptr) return;
  sweeper_.on_share(
      {[this] { return end_->wishes(); }, [this](std::uint64_t wishes) { end_->agreed(wishes); }});
}

SearchContext::SearchContext(SearchContext& whole, const RunOptions& run, unsigned groups)
    : SearchContext(*whole.search_problem_, run, whole.end_) {
  groups_ = whole.groups_ * groups;
  done_ = whole.done_;
  best_bits_ = whole.best_bits_;
  stage_units_ = whole.stage_units_;
  reference_classes_ = whole.reference_classes_;
}

std::uint64_t SearchContext::within_time(std::uint64_t done) const {
  const double of_time = end_ == nullptr ? 0 : end_->share_of_time();
  return std::max(done, static_cast<std::uint64_t>(of_time * static_cast<double>(stage_units_)));
}

std::string SearchContext::progress_note() const {
  const double bits = *best_bits_;
  return bits > 0 ? fmt::format("best AMI {:.4f}", bits) : std::string();
}

void SearchContext::note(const State& state) {
  if (state.classes() - first_class() != reference_classes_) return;
  const double bits = state.ami_bits();
  double best = *best_bits_;
  while (bits > best && !best_bits_->compare_exchange_weak(best, bits)) {
  }
}

std::vector<ClassId> SearchContext::modulo(ClassId classes) const {
  const ClassId first = first_class();
  std::vector<ClassId> class_of(units().count);
  for (UnitId unit = 0; unit < class_of.size(); ++unit) class_of[unit] = first + unit % (classes - first);
  if (units().boundary) class_of.back() = 0;
  return class_of;
}

void SearchContext::reseed(std::uint64_t restart) {
  rng_ = base::Rng::stream(run_->seed, restart);
  std::iota(order_.begin(), order_.end(), UnitId{0});
}

State SearchContext::start(ClassId classes, std::vector<ClassId> class_of) {
  if (units().constrained()) search_problem_->rules().repair(class_of, classes);
  return resume(classes, std::move(class_of));
}

State SearchContext::resume(ClassId classes, std::vector<ClassId> class_of) {
  sweeper_.unfreeze_all();
  return {search_problem_->problem(), search_problem_->tables(), classes, std::move(class_of), &team_};
}

void SearchContext::compare_ranks(const State& state) const {
  const base::Ranks ranks(*run_);
  if (ranks.alone()) return;
  base::Fingerprint print;
  print.add(static_cast<std::uint64_t>(state.objective())).add_all(state.class_of());
  ranks.require_same(print.value(), "the ranks made different moves in the same pass",
                     "start all ranks from one build, on processors of one kind");
}

void SearchContext::shuffle() {
  base::shuffle(order_, rng_);
}

PassResult SearchContext::greedy_pass(State& state) {
  shuffle();
  pass_weight_ = static_cast<double>(state.classes()) / reference_classes_;
  const PassResult result = sweeper_.greedy_pass(state, order_);
  compare_ranks(state);
  note(state);
  return result;
}

PassResult SearchContext::heat_pass(State& state, double temperature) {
  shuffle();
  pass_weight_ = static_cast<double>(state.classes()) / reference_classes_;
  const PassResult result = sweeper_.heat_pass(state, order_, temperature, rng_.next());
  compare_ranks(state);
  note(state);
  return result;
}

State SearchContext::merged(State state, ClassId classes) {
  if (state.classes() <= classes) return state;
  const Conflicts conflicts = search_problem_->rules().conflicts(state.class_of(), state.classes());
  std::vector<ClassId> class_of = merge_classes(std::move(state), classes, conflicts, team_, *run_);
  return resume(classes, std::move(class_of));
}

State SearchContext::split(const State& state, ClassId classes) {
  const MoveRules* rules = units().constrained() ? &search_problem_->rules() : nullptr;
  std::vector<ClassId> class_of =
      split_classes(state, classes, rules, rng_.next(), {team_, base::Ranks(*run_)});
  const ClassId reached = 1 + *std::max_element(class_of.begin(), class_of.end());
  return resume(reached, std::move(class_of));
}

State SearchContext::place(State state, std::span<const UnitId> unplaced) {
  const ClassId waiting = state.classes() - 1;
  sweeper_.place(state, unplaced);
  return resume(waiting, {state.class_of().begin(), state.class_of().end()});
}

std::optional<State> SearchContext::overlap(std::span<const ClassId> one, std::span<const ClassId> other,
                                            ClassId max_classes) {
  Overlap common = overlap_of(*search_problem_, one, other, max_classes);
  if (common.classes == 0) return std::nullopt;
  if (common.unplaced.empty()) return resume(common.classes, std::move(common.class_of));
  return place(resume(common.classes + 1, std::move(common.class_of)), common.unplaced);
}

base::Stage SearchContext::begin(const std::string& stage, double passes, ClassId classes) {
  reference_classes_ = classes;
  *done_ = 0;
  *best_bits_ = 0;
  stage_units_ = static_cast<std::uint64_t>(passes * static_cast<double>(units().count));
  return {*run_, stage, "", stage_units_};
}

void SearchContext::record(const std::string& stage, const State& state, std::uint64_t moved) {
  const auto now = std::chrono::steady_clock::now();
  const double seconds = std::chrono::duration<double>(now - last_).count();
  last_ = now;
  history_.push_back({stage, state.classes() - first_class(), moved, state.ami_bits(), seconds});
}

void SearchContext::append(std::span<const IterationStats> lines) {
  history_.insert(history_.end(), lines.begin(), lines.end());
  last_ = std::chrono::steady_clock::now();
}

ContextSnapshot SearchContext::snapshot() const {
  static_assert(sizeof(base::Rng) == sizeof(ContextSnapshot::rng));
  return {std::bit_cast<std::array<std::uint64_t, 4>>(rng_),
          order_,
          {sweeper_.frozen_for().begin(), sweeper_.frozen_for().end()},
          history_};
}

void SearchContext::restore(const ContextSnapshot& snapshot) {
  rng_ = std::bit_cast<base::Rng>(snapshot.rng);
  order_ = snapshot.order;
  sweeper_.freeze(snapshot.frozen_for);
  history_ = snapshot.history;
}

namespace {

/// Every rank makes the tree. If one is asked to stop meanwhile, all of them stop: the others may be done already.
MergeTree build_tree_together(const Counts& counts, std::span<const ClassId> classes, const RunOptions& run) {
  const base::Ranks ranks(run);
  std::optional<MergeTree> tree;
  try {
    tree = build_tree(counts, classes, run);
  } catch (const Cancelled&) {
    if (ranks.alone()) throw;
  }
  if (!ranks.alone() && ranks.any(tree ? 0 : 1) != 0) throw Cancelled();
  return std::move(*tree);
}

}  // namespace

ClusterResult SearchContext::finish(const State& state, bool tree, const RunOptions& run) {
  const Vocabulary& all = search_problem_->counts().vocabulary();
  std::vector<ClassId> classes(all.size(), kNoClass);
  std::vector<ClassId> taking_part;
  std::vector<std::pair<std::string, Count>> words;
  for (std::size_t i = 0; i < units().words.size(); ++i) {
    taking_part.push_back(state.class_of()[units().unit_of[i]] - first_class());
    classes[units().words[i]] = taking_part.back();
    if (units().words.size() < all.size())
      words.emplace_back(all.word(units().words[i]), all.count(units().words[i]));
  }
  const base::Ranks ranks(run);
  std::optional<MergeTree> merges;
  if (tree) merges = build_tree_together(search_problem_->counts(), classes, run);
  ClusterResult result;
  const Vocabulary vocabulary = words.empty() ? all : Vocabulary::from_words(std::move(words));
  result.clustering = Clustering(vocabulary, taking_part, std::move(merges));
  result.clustering.learn_class_bigrams(search_problem_->counts());
  if (ranks.shard_lists())
    result.clustering.set_class_bigrams(counts::share_pairs(result.clustering.class_bigrams(), ranks));
  // The AMI that is reported is that of the words, whatever was maximised.
  result.ami_bits =
      units().boundary
          ? clusters::ami_bits(clusters::class_bigrams(search_problem_->counts().bigrams(), classes,
                                                       state.classes() - first_class(), ranks))
          : state.ami_bits();
  result.iterations = std::move(history_);
  return result;
}

}  // namespace firth::exchange
