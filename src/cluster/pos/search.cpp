#include "cluster/pos/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "base/rng.hpp"
#include "base/special.hpp"
#include "base/worker_team.hpp"
#include "cluster/exchange/kernel.hpp"
#include "cluster/exchange/merge.hpp"
#include "cluster/exchange/state.hpp"
#include "firth/count.hpp"

namespace firth::pos {
namespace {

using exchange::State;

/// Classes as a multiple of those wanted, and greedy passes there.
struct Stage {
  double ratio;
  int passes;
};
constexpr Stage kStages[] = {{2, 6}, {1.6, 3}, {1.3, 3}, {1.1, 3}, {1, 3}};

// Temperatures in nats. Half of them would do as well: docs/notebook/parts-of-speech.md.
constexpr int kHeatPasses = 30;
constexpr double kHot = 4;
constexpr double kCold = 0.3;
constexpr int kLastPasses = 4;
constexpr std::size_t kCheckEvery = 64;
constexpr double kTypePrior = 1;  // of the Dirichlet distribution over classes that words are drawn from

/// A partition of the words, with what is needed to find a better one. The boundary and what stands for all
/// unknown words have classes of their own: they are apart.
class PosState {
 public:
  explicit PosState(const PosProblem& problem)
      : problem_(problem), spelling_(problem.tree, problem.amounts, problem.weights) {}

  /// Classes that no word may join.
  ClassId apart() const { return problem_.unknown == PosProblem::kNone ? 1 : 2; }
  ClassId classes() const { return first().classes(); }
  ClassId class_of(WordId word) const { return first().class_of()[word]; }
  std::uint32_t members(ClassId c) const { return first().members(c); }

  bool is_apart(ClassId c) const {
    return c == class_of(boundary()) || (has_unknown() && c == class_of(problem_.unknown));
  }

  /// `class_of` has the boundary behind the words.
  void assign(std::vector<ClassId> class_of, ClassId classes) {
    states_.clear();
    for (const auto& distance : problem_.distances) {
      states_.emplace_back(distance->problem, distance->tables, classes, class_of);
    }
    contexts_.resize(states_.size());
    for (exchange::Contexts& contexts : contexts_) contexts.resize(classes);
    spelling_.reset(std::span(class_of).first(problem_.words), classes);
    type_scores_.resize(classes);
    for (ClassId c = 0; c < classes; ++c) refresh_types(c);
  }

  void refresh_bounds() {
    for (State& state : states_) state.refresh_bounds();
  }

  /// What the word is worth in each class.
  std::span<const float> score(WordId word, ClassId home) {
    total_.assign(type_scores_.begin(), type_scores_.end());
    total_[home] = static_cast<float>(type_score(members(home) - 1));
    for (std::size_t d = 0; d < states_.size(); ++d) {
      states_[d].collect(word, contexts_[d]);
      exchange::score_classes(states_[d], word, contexts_[d], scores_);
      const auto weight = static_cast<float>(problem_.distances[d]->weight);
      for (std::size_t c = 0; c < total_.size(); ++c) total_[c] += weight * scores_[c];
    }
    spelling_.add_scores(word, home, total_);
    total_[class_of(boundary())] = -std::numeric_limits<float>::infinity();
    if (has_unknown()) total_[class_of(problem_.unknown)] = -std::numeric_limits<float>::infinity();
    return total_;
  }

  /// After score().
  void move(WordId word, ClassId home, ClassId target) {
    for (std::size_t d = 0; d < states_.size(); ++d) {
      states_[d].move(word, contexts_[d], target, states_[d].gain(word, contexts_[d], target));
    }
    spelling_.move(word, home, target);
    refresh_types(home);
    refresh_types(target);
  }

  /// Merges by direct neighbours alone: the passes that follow correct what spelling would have decided
  /// otherwise.
  void merge_to(ClassId target, base::WorkerTeam& team, const RunOptions& run) {
    const ClassId now = classes();
    exchange::Conflicts conflicts(now, std::vector<bool>(now, false));
    for (ClassId c = 0; c < now; ++c) {
      for (ClassId other = 0; other < now; ++other) conflicts[c][other] = is_apart(c) || is_apart(other);
    }
    assign(exchange::merge_classes(std::move(states_[0]), target, conflicts, team, run), target);
  }

