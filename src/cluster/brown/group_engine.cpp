// The engine of the variant ALLSAME. A merge of citizen s with t for a loss l changes other losses by little
// and in known ways, so that few are evaluated again (README.md, section 4).
#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cluster/brown/engine.hpp"
#include "cluster/brown/group_window.hpp"
#include "cluster/brown/potentials.hpp"
#include "cluster/brown/search.hpp"

namespace firth::brown {
namespace {

template <class Cell>
class GroupEngine final : public Engine {
 public:
  GroupEngine(const EngineInput& input, const GroupSizes& sizes, Recorder& recorder, const RunOptions& run)
      : input_(input),
        recorder_(recorder),
        run_(run),
        window_(input, sizes.citizens, sizes.clusters),
        keys_(sizes.citizens * window_.stride()),
        row_falls_(sizes.citizens),
        lane_falls_(window_.stride()),
        least_(window_.stride(), kNoLoss),
        partner_(window_.stride(), kNoSlot),
        met_after_(window_.stride()),
        met_before_(window_.stride()),
        lane_of_node_(2 * input.rank.size(), kNoSlot) {}

  static std::uint64_t bytes(const GroupSizes& sizes, std::size_t words) {
    return GroupWindow<Cell>::bytes(sizes.citizens, sizes.clusters, words) +
           std::uint64_t{sizes.citizens} * (sizes.clusters + kLaneBlock) * sizeof(Score) +
           sizes.clusters * 40 + words * 8;
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
    if (!ready_) prepare();
    const Candidate best = best_pair();
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
  void check() const override { window_.check(); }
  EngineStats stats() const override { return stats_; }

 private:
  WindowState state() const { return {window_.objective(), window_.inside(), window_.live()}; }
  Score slack() const { return kTouchSlack + static_cast<Score>(16 * window_.lanes()); }
  Score& key(Row row, Slot lane) { return keys_[row * window_.stride() + lane]; }
  Score falls(Row row, Slot lane) const { return row_falls_[row] + lane_falls_[lane] + all_falls_; }
  Score bound(Row row, Slot lane) { return key(row, lane) - falls(row, lane); }
  void set_bound(Row row, Slot lane, Score bound) { key(row, lane) = bound + falls(row, lane); }
  bool may_merge(Row row, Slot lane) const {
    return window_.lane_of(row) != kNoSlot && window_.lane_of(row) != lane;
  }

  void promote(Slot lane) {
    window_.make_citizen(lane);
    const Row row = window_.row_of(lane);
    row_falls_[row] = lane_falls_[lane] = 0;
    least_[lane] = -kTouchSlack;  // losses are >= 0, rounding apart
    partner_[lane] = kNoSlot;
    for (Slot other = 0; other < window_.lanes(); ++other) set_bound(row, other, -kTouchSlack);
    for (Row other = 0; other < window_.rows(); ++other) set_bound(other, lane, -kTouchSlack);
  }

  /// Losses of all immigrants, after words have entered. Those of citizens have not fallen (fact 1), rounding
  /// apart.
  void prepare() {
    all_falls_ += slack();
    for (Slot lane = 0; lane < window_.lanes(); ++lane) {
      if (least_[lane] != kNoLoss) least_[lane] -= slack();
      partner_[lane] = kNoSlot;
      if (!window_.is_immigrant(lane)) continue;
      least_[lane] = kNoLoss;
      lane_falls_[lane] = 0;
      for (Row row = 0; row < window_.rows(); ++row) {
        if (!may_merge(row, lane)) continue;
        const Score loss = window_.immigrant_loss(lane, row);
        set_bound(row, lane, loss);
        least_[lane] = std::min(least_[lane], loss);
      }
      if (lane % 256 == 0) run_.check_stop();
    }
    ready_ = true;
  }

  Candidate candidate(Score loss, Slot v, Slot w) const {
    return Candidate::of(loss, v, window_.rank(v), w, window_.rank(w));
  }

  /// The best partner for a cluster: citizens whose bounds reach below the least loss are evaluated.
  Candidate refresh(Slot lane) {
    if (partner_[lane] != kNoSlot) return candidate(least_[lane], lane, partner_[lane]);
    Row first = kNoRow;
    Score least = kNoLoss;
    for (Row row = 0; row < window_.rows(); ++row)
      if (may_merge(row, lane) && bound(row, lane) < least) least = bound(first = row, lane);
    Candidate best;
    const auto evaluate = [&](Row row) {
      const Slot other = window_.lane_of(row);
      const Score loss = window_.any_loss(lane, other);
      ++stats_.evaluations;
      set_bound(row, lane, loss);
      if (window_.row_of(lane) != kNoRow) set_bound(window_.row_of(lane), other, loss);
      best = std::min(best, candidate(loss, lane, other));
    };
    if (first != kNoRow) evaluate(first);
    for (Row row = 0; row < window_.rows(); ++row)
      if (row != first && may_merge(row, lane) && bound(row, lane) <= best.loss) evaluate(row);
    least_[lane] = best.loss;
    partner_[lane] = best.w;
    run_.check_stop();
    return best;
  }

  Candidate best_pair() {
    const std::span<const Score> least(least_.data(), window_.lanes());
    const auto first = static_cast<Slot>(std::min_element(least.begin(), least.end()) - least.begin());
    Candidate best = refresh(first);
    near_.clear();
    collect(least, best.loss, near_);
    for (const Slot lane : near_)
      if (lane != first && least_[lane] != kNoLoss && least_[lane] <= best.loss)
        best = std::min(best, refresh(lane));
    ++stats_.scans;
    return best;
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
    least_[w] = kNoLoss;
    if (ready_) change_losses(kept, w, loss);
    const bool immigrant = window_.is_immigrant(w);
    window_.merge(kept, w, loss);
    if (ready_ && immigrant) renew(kept);
    const std::uint32_t node = recorder_.merged(left, right, state());
    window_.set_node(v, node);
    lane_of_node_[left] = lane_of_node_[right] = kNoSlot;
    lane_of_node_[node] = v;
  }

  void change_losses(Row kept, Slot gone, Score loss) {
    const Score fall = loss + slack();
    if (window_.row_of(gone) != kNoRow) {
      // Facts 2 and 3: no loss falls by more.
      all_falls_ += fall;
      std::fill(partner_.begin(), partner_.end(), kNoSlot);
      for (Score& least : least_)
        if (least != kNoLoss) least -= fall;
      return;
    }
    join_contexts(kept, gone);
    // Fact 3 for the citizen itself.
    const Slot citizen = window_.lane_of(kept);
    row_falls_[kept] += fall;
    lane_falls_[citizen] += fall;
    if (least_[citizen] != kNoLoss) least_[citizen] -= fall;
    partner_[citizen] = kNoSlot;
  }

  /// Losses with a citizen that an immigrant has joined, where they may be the least of a cluster.
  void renew(Row kept) {
    const Slot citizen = window_.lane_of(kept);
    const Score* const keys = keys_.data() + kept * window_.stride();
    const Score common = row_falls_[kept] + all_falls_;
    for (Slot lane = 0; lane < window_.lanes(); ++lane) {
      if (lane == citizen || least_[lane] == kNoLoss ||
          keys[lane] - lane_falls_[lane] - common > least_[lane])
        continue;
      const Score loss = window_.any_loss(lane, citizen);
      ++stats_.evaluations;
      set_bound(kept, lane, loss);
      if (loss < least_[lane]) {
        least_[lane] = loss;
        partner_[lane] = citizen;
      } else if (loss == least_[lane] || partner_[lane] == citizen) {
        partner_[lane] = kNoSlot;
      }
    }
  }

  /// A loss of the cluster may be as small as this; where it is equal to the least, the tie is open.
  void may_be(Slot lane, Score bound) {
    if (bound > least_[lane]) return;
    least_[lane] = bound;
    partner_[lane] = kNoSlot;
  }

  /// Two contexts, an immigrant `gone` and a citizen, become one. This changes losses of a cluster x with a
  /// citizen w if both have to do with the two, and one of them with `gone`: by the same integers as if they
  /// were computed anew.
  void join_contexts(Row kept, Slot gone) {
    near_.clear();
    rows_.clear();
    for (const auto& [lane, after, before] : window_.meetings(gone)) {
      met_after_[lane] = after;
      met_before_[lane] = before;
      if (window_.row_of(lane) == kept) continue;
      near_.push_back(lane);
      if (window_.row_of(lane) != kNoRow) rows_.push_back(window_.row_of(lane));
    }
    for (const Slot lane : near_)
      for (Row row = 0; row < window_.rows(); ++row)
        if (row != kept && may_merge(row, lane)) join_contexts_of(lane, row, kept, gone);
    for (std::size_t i = 0; i < window_.lanes() / 64 && !rows_.empty(); ++i)
      for (std::uint64_t rest = window_.after_bits(kept)[i] | window_.before_bits(kept)[i]; rest != 0;
           rest &= rest - 1) {
        const auto lane = static_cast<Slot>(i * 64 + static_cast<std::size_t>(__builtin_ctzll(rest)));
        const bool met = met_after_[lane] + met_before_[lane] > 0;
        if (met || lane == gone || lane == window_.lane_of(kept)) continue;
        for (const Row row : rows_) join_contexts_of(lane, row, kept, gone);
      }
    for (const Meeting& meeting : window_.meetings(gone))
      met_after_[meeting.slot] = met_before_[meeting.slot] = 0;
  }

  void join_contexts_of(Slot x, Row w, Row kept, Slot gone) {
    const Slot citizen = window_.lane_of(kept);
    const auto change = [&](Count x_gone, Count w_gone, Count x_kept, Count w_kept) {
      const Measure& m = input_.measure;
      return m.phi(x_gone + x_kept, w_gone + w_kept) - m.phi(x_gone, w_gone) - m.phi(x_kept, w_kept);
    };
    key(w, x) +=
        change(met_before_[x], window_.after(w)[gone], window_.before(kept)[x], window_.after(w)[citizen]) +
        change(met_after_[x], window_.before(w)[gone], window_.after(kept)[x], window_.before(w)[citizen]);
    may_be(x, bound(w, x));
  }

  const EngineInput& input_;
  Recorder& recorder_;
  const RunOptions& run_;
  GroupWindow<Cell> window_;
  bool ready_ = false;  ///< losses of immigrants are up to date
  // A loss is at least its key minus the falls of its row, of its lane and of all. A pair of citizens has two
  // keys.
  std::vector<Score> keys_;  ///< by row and lane
  std::vector<Score> row_falls_, lane_falls_;
  Score all_falls_ = 0;
  std::vector<Score> least_;   ///< by lane: a lower bound of all losses of the cluster
  std::vector<Slot> partner_;  ///< with whom it loses exactly that; kNoSlot if it is a bound only
  std::vector<Count> met_after_, met_before_;  ///< by lane: how the immigrant at hand meets it
  std::vector<std::uint32_t> near_;
  std::vector<Row> rows_;
  std::vector<Slot> lane_of_node_;
  EngineStats stats_;
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
