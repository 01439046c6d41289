// The engine of the variant ALLSAME (README.md, section 4).
#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cluster/brown/groups/group_losses.hpp"
#include "cluster/brown/groups/group_window.hpp"
#include "cluster/brown/window/engine.hpp"

namespace firth::brown {
namespace {

template <class Cell>
class GroupEngine final : public Engine {
 public:
  GroupEngine(const EngineInput& input, const GroupSizes& sizes, Recorder& recorder, const RunOptions& run)
      : recorder_(recorder),
        window_(input, sizes.citizens, sizes.clusters),
        losses_(window_, sizes.citizens, run),
        lane_of_node_(2 * input.rank.size(), kNoSlot) {}

  static std::uint64_t bytes(const GroupSizes& sizes, std::size_t words) {
    return GroupWindow<Cell>::bytes(sizes.citizens, sizes.clusters, words) +
           GroupLosses<Cell>::bytes(sizes.citizens, sizes.clusters) + words * 8;
  }

  void insert(WordId word, bool citizen) override {
    const Slot lane = window_.insert(word);
    lane_of_node_[word] = lane;
    recorder_.inserted(state());
    ready_ = false;
    if (citizen) promote(lane);
  }

  void make_all_citizens() override {
    for (Slot lane = 0; lane < window_.lanes(); ++lane)
      if (window_.is_immigrant(lane)) promote(lane);
  }

  void merge_best() override {
    if (!ready_) losses_.prepare();
    ready_ = true;
    const Candidate best = losses_.least();
    apply(best.v, best.w, best.loss);
  }

  void enter_and_merge(std::span<const WordId>) override {
    throw std::logic_error("Brown clustering: words of equal frequency enter together");
  }

  void replay_insert(WordId word, bool citizen) override { insert(word, citizen); }
  void replay_merge(std::uint32_t left, std::uint32_t right) override {
    const Slot v = lane_of_node_[left];
    const Slot w = lane_of_node_[right];
    if (v == kNoSlot || w == kNoSlot || v == w || (window_.is_immigrant(v) && window_.is_immigrant(w)))
      throw std::logic_error("Brown clustering: a known merge has no clusters");
    apply(v, w, window_.any_loss(v, w));
  }
  void end_replay() override {}

  void adopt(std::span<const WordId>, std::uint32_t) override {
    throw std::logic_error("Brown clustering: immigrants are single words");
  }
  void hand_over(Engine& other) const override {
    for (Slot lane = 0; lane < window_.lanes(); ++lane)
      if (window_.is_live(lane)) other.adopt(window_.words(lane), window_.node(lane));
  }

  std::size_t live() const override { return window_.live(); }
  void check() override {
    window_.check();
    if (ready_) losses_.check();
  }
  EngineStats stats() const override {
    EngineStats stats;
    losses_.add_to(stats);
    return stats;
  }

 private:
  WindowState state() const { return {window_.objective(), window_.inside(), window_.live()}; }

  void promote(Slot lane) {
    window_.make_citizen(lane);
    losses_.add_citizen(lane);
  }

  void apply(Slot v, Slot w, Score loss) {
    // An immigrant moves; of two citizens, the one with fewer words.
    if (window_.row_of(v) == kNoRow ||
        (window_.row_of(w) != kNoRow && window_.words(v).size() < window_.words(w).size()))
      std::swap(v, w);
    const Row kept = window_.row_of(v);
    std::uint32_t left = window_.node(v);
    std::uint32_t right = window_.node(w);
    if (window_.head(w) < window_.head(v)) std::swap(left, right);
    losses_.remove(w);
    if (ready_) losses_.before_merge(kept, w, loss);
    window_.merge(kept, w, loss);
    if (ready_) losses_.after_merge(kept);
    const std::uint32_t node = recorder_.merged(left, right, state());
    window_.set_node(v, node);
    lane_of_node_[left] = lane_of_node_[right] = kNoSlot;
    lane_of_node_[node] = v;
  }

  Recorder& recorder_;
  GroupWindow<Cell> window_;
  GroupLosses<Cell> losses_;
  bool ready_ = false;  ///< losses are up to date
  std::vector<Slot> lane_of_node_;
};

}  // namespace

std::uint64_t group_engine_bytes(Count total, const GroupSizes& sizes, std::size_t words) {
  return total < UINT32_MAX ? GroupEngine<std::uint32_t>::bytes(sizes, words)
                            : GroupEngine<std::uint64_t>::bytes(sizes, words);
}

std::unique_ptr<Engine> make_group_engine(const EngineInput& input, const GroupSizes& sizes,
                                          Recorder& recorder, const RunOptions& run) {
  if (input.measure.total() < UINT32_MAX)
    return std::make_unique<GroupEngine<std::uint32_t>>(input, sizes, recorder, run);
  return std::make_unique<GroupEngine<std::uint64_t>>(input, sizes, recorder, run);
}

}  // namespace firth::brown
