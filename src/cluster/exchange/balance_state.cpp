#include "cluster/exchange/balance_state.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/ranks.hpp"
#include "cluster/balance/balancer.hpp"
#include "cluster/exchange/kernel.hpp"
#include "cluster/objective.hpp"
#include "firth/error.hpp"

namespace firth::exchange {
namespace {

class StateModel : public balance::BalanceModel {
 public:
  StateModel(const SearchProblem& search_problem, State& state, unsigned threads)
      : state_(state),
        rules_(search_problem.units().constrained() ? &search_problem.rules() : nullptr),
        workers_(base::resolve_threads(threads)) {
    for (Worker& worker : workers_) worker.contexts.resize(state.classes());
    contexts_.resize(state.classes());
    others_.resize(state.classes());
  }

  std::span<const ClassId> class_of() const override { return state_.class_of(); }

  void gains(std::size_t unit, unsigned number, std::span<float> result) override {
    Worker& worker = workers_[number];
    const auto id = static_cast<UnitId>(unit);
    state_.collect(id, worker.contexts);
    score_classes(state_, id, worker.contexts, worker.scores);
    const std::span<float> scores(worker.scores.data(), state_.classes());
    const ClassId home = state_.class_of()[unit];
    const float own = scores[home];
    if (rules_ != nullptr) rules_->mask(id, state_.class_of(), scores);
    std::transform(scores.begin(), scores.end(), result.begin(), [own](float score) { return score - own; });
    result[home] = 0;
    // A class keeps its last unit.
    if (state_.members(home) == 1)
      std::fill(result.begin(), result.end(), -std::numeric_limits<float>::infinity());
  }

  bool fixed(std::size_t unit) const override {
    return rules_ != nullptr && rules_->fixed(static_cast<UnitId>(unit));
  }

  bool allows(std::size_t unit, ClassId target) const override {
    return state_.members(state_.class_of()[unit]) > 1 &&
           (rules_ == nullptr || rules_->allows(static_cast<UnitId>(unit), state_.class_of(), target));
  }

  void move(std::size_t unit, ClassId target) override {
    const auto id = static_cast<UnitId>(unit);
    state_.collect(id, contexts_);
    state_.move(id, contexts_, target, state_.gain(id, contexts_, target));
  }

  bool move_if_better(std::size_t unit, ClassId target) override {
    const auto id = static_cast<UnitId>(unit);
    if (!allows(unit, target)) return false;
    state_.collect(id, contexts_);
    const std::int64_t gain = state_.gain(id, contexts_, target);
    if (gain <= 0) return false;
    state_.move(id, contexts_, target, gain);
    return true;
  }

  bool swap_if_better(std::size_t unit, std::size_t other) override {
    const auto id = static_cast<UnitId>(unit);
    const auto other_id = static_cast<UnitId>(other);
    const ClassId home = state_.class_of()[unit];
    const ClassId target = state_.class_of()[other];
    if (!may_enter(id, target) || !may_enter(other_id, home)) return false;
    state_.collect(id, contexts_);
    state_.collect(other_id, others_);
    const std::int64_t gain = state_.gain(id, contexts_, target);
    // Both gains of the state as it is: what they change for each other is little, mostly.
    if (gain + state_.gain(other_id, others_, home) <= 0) return false;
    state_.move(id, contexts_, target, gain);
    state_.collect(other_id, others_);
    const std::int64_t second = state_.gain(other_id, others_, home);
    if (gain + second > 0) {
      state_.move(other_id, others_, home, second);
      return true;
    }
    state_.collect(id, contexts_);
    state_.move(id, contexts_, home, -gain);
    return false;
  }

 private:
  struct Worker {
    Contexts contexts;
    base::AlignedVector<float> scores;
  };

  bool may_enter(UnitId unit, ClassId target) const {
    return rules_ == nullptr || rules_->allows(unit, state_.class_of(), target);
  }

  State& state_;
  const MoveRules* rules_;
  std::vector<Worker> workers_;
  Contexts contexts_;
  Contexts others_;
};

std::vector<std::uint64_t> unit_sizes(const SearchProblem& search_problem, SizeUnit unit) {
  const Units& units = search_problem.units();
  std::vector<std::uint64_t> sizes(units.count, 0);
  for (std::size_t i = 0; i < units.words.size(); ++i) {
    const Count count = search_problem.counts().vocabulary().count(units.words[i]);
    sizes[units.unit_of[i]] += unit == SizeUnit::words ? 1 : count;
  }
  return sizes;
}

}  // namespace

State balanced(const SearchProblem& search_problem, State state, const ClassSizes& sizes,
               const RunOptions& run) {
  StateModel model(search_problem, state, run.threads);
  balance::balance(
      model, {unit_sizes(search_problem, sizes.unit), search_problem.first_class(), state.classes(), sizes},
      run);
  return state;
}

void require_lists_for(const ClassSizes& sizes, const RunOptions& run) {
  if (!sizes.limited() || !base::Ranks(run).shard_lists()) return;
  throw UsageError("classes of limited size need all neighbour lists on every rank",
                   "do not shard the lists, or do not limit the sizes", "ClassSizes::max");
}

double word_ami_bits(const SearchProblem& search_problem, const State& state) {
  const Units& units = search_problem.units();
  if (!units.boundary) return state.ami_bits();
  std::vector<ClassId> classes(search_problem.counts().vocabulary().size(), kNoClass);
  for (std::size_t i = 0; i < units.words.size(); ++i)
    classes[units.words[i]] = state.class_of()[units.unit_of[i]] - search_problem.first_class();
  return clusters::ami_bits(clusters::class_bigrams(search_problem.counts().bigrams(), classes,
                                                    state.classes() - search_problem.first_class()));
}

}  // namespace firth::exchange
