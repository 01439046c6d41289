#include "cluster/pos/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "base/rng.hpp"
#include "base/worker_team.hpp"
#include "cluster/exchange/kernel.hpp"
#include "cluster/exchange/merge.hpp"
#include "cluster/exchange/state.hpp"

namespace firth::pos {
namespace {

using exchange::State;

/// Classes as a multiple of those wanted, and greedy passes there.
struct Stage {
  double ratio;
  int passes;
};
constexpr Stage kStages[] = {{2, 6}, {1.6, 3}, {1.3, 3}, {1.1, 3}, {1, 3}};

// Temperatures in nats. Hotter runs reach higher objectives and worse classes: docs/pos.md.
constexpr int kHeatPasses = 30;
constexpr double kHot = 4;
constexpr double kCold = 0.3;
constexpr int kLastPasses = 4;
constexpr std::size_t kCheckEvery = 64;

class Search {
 public:
  Search(const Material& material, ClassId classes, std::uint64_t seed, const RunOptions& run)
      : material_(material),
        wanted_(classes),
        run_(run),
        rng_(seed),
        team_(1),
        spelling_(material.tree, material.vocabulary, material.weights),
        order_(material.words) {
    std::iota(order_.begin(), order_.end(), 0U);
  }

  Found run() {
    start();
    for (const Stage& stage : kStages) {
      merge_to(std::max<ClassId>(wanted_, at_most(stage.ratio * wanted_)));
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
    return result();
  }

 private:
  ClassId at_most(double classes) const {
    return static_cast<ClassId>(std::min(std::round(classes), static_cast<double>(material_.words)));
  }

  /// Words by rank modulo the classes; the boundary alone in the last.
  void start() {
    const ClassId most = at_most(kStages[0].ratio * wanted_);
    std::vector<ClassId> class_of(material_.words);
    for (WordId word = 0; word < class_of.size(); ++word) class_of[word] = word % most;
    class_of.push_back(most);
    resume(std::move(class_of), most + 1);
  }

  void resume(std::vector<ClassId> class_of, ClassId classes) {
    states_.clear();
    for (const auto& distance : material_.distances) {
      states_.emplace_back(distance->problem, distance->tables, classes, class_of);
    }
    contexts_.resize(states_.size());
    for (exchange::Contexts& contexts : contexts_) contexts.resize(classes);
    spelling_.reset(std::span(class_of).first(material_.words), classes);
    boundary_ = class_of.back();
  }

  /// Merges by direct neighbours alone: passes follow, and put right what spelling would have had otherwise.
  void merge_to(ClassId classes) {
    if (states_[0].classes() <= classes + 1) return;
    const std::size_t now = states_[0].classes();
    exchange::Conflicts conflicts(now, std::vector<bool>(now, false));
    for (std::size_t c = 0; c < now; ++c) conflicts[c][boundary_] = conflicts[boundary_][c] = true;
    resume(exchange::merge_classes(std::move(states_[0]), classes + 1, conflicts, team_, run_), classes + 1);
  }

  /// One look at every word, in random order. Temperature 0: to the best class.
  std::size_t sweep(double temperature) {
    for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[rng_.below(i)]);
    std::size_t moved = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (i % kCheckEvery == 0) {
        run_.check_stop();
        for (State& state : states_) state.refresh_bounds();
      }
      const WordId word = order_[i];
      const ClassId home = states_[0].class_of()[word];
      if (states_[0].members(home) == 1) continue;  // a class never dies out
      const ClassId target = choose(word, home, temperature);
      if (target == home) continue;
      for (std::size_t d = 0; d < states_.size(); ++d) {
        states_[d].move(word, contexts_[d], target, states_[d].gain(word, contexts_[d], target));
      }
      spelling_.move(word, home, target);
      ++moved;
    }
    return moved;
  }

