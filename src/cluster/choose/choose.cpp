#include "firth/choose.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <numeric>

#include "base/stage.hpp"
#include "cluster/choose/held_out.hpp"
#include "cluster/merge_tree.hpp"
#include "firth/auto.hpp"
#include "firth/error.hpp"

namespace firth {
namespace {

constexpr ClassId kMinFirst = 64;              // classes that are tried first
constexpr double kFirst = 0.25;                // the same in square roots of the number of pairs
constexpr double kStep = std::numbers::sqrt2;  // between numbers that are tried
constexpr int kCutsPerDoubling = 8;
constexpr ClassId kCutsAroundBest = 16;
constexpr Count kMinPairs = 200;  // of held-out blocks; with fewer, pairs are drawn
// README.md has the texts that these were chosen on. Another seed changes a perplexity by more than kAsGood.
constexpr double kAsGood = 0.005;
constexpr double kStillFalling = 0.005;  // more classes are tried while the last step gained this share
constexpr double kFarAbove = 0.03;       // fewer are tried until they are so much worse

/// More classes than this have fewer pairs to learn from than pairs of classes: what they gain is what a text
/// repeats word by word.
ClassId max_classes_for(const clusters::SplitPairs& pairs) {
  const auto root = static_cast<ClassId>(std::sqrt(static_cast<double>(pairs.train.bigrams().total())));
  return std::max(kMinFirst, root);
}

bool by_perplexity(const ChoicePoint& a, const ChoicePoint& b) {
  return a.perplexity != b.perplexity ? a.perplexity < b.perplexity : a.classes < b.classes;
}

const ChoicePoint& best_of(const std::vector<ChoicePoint>& points) {
  return *std::min_element(points.begin(), points.end(), by_perplexity);
}

/// The smallest of the numbers that are as good as the best.
const ChoicePoint& smallest_good(const std::vector<ChoicePoint>& points) {
  const double bound = best_of(points).perplexity * (1 + kAsGood);
  return *std::find_if(points.begin(), points.end(),
                       [&](const ChoicePoint& point) { return point.perplexity <= bound; });
}

double perplexity_of(const clusters::SplitPairs& pairs, const Clustering& clustering) {
  const clusters::HeldOutScorer scorer(pairs, clustering.classes(), clustering.class_count());
  std::vector<ClassId> same(clustering.class_count());
  std::iota(same.begin(), same.end(), 0);
  return scorer.perplexity(same, clustering.class_count());
}

/// The perplexities of cuts of one tree.
class TreeCuts {
 public:
  TreeCuts(const clusters::SplitPairs& pairs, const Clustering& clustering, const RunOptions& run)
      : clustering_(clustering), scorer_(pairs, clustering.classes(), clustering.class_count()) {
    const base::Stage stage(run, "choosing", "cuts");
    score_spread(run);
    score_around_best(run);
  }

  const std::vector<ChoicePoint>& points() const { return points_; }
  Count pairs() const { return scorer_.pairs(); }

 private:
  void score(ClassId classes) {
    const auto place = std::lower_bound(points_.begin(), points_.end(), classes,
                                        [](const ChoicePoint& a, ClassId k) { return a.classes < k; });
    if (place != points_.end() && place->classes == classes) return;
    const auto merged = clusters::classes_after(*clustering_.tree(), clustering_.class_count() - classes);
    points_.insert(place, {classes, scorer_.perplexity(merged, classes)});
  }

  /// Numbers of classes on a logarithmic scale.
  void score_spread(const RunOptions& run) {
    for (int i = 0;; ++i) {
      const auto k = static_cast<ClassId>(std::llround(std::exp2(static_cast<double>(i) / kCutsPerDoubling)));
      if (k >= clustering_.class_count()) break;
      run.check_stop();
      score(k);
    }
    score(clustering_.class_count());
  }

  /// Numbers between the neighbours of the best one: all of them if they are few.
  void score_around_best(const RunOptions& run) {
    const ClassId best = best_of(points_).classes;
    const auto low = static_cast<ClassId>(std::floor(best * std::exp2(-1.0 / kCutsPerDoubling)));
    const auto high = static_cast<ClassId>(std::ceil(best * std::exp2(1.0 / kCutsPerDoubling)));
    const ClassId step = std::max<ClassId>(1, (high - low) / kCutsAroundBest);
    for (ClassId k = std::max<ClassId>(1, low); k <= std::min(high, clustering_.class_count()); k += step) {
      run.check_stop();
      score(k);
    }
  }

