#include "firth/choose.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>

#include "base/stage.hpp"
#include "cluster/choose/held_out.hpp"
#include "cluster/merge_tree.hpp"
#include "firth/auto.hpp"
#include "firth/error.hpp"

namespace firth {
namespace {

constexpr ClassId kMinSearch = 64;     // classes of the first tree
constexpr ClassId kMaxSearch = 4000;   // time and memory of a tree grow with the square
constexpr double kFarFromLimit = 0.6;  // the best cut of a tree is trusted below this share of its classes
constexpr int kCutsPerDoubling = 8;

ClassId first_size(std::size_t words, ClassId limit) {
  const auto wanted = static_cast<ClassId>(2 * std::sqrt(static_cast<double>(words)));
  return std::min(limit, std::max(kMinSearch, wanted));
}

bool by_perplexity(const ChoicePoint& a, const ChoicePoint& b) {
  return a.perplexity != b.perplexity ? a.perplexity < b.perplexity : a.classes < b.classes;
}

const ChoicePoint& best_of(const std::vector<ChoicePoint>& points) {
  return *std::min_element(points.begin(), points.end(), by_perplexity);
}

/// One tree over the training pairs, and the perplexities of its cuts.
class TreeCuts {
 public:
  TreeCuts(const clusters::SplitPairs& pairs, ClassId classes, const RunOptions& run)
      : pairs_(pairs),
        clustering_(cluster_auto(pairs.train, {.classes = classes, .effort = Effort::fast}, run).clustering),
        scorer_(pairs, clustering_.classes(), clustering_.class_count()) {
    const base::Stage stage(run, "choosing", "cuts");
    score_spread(run);
    score_around_best(run);
  }

  const std::vector<ChoicePoint>& points() const { return points_; }
  const Clustering& clustering() const { return clustering_; }
  Count pairs() const { return scorer_.pairs(); }

  /// Perplexity of classes that are no cut of the tree.
  double perplexity_of(const Clustering& flat) const {
    const clusters::HeldOutScorer scorer(pairs_, flat.classes(), flat.class_count());
    std::vector<ClassId> same(flat.class_count());
    std::iota(same.begin(), same.end(), 0);
    return scorer.perplexity(same, flat.class_count());
  }

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

  /// Every number between the neighbours of the best one.
  void score_around_best(const RunOptions& run) {
    const ClassId best = best_of(points_).classes;
    const auto low = static_cast<ClassId>(std::floor(best * std::exp2(-1.0 / kCutsPerDoubling)));
    const auto high = static_cast<ClassId>(std::ceil(best * std::exp2(1.0 / kCutsPerDoubling)));
    for (ClassId k = std::max<ClassId>(1, low); k <= std::min(high, clustering_.class_count()); ++k) {
      run.check_stop();
      score(k);
    }
  }

  const clusters::SplitPairs& pairs_;
  Clustering clustering_;
  clusters::HeldOutScorer scorer_;
  std::vector<ChoicePoint> points_;
};

/// The best number of the tree, and others up to twice and half of it, with classes of their own.
std::vector<ChoicePoint> refined_points(const TreeCuts& cuts, const Counts& train, const RunOptions& run) {
  const ClassId best = best_of(cuts.points()).classes;
  std::set<ClassId> sizes;
  for (const double factor : {0.5, 0.7, 1.0, 1.4, 2.0}) {
    const auto size = static_cast<ClassId>(std::llround(best * factor));
    if (size >= 1 && size <= cuts.clustering().class_count()) sizes.insert(size);
  }
  const std::vector<ClassId> wanted(sizes.begin(), sizes.end());
  const std::vector<Clustering> flat = refine_cuts(train, cuts.clustering(), wanted, run);
  std::vector<ChoicePoint> points;
  for (std::size_t i = 0; i < flat.size(); ++i) points.push_back({wanted[i], cuts.perplexity_of(flat[i])});
  return points;
}

}  // namespace

void validate(const ChooseOptions& options) {
  if (!(options.held_out > 0 && options.held_out < 1))
    throw UsageError("ChooseOptions::held_out must be above 0 and below 1", "0.1 is a good choice");
}

ClassId ClassChoice::smallest_within(double share) const {
  if (cuts.empty()) return classes;
  const double bound = best_of(cuts).perplexity * (1 + share);
  const auto found = std::find_if(cuts.begin(), cuts.end(),
                                  [&](const ChoicePoint& point) { return point.perplexity <= bound; });
  return found->classes;
}

ClassChoice choose_classes(const Counts& counts, const ChooseOptions& options, const RunOptions& run) {
  validate(options);
  const std::size_t words = counts.vocabulary().size();
  const clusters::SplitPairs pairs = clusters::split_pairs(counts, options.held_out, run.seed);
  if (words < 2 || pairs.held_out.total() == 0 || pairs.train.bigrams().total() == 0)
    throw InputError({}, "there are too few pairs of words to hold some out", "give more text");
  const auto limit = static_cast<ClassId>(
      std::min<std::size_t>(words, options.max_classes > 0 ? options.max_classes : kMaxSearch));
  ClassId size = first_size(words, limit);
  for (;;) {
    const TreeCuts cuts(pairs, size, run);
    if (cuts.pairs() == 0)
      throw InputError({}, "none of the pairs that were held out has words seen elsewhere", "give more text");
    const bool near_limit = best_of(cuts.points()).classes > kFarFromLimit * size;
    if (near_limit && size < limit) {
      size = size > limit / 2 ? limit : 2 * size;
      continue;
    }
    ClassChoice choice{.held_out = cuts.pairs(),
                       .at_limit = near_limit && limit < words,
                       .cuts = cuts.points(),
                       .refined = refined_points(cuts, pairs.train, run)};
    choice.classes = best_of(choice.refined).classes;
    choice.perplexity = best_of(choice.refined).perplexity;
    return choice;
  }
}

}  // namespace firth