  ClassId choose(WordId word, ClassId home, double temperature) {
    const std::size_t classes = states_[0].classes();
    total_.assign(classes, 0.0F);
    for (std::size_t d = 0; d < states_.size(); ++d) {
      states_[d].collect(word, contexts_[d]);
      exchange::score_classes(states_[d], word, contexts_[d], scores_);
      const auto weight = static_cast<float>(material_.distances[d]->weight);
      for (std::size_t c = 0; c < classes; ++c) total_[c] += weight * scores_[c];
    }
    spelling_.add_scores(word, home, total_);
    total_[boundary_] = -std::numeric_limits<float>::infinity();
    if (temperature > 0) return exchange::draw_class(total_, temperature, rng_.uniform(), room_);
    const ClassId best = exchange::best_class(total_);
    // What single precision cannot tell apart is no reason to move.
    constexpr float kLeast = 1e-3F;
    return total_[best] > total_[home] + kLeast ? best : home;
  }

  Found result() const {
    Found found;
    const auto classes = states_[0].class_of();
    for (WordId word = 0; word < material_.words; ++word) {
      // The boundary's number is left out.
      found.class_of.push_back(classes[word] - (classes[word] > boundary_ ? 1 : 0));
    }
    found.spelling = spelling_.log_probability();
    found.objective = found.spelling;
    for (std::size_t d = 0; d < states_.size(); ++d) {
      const Distance& distance = *material_.distances[d];
      found.objective += distance.weight * distance.tables.nats(states_[d].objective());
    }
    return found;
  }

  const Material& material_;
  ClassId wanted_;
  const RunOptions& run_;
  base::Rng rng_;
  base::WorkerTeam team_;
  Spelling spelling_;
  std::vector<WordId> order_;
  std::vector<State> states_;  // one for each distance, all of the same partition
  std::vector<exchange::Contexts> contexts_;
  base::AlignedVector<float> scores_;
  std::vector<float> total_;
  exchange::DrawRoom room_;
  ClassId boundary_ = 0;
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
  for (WordId left = 0; left < pairs.rows(); ++left) {
    const auto rights = pairs.right_words(left);
    const auto counts = pairs.right_counts(left);
    for (std::size_t i = 0; i < rights.size(); ++i) all.push_back({left, rights[i], counts[i]});
  }
  return PairCounts::from_pairs(pairs.rows() + 1, std::move(all));
}

}  // namespace

PairCounts with_boundary(const Counts& counts) {
  const PairCounts& pairs = counts.bigrams();
  const auto boundary = static_cast<WordId>(pairs.rows());
  const std::vector<Count> followed = pairs.left_marginals();
  const std::vector<Count> preceded = pairs.right_marginals();
  std::vector<PairCount> all;
  all.reserve(pairs.distinct() + 2 * pairs.rows());
  for (WordId left = 0; left < pairs.rows(); ++left) {
    const auto rights = pairs.right_words(left);
    const auto found = pairs.right_counts(left);
    for (std::size_t i = 0; i < rights.size(); ++i) all.push_back({left, rights[i], found[i]});
    const Count count = counts.vocabulary().count(left);
    if (count > followed[left]) all.push_back({left, boundary, count - followed[left]});
    if (count > preceded[left]) all.push_back({boundary, left, count - preceded[left]});
  }
  return PairCounts::from_pairs(pairs.rows() + 1, std::move(all));
}

Distance::Distance(const PairCounts& pairs, double pair_weight)
    : problem(pairs, every_row(pairs.rows()), pairs.rows()), tables(problem.total()), weight(pair_weight) {}

Material::Material(const Counts& counts, const PosOptions& options)
    : vocabulary(counts.vocabulary()),
      words(counts.vocabulary().size()),
      tree(make_spelling_tree(counts.vocabulary())),
      weights{options.suffix_weight, options.shape_weight, options.length_weight} {
  distances.push_back(std::make_unique<Distance>(with_boundary(counts), 1.0));
  if (options.skip_weight > 0) {
    distances.push_back(std::make_unique<Distance>(with_empty_row(counts.pairs_at(2)), options.skip_weight));
  }
}

Found search(const Material& material, ClassId classes, std::uint64_t seed, const RunOptions& run) {
  return Search(material, classes, seed, run).run();
}

}  // namespace firth::pos