  const Clustering& clustering_;
  clusters::HeldOutScorer scorer_;
  std::vector<ChoicePoint> points_;
};

/// Numbers of classes, each with a search of its own: up from the first while more help, then down while fewer do little harm.
/// A search takes longer the more classes it makes, so that none is made far above the best number.
class Trials {
 public:
  Trials(const clusters::SplitPairs& pairs, ClassId limit, const RunOptions& run) : pairs_(pairs), run_(run) {
    const double root = std::sqrt(static_cast<double>(pairs.train.bigrams().total()));
    add(std::min(limit, std::max(kMinFirst, static_cast<ClassId>(kFirst * root))));
    while (points_.back().classes < limit && is_falling())
      add(std::min(limit, static_cast<ClassId>(std::ceil(points_.back().classes * kStep))));
    while (points_.front().classes > 1 && is_near_best(points_.front()))
      add(static_cast<ClassId>(points_.front().classes / kStep));
    cuts_ = std::make_unique<TreeCuts>(pairs_, largest_, run_);
    add(smallest_good(cuts_->points()).classes);
  }

  const std::vector<ChoicePoint>& points() const { return points_; }
  const TreeCuts& cuts() const { return *cuts_; }
  /// The best number of classes may be beyond those that were tried.
  bool is_open() const { return points_.back().classes < pairs_.train.vocabulary().size() && is_falling(); }

 private:
  void add(ClassId classes) {
    const auto place = std::lower_bound(points_.begin(), points_.end(), classes,
                                        [](const ChoicePoint& a, ClassId k) { return a.classes < k; });
    if (place != points_.end() && place->classes == classes) return;
    Clustering found =
        cluster_auto(pairs_.train, {.classes = classes, .effort = SearchEffort::fast}, run_).clustering;
    const double perplexity = perplexity_of(pairs_, found);
    if (place == points_.end()) largest_ = std::move(found);
    points_.insert(place, {classes, perplexity});
  }

  bool is_near_best(const ChoicePoint& point) const {
    return point.perplexity <= best_of(points_).perplexity * (1 + kFarAbove);
  }

  /// Whether the largest number is much better than all others; true if there is no other.
  bool is_falling() const {
    const std::vector<ChoicePoint> others(points_.begin(), points_.end() - 1);
    return others.empty() || points_.back().perplexity < best_of(others).perplexity * (1 - kStillFalling);
  }

  const clusters::SplitPairs& pairs_;
  const RunOptions& run_;
  Clustering largest_;
  std::unique_ptr<TreeCuts> cuts_;
  std::vector<ChoicePoint> points_;
};

}  // namespace

void validate(const ChooseOptions& options) {
  if (!(options.held_out > 0 && options.held_out < 1))
    throw UsageError("ChooseOptions::held_out must be above 0 and below 1", "0.1 is a good choice");
}

ClassId ClassChoice::smallest_within(double share) const {
  std::vector<ChoicePoint> all = cuts;
  all.insert(all.end(), refined.begin(), refined.end());
  if (all.empty()) return classes;
  const double bound = best_of(all).perplexity * (1 + share);
  ClassId smallest = best_of(all).classes;
  for (const ChoicePoint& point : all)
    if (point.perplexity <= bound) smallest = std::min(smallest, point.classes);
  return smallest;
}

namespace {

/// The best number for these pairs.
ClassChoice choose(const clusters::SplitPairs& pairs, const ChooseOptions& options, const RunOptions& run) {
  const std::size_t words = pairs.train.vocabulary().size();
  if (words < 2 || pairs.held_out.total() == 0 || pairs.train.bigrams().total() == 0)
    throw InputError({}, "there are too few pairs of words to hold some out", "give more text");
  const auto limit = static_cast<ClassId>(
      std::min<std::size_t>(words, options.max_classes > 0 ? options.max_classes : max_classes_for(pairs)));
  const Trials trials(pairs, limit, run);
  if (trials.cuts().pairs() == 0)
    throw InputError({}, "none of the pairs that were held out has words seen elsewhere", "give more text");
  ClassChoice choice{.held_out = trials.cuts().pairs(),
                     .at_limit = trials.is_open(),
                     .cuts = trials.cuts().points(),
                     .refined = trials.points()};
  const ChoicePoint& chosen = smallest_good(choice.refined);
  choice.classes = chosen.classes;
  choice.perplexity = chosen.perplexity;
  return choice;
}

}  // namespace

ClassChoice choose_classes(const Counts& counts, const ChooseOptions& options, const RunOptions& run) {
  validate(options);
  if (counts.held_out().total() >= kMinPairs) {
    ClassChoice choice = choose(clusters::split_blocks(counts), options, run);
    choice.judge = HeldOutKind::blocks;
    return choice;
  }
  return choose(clusters::split_pairs(counts, options.held_out, run.seed), options, run);
}

ClassChoice choose_classes_for(const Counts& counts, const Counts& other, const ChooseOptions& options,
                               const RunOptions& run) {
  validate(options);
  ClassChoice choice = choose({counts, clusters::translated_pairs(other, counts)}, options, run);
  choice.judge = HeldOutKind::text;
  return choice;
}

}  // namespace firth
