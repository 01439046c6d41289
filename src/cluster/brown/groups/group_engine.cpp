#include "cluster/brown/groups/group_engine.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "cluster/brown/groups/group_losses.hpp"
#include "cluster/brown/groups/group_window.hpp"

namespace firth::brown {
namespace {

template <class Cell>
class GroupEngineOf final : public GroupEngine {
 public:
  GroupEngineOf(const EngineInput& input, const GroupShape& shape, Recorder& recorder, const RunOptions& run)
      : recorder_(recorder),
        window_(input, shape.citizens, shape.clusters),
        losses_(window_, shape.citizens, run),
        lane_of_node_(2 * input.rank.size(), kNoSlot) {}

  static std::uint64_t bytes(const GroupShape& shape, std::size_t words) {
    return GroupWindow<Cell>::bytes(shape.citizens, shape.clusters, words) +
           GroupLosses<Cell>::bytes(shape.citizens, shape.clusters) + words * 2 * sizeof(Slot);
  }

  void promote_all() override {
    for (Slot lane = 0; lane < window_.lanes(); ++lane)
      if (window_.is_immigrant(lane)) promote(lane);
  }

  void insert(WordId word) override {
    lane_of_node_[word] = window_.insert(word);
    recorder_.inserted(state());
    has_losses_ = false;
  }

  void add_cluster(const ClusterWords& cluster) override {
    const Slot citizen = window_.insert(cluster.words[0]);
    promote(citizen);
    for (const WordId word : std::span(cluster.words).subspan(1)) {
      const Slot lane = window_.insert(word);
      window_.merge(window_.row_of(citizen), lane, window_.loss(lane, citizen));
    }
    set_node(citizen, cluster.node);
    has_losses_ = false;
  }

  void merge_best() override {
    if (!has_losses_) losses_.prepare();
    has_losses_ = true;
    const Candidate best = losses_.least();
    merge(best.v, best.w, best.loss);
  }

  bool replay_merge(std::uint32_t left, std::uint32_t right) override {
    const Slot v = find_node(left);
    const Slot w = find_node(right);
    if (v == kNoSlot || w == kNoSlot || v == w || (window_.is_immigrant(v) && window_.is_immigrant(w)))
      return false;
    merge(v, w, window_.loss(v, w));
    return true;
  }

  std::vector<ClusterWords> clusters() const override {
    std::vector<ClusterWords> all;
    for (const Slot lane : window_.slots().list_live())
      all.push_back({window_.slots().node(lane), window_.words(lane)});
    return all;
  }

  std::size_t live() const override { return window_.slots().live(); }

  void check() override {
    window_.check();
    if (has_losses_) losses_.check();
  }

 private:
  WindowState state() const { return {window_.objective(), window_.inside(), live()}; }

  /// kNoSlot if there is no such cluster.
  Slot find_node(std::uint32_t node) const {
    return node < lane_of_node_.size() ? lane_of_node_[node] : kNoSlot;
  }

  void set_node(Slot lane, std::uint32_t node) {
    window_.set_node(lane, node);
    lane_of_node_[node] = lane;
  }

  void promote(Slot lane) {
    window_.make_citizen(lane);
    losses_.add_citizen(lane);
  }

  void merge(Slot v, Slot w, Score loss) {
    // An immigrant moves; of two citizens, the one with fewer words.
    if (window_.row_of(v) == kNoRow ||
        (window_.row_of(w) != kNoRow && window_.word_count(v) < window_.word_count(w)))
      std::swap(v, w);
    const Row kept = window_.row_of(v);
    std::uint32_t left = window_.slots().node(v);
    std::uint32_t right = window_.slots().node(w);
    if (window_.slots().head(w) < window_.slots().head(v)) std::swap(left, right);
    losses_.remove(w);
    if (has_losses_) losses_.before_merge(kept, w, loss);
    window_.merge(kept, w, loss);
    if (has_losses_) losses_.after_merge(kept);
    lane_of_node_[left] = lane_of_node_[right] = kNoSlot;
    set_node(v, recorder_.merged(left, right, state()));
  }

  Recorder& recorder_;
  GroupWindow<Cell> window_;
  GroupLosses<Cell> losses_;
  bool has_losses_ = false;         ///< of the clusters as they are
  std::vector<Slot> lane_of_node_;  ///< kNoSlot for nodes that are not there
};

}  // namespace

std::uint64_t group_engine_bytes(Count total, const GroupShape& shape, std::size_t words) {
  return fits_in_32_bits(total) ? GroupEngineOf<std::uint32_t>::bytes(shape, words)
                                : GroupEngineOf<std::uint64_t>::bytes(shape, words);
}

std::unique_ptr<GroupEngine> make_group_engine(const EngineInput& input, const GroupShape& shape,
                                               Recorder& recorder, const RunOptions& run) {
  if (fits_in_32_bits(input.terms.total()))
    return std::make_unique<GroupEngineOf<std::uint32_t>>(input, shape, recorder, run);
  return std::make_unique<GroupEngineOf<std::uint64_t>>(input, shape, recorder, run);
}

}  // namespace firth::brown