  PosPartition result() {
    PosPartition found;
    const std::vector<ClassId> numbers = place_unknown();
    for (WordId word = 0; word < problem_.words; ++word) found.class_of.push_back(numbers[class_of(word)]);
    found.spelling = spelling_.log_probability();
    for (ClassId c = 0; c < classes(); ++c) {
      if (c != class_of(boundary())) found.types += base::log_gamma(members(c) + kTypePrior);
    }
    found.types *= problem_.type_weight;
    found.objective = found.spelling + found.types;
    for (std::size_t d = 0; d < states_.size(); ++d) {
      const Distance& distance = *problem_.distances[d];
      found.objective += distance.weight * distance.tables.nats(states_[d].objective());
    }
    return found;
  }

 private:
  const State& first() const { return states_.front(); }
  WordId boundary() const { return static_cast<WordId>(problem_.words); }
  bool has_unknown() const { return problem_.unknown != PosProblem::kNone; }

  /// What one more word is worth in a class of `members` words.
  double type_score(std::uint32_t members) const {
    return problem_.type_weight * std::log(members + kTypePrior);
  }

  void refresh_types(ClassId c) { type_scores_[c] = static_cast<float>(type_score(members(c))); }

  /// Unknown words are of no use to the search as one word, but they must have a class. Returns the final
  /// numbers of the classes.
  std::vector<ClassId> place_unknown() {
    std::vector<ClassId> numbers(classes());
    for (ClassId c = 0, next = 0; c < numbers.size(); ++c) numbers[c] = is_apart(c) ? next : next++;
    if (has_unknown()) {
      const ClassId home = class_of(problem_.unknown);
      move(problem_.unknown, home, exchange::best_class(score(problem_.unknown, home)));
    }
    return numbers;
  }

  const PosProblem& problem_;
  SpellingModel spelling_;
  std::vector<State> states_;  // one for each distance, all of the same partition
  std::vector<exchange::Contexts> contexts_;
  base::AlignedVector<float> scores_;
  std::vector<float> total_;
  std::vector<float> type_scores_;  // of each class, for one more word
};

class Search {
 public:
  Search(const PosProblem& problem, ClassId classes, std::uint64_t seed, const RunOptions& run)
      : problem_(problem),
        wanted_(classes),
        run_(run),
        rng_(seed),
        team_(1),
        state_(problem),
        order_(problem.words) {
    std::iota(order_.begin(), order_.end(), 0U);
  }

  PosPartition run() {
    start();
    for (const Stage& stage : kStages) {
      merge_to(std::max<ClassId>(wanted_, capped(stage.ratio * wanted_)));
      for (int pass = 0; pass < stage.passes; ++pass) {
        if (sweep(0) == 0) break;
      }
    }
    for (int pass = 0; pass < kHeatPasses; ++pass) {
      sweep(kHot * std::pow(kCold / kHot, static_cast<double>(pass) / (kHeatPasses - 1)));
    }
    for (int pass = 0; pass < kLastPasses; ++pass) {
      if (sweep(0) == 0) break;
    }
    return state_.result();
  }

 private:
  ClassId capped(double classes) const {
    const std::size_t words = problem_.words - (state_.apart() - 1);
    return static_cast<ClassId>(std::min(std::round(classes), static_cast<double>(words)));
  }

  /// Words by rank modulo the classes; what is apart in the last ones.
  void start() {
    const ClassId classes = capped(kStages[0].ratio * wanted_);
    std::vector<ClassId> class_of(problem_.words);
    for (WordId word = 0, place = 0; word < class_of.size(); ++word) {
      class_of[word] = word == problem_.unknown ? classes + 1 : place++ % classes;
    }
    class_of.push_back(classes);
    state_.assign(std::move(class_of), classes + state_.apart());
  }

  void merge_to(ClassId classes) {
    const ClassId target = classes + state_.apart();
    if (state_.classes() > target) state_.merge_to(target, team_, run_);
  }

  /// Every word once, in random order. Temperature 0: to the best class.
  std::size_t sweep(double temperature) {
    base::shuffle(order_, rng_);
    std::size_t moved = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (i % kCheckEvery == 0) {
        run_.check_stop();
        state_.refresh_bounds();
      }
      const WordId word = order_[i];
      const ClassId home = state_.class_of(word);
      if (state_.members(home) == 1) continue;  // a class keeps its last word, and what is apart stays there
      const ClassId target = choose(word, home, temperature);
      if (target == home) continue;
      state_.move(word, home, target);
      ++moved;
    }
    return moved;
  }

