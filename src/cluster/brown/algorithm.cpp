// The outer loop: which word enters when, and when two clusters merge.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "base/memory_limit.hpp"
#include "base/stage.hpp"
#include "cluster/brown/checkpoint.hpp"
#include "cluster/brown/order.hpp"
#include "cluster/brown/recorder.hpp"
#include "cluster/brown/waiting_words.hpp"
#include "cluster/brown/window/engine.hpp"
#include "cluster/class_count.hpp"
#include "firth/brown.hpp"
#include "firth/error.hpp"

namespace firth {
namespace brown {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Largest number of clusters at any time.
std::size_t window_capacity(const BrownOptions& options, std::size_t words) {
  const std::uint64_t window = options.window == 0 ? std::uint64_t{options.classes} + 1 : options.window;
  return static_cast<std::size_t>(std::min<std::uint64_t>(window, words));
}

/// The same for ALLSAME, where whole groups of equal frequency enter.
GroupSizes group_sizes(const Counts& counts, const BrownOptions& options, std::span<const WordId> order) {
  GroupSizes sizes;
  std::size_t inside = 0;
  for (std::size_t i = 0; i < order.size();) {
    const Count count = counts.vocabulary().count(order[i]);
    std::size_t end = i;
    while (end < order.size() && counts.vocabulary().count(order[end]) == count) ++end;
    if (inside == 0) sizes.citizens = end - i;
    sizes.clusters = std::max(sizes.clusters, inside + end - i);
    inside = std::min<std::size_t>(inside + end - i, options.classes);
    i = end;
  }
  sizes.citizens = std::max<std::size_t>(sizes.citizens, options.classes);
  return sizes;
}

/// One run over one set of counts.
class Run {
 public:
  Run(const Counts& counts, const BrownOptions& options, const RunOptions& run)
      : counts_(counts),
        options_(options),
        run_(run),
        order_(entry_order(counts, options)),
        rank_(order_.size()),
        measure_(counts, options.marginals, run.threads),
        recorder_(measure_, static_cast<std::uint32_t>(order_.size()), options.trace_file) {
    for (std::uint32_t i = 0; i < order_.size(); ++i) rank_[order_[i]] = i;
  }

  MergeTree cluster() {
    prepare();
    try {
      merge_all();
    } catch (const Cancelled&) {
      if (!options_.checkpoint_file.empty() && !replaying()) save();
      throw;
    }
    return recorder_.finish();
  }

 private:
  void merge_all() {
    base::Stage stage(run_, "clustering", "steps", total_steps());
    if (options_.variant == BrownVariant::plain) enter_one_by_one();
    if (options_.variant == BrownVariant::resort) enter_resorted();
    if (in_groups()) enter_in_groups();
    stage.end();
    if (in_groups()) hand_over();
    const std::uint64_t pairs = std::uint64_t{engine_->live()} * engine_->live();
    const base::Stage hierarchy(run_, "hierarchy", "pairs", pairs);
    while (engine_->live() > 1) {
      merge();
      advance(pairs - std::uint64_t{engine_->live()} * engine_->live());
    }
  }

  bool in_groups() const { return options_.variant == BrownVariant::allsame; }

  /// What a word costs: as much as it has neighbours, up to the size of the window, and a little besides. So
  /// the time left can be told although frequent words take a thousand times as long as rare ones. With
  /// ALLSAME, as much as there are words of its frequency, all of which are looked at when one merges, and a
  /// good deal for every class.
  std::uint64_t steps_of(WordId word) const {
    constexpr std::uint64_t kBesides = 8;
    constexpr std::uint64_t kOfClass = 400;
    if (in_groups()) return group_words_.at(counts_.vocabulary().count(word)) + options_.classes * kOfClass;
    const std::uint64_t neighbours =
        counts_.bigrams().right_words(word).size() + transposed_.right_words(word).size();
    return std::min<std::uint64_t>(neighbours, capacity_) + kBesides;
  }

  std::uint64_t total_steps() {
    if (in_groups())
      for (const WordId word : order_) ++group_words_[counts_.vocabulary().count(word)];
    std::uint64_t sum = first_search_steps();
    for (const WordId word : order_) sum += steps_of(word);
    return sum;
  }

  /// The first search for a pair evaluates them all.
  std::uint64_t first_search_steps() const {
    return in_groups() ? 0 : std::uint64_t{capacity_} * capacity_ / 2;
  }

  /// Words that enter together are done one by one, as they merge.
  void advance_words() {
    const std::size_t done = in_groups() ? recorder_.merges().size() : recorder_.inserted_words();
    for (; counted_ < done; ++counted_) steps_ += steps_of(order_[counted_]);
    advance(steps_ + (recorder_.merges().empty() ? 0 : first_search_steps()));
  }

