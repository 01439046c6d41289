#include "firth/choose.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
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
constexpr ClassId kCutsAroundBest = 16;
constexpr double kWorthALargerTree = 0.005;  // twice as many classes must gain this share of the perplexity
constexpr double kAsGood =
    0.01;  // differences below this are chance, or flatter a text's own bursts of words

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
        clustering_(
            cluster_auto(pairs.train, {.classes = classes, .effort = SearchEffort::fast}, run).clustering),
        scorer_(pairs, clustering_.classes(), clustering_.class_count()) {
    const base::Stage stage(run, "choosing", "cuts");
    score_spread(run);
    score_around_best(run);
  }

  const std::vector<ChoicePoint>& points() const { return points_; }
  /// All classes of the tree, which are classes of their own.
  const ChoicePoint& finest() const { return points_.back(); }
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

  const clusters::SplitPairs& pairs_;
  Clustering clustering_;
  clusters::HeldOutScorer scorer_;
  std::vector<ChoicePoint> points_;
};

/// Trees of ever more classes, until the best cut is far from the largest number or more classes do not help.
class Growth {
 public:
  Growth(const clusters::SplitPairs& pairs, ClassId limit, const RunOptions& run)
      : pairs_(pairs), run_(run), size_(first_size(pairs.train.vocabulary().size(), limit)) {
    tree_ = std::make_unique<TreeCuts>(pairs_, size_, run_);
    finest_.push_back(tree_->finest());
    while (is_near_end() && size_ < limit && grow(size_ > limit / 2 ? limit : 2 * size_)) {
    }
  }

  const TreeCuts& tree() const { return *tree_; }
  /// The best number of classes may be beyond those that were tried.
  bool is_open() const { return !stopped_ && is_near_end(); }

  /// Numbers of classes with classes of their own: those of all trees, the best cut, and numbers down to half of it.
  std::vector<ChoicePoint> refined() const {
    const ClassId best = best_of(tree_->points()).classes;
    std::set<ClassId> sizes;
    for (const double factor : {0.5, 0.7, 1.0}) {
      const auto size = static_cast<ClassId>(std::llround(best * factor));
      if (size >= 1 && !is_known(size)) sizes.insert(size);
    }
    const std::vector<ClassId> wanted(sizes.begin(), sizes.end());
    const std::vector<Clustering> flat = refine_cuts(pairs_.train, tree_->clustering(), wanted, run_);
    std::vector<ChoicePoint> points = finest_;
    for (std::size_t i = 0; i < flat.size(); ++i)
      points.push_back({wanted[i], tree_->perplexity_of(flat[i])});
    std::sort(points.begin(), points.end(),
              [](const ChoicePoint& a, const ChoicePoint& b) { return a.classes < b.classes; });
    return points;
  }

 private:
  bool is_near_end() const { return best_of(tree_->points()).classes > kFarFromLimit * size_; }
  bool is_known(ClassId size) const {
    return std::any_of(finest_.begin(), finest_.end(),
                       [&](const ChoicePoint& point) { return point.classes == size; });
  }

  /// Cuts of a larger tree are flattered by its size: what counts are its own classes. False if they are not worth it.
  bool grow(ClassId size) {
    auto larger = std::make_unique<TreeCuts>(pairs_, size, run_);
    finest_.push_back(larger->finest());
    stopped_ = larger->finest().perplexity > tree_->finest().perplexity * (1 - kWorthALargerTree);
    if (stopped_) return false;
    tree_ = std::move(larger);
    size_ = size;
    return true;
  }

  const clusters::SplitPairs& pairs_;
  const RunOptions& run_;
  ClassId size_;
  std::unique_ptr<TreeCuts> tree_;
  std::vector<ChoicePoint> finest_;
  bool stopped_ = false;  ///< because more classes did not help
};

/// The smallest of the numbers that are as good as the best.
const ChoicePoint& smallest_good(const std::vector<ChoicePoint>& points) {
  const double bound = best_of(points).perplexity * (1 + kAsGood);
  return *std::find_if(points.begin(), points.end(),
                       [&](const ChoicePoint& point) { return point.perplexity <= bound; });
}

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
      std::min<std::size_t>(words, options.max_classes > 0 ? options.max_classes : kMaxSearch));
  const Growth growth(pairs, limit, run);
  if (growth.tree().pairs() == 0)
    throw InputError({}, "none of the pairs that were held out has words seen elsewhere", "give more text");
  ClassChoice choice{.held_out = growth.tree().pairs(),
                     .at_limit = growth.is_open() && limit < words,
                     .cuts = growth.tree().points(),
                     .refined = growth.refined()};
  const ChoicePoint& chosen = smallest_good(choice.refined);
  choice.classes = chosen.classes;
  choice.perplexity = chosen.perplexity;
  return choice;
}

}  // namespace

ClassChoice choose_classes(const Counts& counts, const ChooseOptions& options, const RunOptions& run) {
  validate(options);
  return choose(clusters::split_pairs(counts, options.held_out, run.seed), options, run);
}

ClassChoice choose_classes_for(const Counts& counts, const Counts& other, const ChooseOptions& options,
                               const RunOptions& run) {
  validate(options);
  return choose({counts, clusters::translated_pairs(other, counts)}, options, run);
}

}  // namespace firth