  ClassId choose(WordId word, ClassId home, double temperature) {
    const std::span<const float> scores = state_.score(word, home);
    if (temperature > 0) return exchange::draw_class(scores, temperature, rng_.uniform(), draw_scratch_);
    const ClassId best = exchange::best_class(scores);
    // What single precision cannot tell apart is no reason to move.
    constexpr float kMinGain = 1e-3F;
    return scores[best] > scores[home] + kMinGain ? best : home;
  }

  const PosProblem& problem_;
  ClassId wanted_;
  const RunOptions& run_;
  base::Rng rng_;
  base::WorkerTeam team_;
  PosState state_;
  std::vector<WordId> order_;
  exchange::DrawScratch draw_scratch_;
};

std::vector<exchange::UnitId> every_row(std::size_t rows) {
  std::vector<exchange::UnitId> units(rows);
  std::iota(units.begin(), units.end(), 0U);
  return units;
}

/// The same pairs and one more row without any.
PairCounts with_empty_row(const PairCounts& pairs) {
  std::vector<PairCount> all;
  all.reserve(pairs.distinct());
  pairs.for_each_pair([&](WordId left, WordId right, Count count) { all.push_back({left, right, count}); });
  return PairCounts::from_pairs(pairs.rows() + 1, std::move(all));
}

/// The word that stands for all others, unless every word is needed for a class of its own.
WordId find_unknown(const Vocabulary& vocabulary, ClassId classes) {
  if (vocabulary.size() <= classes) return PosProblem::kNone;
  return WordIndex(vocabulary).find(kUnknownWord).value_or(PosProblem::kNone);
}

double token_scale(const Counts& counts, const PosOptions& options) {
  const auto& found = counts.vocabulary().counts();
  const Count tokens = std::accumulate(found.begin(), found.end(), Count{0});
  if (tokens <= options.max_tokens) return 1;
  return static_cast<double>(options.max_tokens) / static_cast<double>(tokens);
}

}  // namespace

PairCounts with_boundary(const Counts& counts) {
  const PairCounts& pairs = counts.bigrams();
  const auto boundary = static_cast<WordId>(pairs.rows());
  const std::vector<Count> followed = pairs.left_marginals();
  const std::vector<Count> preceded = pairs.right_marginals();
  std::vector<PairCount> all;
  all.reserve(pairs.distinct() + 2 * pairs.rows());
  pairs.for_each_pair([&](WordId left, WordId right, Count count) { all.push_back({left, right, count}); });
  for (WordId left = 0; left < pairs.rows(); ++left) {
    const Count count = counts.vocabulary().count(left);
    if (count > followed[left]) all.push_back({left, boundary, count - followed[left]});
    if (count > preceded[left]) all.push_back({boundary, left, count - preceded[left]});
  }
  return PairCounts::from_pairs(pairs.rows() + 1, std::move(all));
}

Distance::Distance(const PairCounts& pairs, double pair_weight)
    : problem(pairs, every_row(pairs.rows()), pairs.rows()), tables(problem.total()), weight(pair_weight) {}

PosProblem::PosProblem(const Counts& counts, const PosOptions& options)
    : folded(fold_case(counts, options.fold_case)),
      words(folded.counts.vocabulary().size()),
      unknown(find_unknown(folded.counts.vocabulary(), options.classes)),
      scale(token_scale(counts, options)),
      tree(make_spelling_tree(folded.counts.vocabulary(), folded.capitals)),
      amounts(feature_amounts(folded.counts.vocabulary(), scale)),
      weights{options.suffix_weight, options.shape_weight, options.length_weight, options.capital_weight},
      type_weight(options.type_weight) {
  distances.push_back(std::make_unique<Distance>(with_boundary(folded.counts), scale));
  if (options.skip_weight > 0) {
    distances.push_back(
        std::make_unique<Distance>(with_empty_row(folded.counts.pairs_at(2)), scale * options.skip_weight));
  }
}

PosPartition search(const PosProblem& problem, ClassId classes, std::uint64_t seed, const RunOptions& run) {
  return Search(problem, classes, seed, run).run();
}

}  // namespace firth::pos