  void prepare() {
    const bool groups = in_groups();
    const GroupSizes sizes = groups ? group_sizes(counts_, options_, order_) : GroupSizes{};
    capacity_ = groups ? sizes.clusters : window_capacity(options_, order_.size());
    const Count total = measure_.total();
    const std::size_t words = order_.size();
    const std::uint64_t need =
        memory_besides_engine() +
        (groups ? group_engine_bytes(total, sizes, words) + engine_bytes(total, options_.classes, words)
                : engine_bytes(total, capacity_, words));
    base::require_memory(run_, need, fmt::format("a window of {} clusters", capacity_),
                         "ask for fewer classes or a smaller window");
    transposed_ = counts_.bigrams().transposed();
    input_.emplace(EngineInput{counts_, transposed_, measure_, rank_});
    engine_ = groups ? make_group_engine(*input_, sizes, recorder_, run_)
                     : make_engine(*input_, {.capacity = capacity_, .lookahead = room_for_scouts(need)},
                                   recorder_, run_);
    if (options_.checkpoint_file.empty()) return;
    fingerprint_ = fingerprint(counts_, options_, order_);
    if (!options_.resume) return;
    if (auto checkpoint = load_checkpoint(options_.checkpoint_file, fingerprint_)) {
      if (!std::is_permutation(order_.begin(), order_.end(), checkpoint->order.begin()))
        throw FormatError(options_.checkpoint_file, "the checkpoint is damaged",
                          "remove the file to start from the beginning");
      order_ = std::move(checkpoint->order);
      known_ = std::move(checkpoint->merges);
    }
  }

  std::uint64_t memory_besides_engine() const {
    const std::uint64_t pairs = counts_.bigrams().distinct() * 12 + counts_.bigrams().rows() * 8;
    return pairs + order_.size() * 48 + measure_.table().size_bytes() +
           (options_.variant == BrownVariant::resort ? WaitingWords::bytes(counts_.bigrams()) : 0);
  }

  /// Copies of the window are for speed only: large ones are left out.
  bool room_for_scouts(std::uint64_t need) const {
    constexpr std::uint64_t kMost = std::uint64_t{512} << 20;
    const std::uint64_t lookahead = scouts_bytes(measure_.total(), capacity_, order_.size(), run_);
    return lookahead <= kMost && base::fits_memory(run_, need + lookahead);
  }

  bool replaying() const { return recorder_.merges().size() < known_.size(); }
  WordId next_word() const { return order_[recorder_.inserted_words()]; }
  bool words_left() const { return recorder_.inserted_words() < order_.size(); }

  /// The window holds its clusters but one; a word enters, two clusters merge, and so on.
  void enter_one_by_one() {
    while (words_left() && engine_->live() + 1 < std::max<std::size_t>(capacity_, 2)) insert(true);
    while (words_left()) {
      if (replaying()) {
        insert(true);
        merge();
      } else {
        engine_->enter_and_merge(std::span(order_).subspan(recorder_.inserted_words()));
        after_merge();
      }
      advance_words();
    }
  }

  /// Ciosici 2015, Algorithm 2. The sort follows the word's entrance and comes before the merge; the merge
  /// does not depend on it, so the engine does both at once.
  void enter_resorted() {
    WaitingWords outside(*input_, options_.resort_by);
    while (words_left() && engine_->live() + 1 < std::max<std::size_t>(capacity_, 2)) {
      outside.inserted(next_word());
      insert(true);
    }
    while (words_left()) {
      outside.inserted(next_word());
      const std::uint64_t merges = recorder_.merges().size();
      if (merges > 0 && merges % options_.resort_every == 0 && !replaying())
        // Only the words that enter before the next sort need their place.
        outside.sort(std::span(order_).subspan(recorder_.inserted_words() + 1), options_.resort_every);
      if (replaying()) {
        insert(true);
        merge();
      } else {
        engine_->enter_and_merge(std::span(order_).subspan(recorder_.inserted_words(), 1));
        after_merge();
      }
      const Merge& merge = recorder_.merges().back();
      outside.merged(merge.left, merge.right, static_cast<std::uint32_t>(order_.size() + merges));
      advance_words();
    }
  }

  /// Ciosici 2015, Algorithms 3 to 5, with the limits as README.md reads them.
  void enter_in_groups() {
    while (words_left()) {
      engine_->make_all_citizens();
      insert_group();
      if (words_left() && engine_->live() <= options_.classes) continue;
      if (engine_->live() == group_size_) engine_->make_all_citizens();
      while (engine_->live() > options_.classes) {
        merge();
        advance_words();
      }
    }
  }

  /// All words are in: the dense window is faster from here on.
  void hand_over() {
    auto engine = make_engine(*input_, {.capacity = engine_->live()}, recorder_, run_);
    engine_->hand_over(*engine);
    engine_ = std::move(engine);
    if (!replaying()) engine_->end_replay();
  }

  void insert_group() {
    const Count count = counts_.vocabulary().count(next_word());
    group_size_ = 0;
    for (; words_left() && counts_.vocabulary().count(next_word()) == count; ++group_size_) insert(false);
  }

  void insert(bool citizen) {
    const WordId word = next_word();
    if (replaying())
      engine_->replay_insert(word, citizen);
    else
      engine_->insert(word, citizen);
  }

  void merge() {
    if (replaying()) {
      const auto [left, right] = known_[recorder_.merges().size()];
      engine_->replay_merge(left, right);
      if (!replaying()) engine_->end_replay();
    } else {
      engine_->merge_best();
    }
    after_merge();
  }

  void after_merge() {
    run_.check_stop();
    const std::uint64_t merges = recorder_.merges().size();
    if (options_.check_every > 0 && merges % options_.check_every == 0) engine_->check();
    if (options_.checkpoint_file.empty() || replaying() ||
        seconds_since(saved_) < options_.checkpoint_seconds)
      return;
    save();
  }

  void save() {
    Checkpoint checkpoint{order_, {}};
    for (const Merge& merge : recorder_.merges()) checkpoint.merges.emplace_back(merge.left, merge.right);
    save_checkpoint(options_.checkpoint_file, checkpoint, fingerprint_);
    saved_ = Clock::now();
  }

  void advance(std::uint64_t done) {
    if (seconds_since(shown_) < 0.1) return;
    base::advance_stage(run_, done, [&] {
      return fmt::format("{} words, AMI {:.4f}", recorder_.inserted_words(), recorder_.ami_bits());
    });
    shown_ = Clock::now();
  }

  const Counts& counts_;
  const BrownOptions& options_;
  const RunOptions& run_;
  std::vector<WordId> order_;
  std::vector<std::uint32_t> rank_;
  Measure measure_;
  Recorder recorder_;
  PairCounts transposed_;
  std::optional<EngineInput> input_;
  std::unique_ptr<Engine> engine_;
  std::size_t capacity_ = 0;
  std::size_t group_size_ = 0;
  std::unordered_map<Count, std::uint64_t> group_words_;  ///< ALLSAME: by frequency
  std::size_t counted_ = 0;                               ///< words whose steps are in the sum ...
  std::uint64_t steps_ = 0;                               ///< ... of those done
  std::vector<std::pair<std::uint32_t, std::uint32_t>> known_;
  std::uint64_t fingerprint_ = 0;
  Clock::time_point saved_ = Clock::now();
  Clock::time_point shown_ = Clock::now();
};

/// Class of every word after the merges that leave `classes` clusters.
std::vector<ClassId> cut(const MergeTree& tree, ClassId classes) {
  std::vector<std::uint32_t> parent(tree.leaves + tree.merges.size());
  std::iota(parent.begin(), parent.end(), 0U);
  for (std::uint32_t i = 0; i + classes < tree.leaves; ++i)
    parent[tree.merges[i].left] = parent[tree.merges[i].right] = tree.leaves + i;
  for (std::size_t node = parent.size(); node-- > 0;) parent[node] = parent[parent[node]];
  parent.resize(tree.leaves);
  return parent;
}

/// AMI when `classes` clusters are left; the tree has it after every merge but not before the first.
double ami_at(const Counts& counts, const BrownOptions& options, const MergeTree& tree) {
  const std::size_t merges = tree.leaves - options.classes;
  if (merges > 0) return tree.merges[merges - 1].ami_bits;
  const Measure measure(counts, options.marginals, 1);
  Score objective = 0;
  for (const Count count : counts.bigrams().counts()) objective += measure.h(count);
  const auto left = counts.bigrams().left_marginals();
  const auto right = counts.bigrams().right_marginals();
  for (WordId word = 0; word < tree.leaves; ++word)
    objective -= measure.weigh(static_cast<double>(left[word]), Measure::ln(measure.left_marginal(word))) +
                 measure.weigh(static_cast<double>(right[word]), Measure::ln(measure.right_marginal(word)));
  return measure.ami_bits(objective, counts.bigrams().total());
}

}  // namespace
}  // namespace brown

void validate(const BrownOptions& options) {
  clusters::require_classes(options.classes, "BrownOptions::classes");
  if (options.window != 0 && options.window <= options.classes)
    throw UsageError(
        fmt::format("a window of {} is too small for {} classes", options.window, options.classes),
        fmt::format("it must be at least {}", std::uint64_t{options.classes} + 1), "BrownOptions::window");
  if (options.window != 0 && options.variant == BrownVariant::allsame)
    throw UsageError("the variant allsame has no fixed window", "leave the window out",
                     "BrownOptions::window");
  if (options.resort_every == 0)
    throw UsageError("sorting again every 0 merges makes no sense", "ask for at least 1",
                     "BrownOptions::resort_every");
  if (options.resume && options.checkpoint_file.empty())
    throw UsageError("there is no checkpoint to resume from", "name the checkpoint file",
                     "BrownOptions::checkpoint_file");
}

ClusterResult cluster_brown(const Counts& counts, const BrownOptions& options, const RunOptions& run) {
  validate(options);
  const std::size_t words = counts.vocabulary().size();
  clusters::require_words_for(options.classes, words, "BrownOptions::classes");
  const auto start = brown::Clock::now();
  MergeTree tree = brown::Run(counts, options, run).cluster();
  const std::vector<ClassId> classes = brown::cut(tree, options.classes);
  ClusterResult result;
  result.ami_bits = brown::ami_at(counts, options, tree);
  result.clustering = Clustering(counts.vocabulary(), classes, std::move(tree));
  result.iterations.push_back(
      {"brown", options.classes, words, result.ami_bits, brown::seconds_since(start)});
  return result;
}

}  // namespace firth
