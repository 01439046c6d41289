#include "cluster/brown/window/engine.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/parallel.hpp"
#include "cluster/brown/lookahead/incoming_words.hpp"
#include "cluster/brown/window/bounds.hpp"
#include "cluster/brown/window/loss_drops.hpp"
#include "cluster/brown/window/neighbours.hpp"
#include "cluster/brown/window/search.hpp"
#include "cluster/brown/window/window.hpp"

namespace firth::brown {
namespace {

/// No loss of a pair is above F, and F is at most the bigrams times the logarithm of the window.
Score largest_loss(const Measure& measure, std::size_t capacity) {
  return measure.weigh(static_cast<double>(std::max<Count>(measure.total(), 1)),
                       Measure::ln(std::max<std::size_t>(capacity, 2)));
}

template <class Cell>
class WindowEngine final : public Engine {
 public:
  WindowEngine(const EngineInput& input, const EngineShape& shape, Recorder& recorder, const RunOptions& run)
      : input_(input),
        recorder_(recorder),
        team_(run.threads),
        window_(input.measure, shape.capacity, input.counts.vocabulary().size()),
        bounds_(shape.capacity, largest_loss(input.measure, shape.capacity)),
        search_(window_, bounds_, team_, run),
        gatherer_(input_),
        incoming_(input_, window_, team_, shape.lookahead),
        drops_(window_.stride()) {}

  void insert(WordId word, bool) override {
    gatherer_.gather(window_, word, met_);
    bounds_.add_row(put(met_));
    touch(met_);
  }

  void make_all_citizens() override {}  // they are

  void merge_best() override {
    merge(search_.least());
    compact_if_empty();
  }

  void enter_and_merge(std::span<const WordId> words) override {
    const NewWord& word = incoming_.next(words);
    ++stats_.rows;
    const Candidate best = best_of_row(word);
    // No loss inside the window falls when a word enters (fact 1), rounding apart.
    if (!search_.any_at_most(best.loss + row_slack())) return absorb(word, best);
    const std::span<const Score> losses = incoming_.losses();
    bounds_.add_row(put(word), losses);
    ++stats_.insertions;
    touch(word);
    incoming_.entered(merge(search_.least()));
  }

  void replay_insert(WordId word, bool) override {
    gatherer_.gather(window_, word, met_);
    put(met_);
  }

  void replay_merge(std::uint32_t left, std::uint32_t right) override {
    Slot v = kNoSlot;
    Slot w = kNoSlot;
    for (Slot slot = 0; slot < window_.used(); ++slot) {
      if (!window_.is_live(slot)) continue;
      if (window_.node(slot) == left) v = slot;
      if (window_.node(slot) == right) w = slot;
    }
    if (v == kNoSlot || w == kNoSlot || v == w)
      throw std::logic_error("Brown clustering: a known merge has no clusters");
    merge_window(v, w, window_.loss(v, w));
    compact_if_empty();
  }

  void end_replay() override {
    for (Slot slot = 0; slot < window_.used(); ++slot)
      if (window_.is_live(slot)) bounds_.add_row(slot);
  }

  void hand_over(Engine&) const override {
    throw std::logic_error("Brown clustering: this engine goes on to the end");
  }

  void adopt(std::span<const WordId> words, std::uint32_t node) override {
    const RowScorer<Cell> scorer(window_);
    gatherer_.gather(window_, words[0], met_);
    const Slot slot = window_.insert(met_, input_.rank[words[0]]);
    for (const WordId word : words.subspan(1)) {
      gatherer_.gather(window_, word, met_);
      window_.absorb(met_, slot, window_.gain(met_) - scorer.lane(met_, slot), input_.rank[word]);
    }
    window_.set_node(slot, node);
    bounds_.set_lanes(window_.lanes());
  }

  std::size_t live() const override { return window_.live(); }
  void check() override {
    window_.check();
    search_.check();
  }

  EngineStats stats() const override {
    EngineStats stats = stats_;
    search_.add_to(stats);
    return stats;
  }

 private:
  Slot put(const NewWord& word) {
    const Slot slot = window_.insert(word, input_.rank[word.word]);
    bounds_.set_lanes(window_.lanes());
    recorder_.inserted(state());
    return slot;
  }

  WindowState state() const { return {window_.objective(), window_.inside(), window_.live()}; }

  /// Rounding of one loss: half a step for each cell, a few for each S ln M.
  Score row_slack() const { return kTouchSlack + static_cast<Score>(16 * window_.used()); }

  /// Bounds of clusters that met an inserted word: only rounding can have lowered their losses.
  void touch(const NewWord& word) {
    for (const Neighbour& meeting : word.meetings) bounds_.lower(meeting.slot, kTouchSlack);
  }

  Candidate best_of_row(const NewWord& word) {
    const Score least = incoming_.least(ties_);
    Candidate best;
    const std::uint32_t rank = input_.rank[word.word];
    for (const Slot w : ties_) best = std::min(best, Candidate::of(least, w, window_.rank(w), kNoSlot, rank));
    return best;
  }

  void absorb(const NewWord& word, const Candidate& best) {
    const Slot slot = best.v;
    const Score gain = window_.gain(word);
    recorder_.inserted({window_.objective() + gain,
                        window_.inside() + word.left_degree + word.right_degree - word.self,
                        window_.live() + 1});
    absorb_drops(window_, word, slot, best.loss, word_drops_);
    lower(word_drops_);
    bounds_.lower(slot, best.loss + row_slack());
    const std::uint32_t other = window_.node(slot);
    const bool before = window_.head(slot) < word.word;
    window_.absorb(word, slot, gain - best.loss, input_.rank[word.word]);
    window_.set_node(slot, recorder_.merged(before ? other : word.word, before ? word.word : other, state()));
    incoming_.entered({slot, kNoSlot});
  }

  void lower(const Drops& drops) {
    if (drops.by_lane) return bounds_.lower(drops.lanes);
    for (const auto& [w, drop] : drops.list) bounds_.lower(w, drop);
  }

  std::size_t neighbours(Slot slot) const { return window_.after_fill(slot) + window_.before_fill(slot); }

  /// The cluster with fewer neighbours moves.
  Placement merge(const Candidate& best) {
    const bool swap = neighbours(best.v) < neighbours(best.w);
    const Slot kept = swap ? best.w : best.v;
    const Slot gone = swap ? best.v : best.w;
    const bool by_pairs = merge_pair_drops(window_, kept, gone, pair_drops_);
    for (const auto& [v, w, drop] : pair_drops_) bounds_.lower_pair(v, w, drop);
    if (by_pairs && search_.is_short(neighbours(kept) + neighbours(gone))) {
      merge_window(kept, gone, best.loss);
      bounds_.remove_row(gone);
      bounds_.add_row(kept, search_.row_losses(kept));
    } else {
      const std::span<Score> drops(drops_.data(), window_.lanes());
      if (!by_pairs) merge_drops(window_, kept, gone, drops);
      bounds_.merge_rows(kept, gone, best.loss + row_slack(), by_pairs ? std::span<Score>() : drops);
      merge_window(kept, gone, best.loss);
    }
    return {kept, gone};
  }

  void merge_window(Slot kept, Slot gone, Score loss) {
    std::uint32_t left = window_.node(kept);
    std::uint32_t right = window_.node(gone);
    if (window_.head(gone) < window_.head(kept)) std::swap(left, right);
    window_.merge(kept, gone, loss);
    window_.set_node(kept, recorder_.merged(left, right, state()));
  }

  void compact_if_empty() {
    if (window_.live() >= window_.used() - window_.used() / 4) return;
    const bool all_inside = recorder_.inserted_words() == input_.rank.size();
    const std::vector<Slot> moved = window_.compact(all_inside);
    bounds_.compact(moved, window_.stride(), window_.lanes());
  }

  EngineInput input_;
  Recorder& recorder_;
  base::Team team_;
  Window<Cell> window_;
  Bounds bounds_;
  Search<Cell> search_;
  NeighbourCounter gatherer_;
  IncomingWords<Cell> incoming_;
  NewWord met_;
  std::vector<Score> drops_;
  std::vector<PairDrop> pair_drops_;
  Drops word_drops_;
  std::vector<std::uint32_t> ties_;
  EngineStats stats_;
};

bool fits_in_32_bits(Count total) {
  return total < UINT32_MAX;
}

}  // namespace

std::uint64_t engine_bytes(Count total, std::size_t capacity, std::size_t words) {
  const std::uint64_t window = fits_in_32_bits(total) ? Window<std::uint32_t>::bytes(capacity, words)
                                                      : Window<std::uint64_t>::bytes(capacity, words);
  return window + Bounds::bytes(capacity) + capacity * 1200;
}

std::uint64_t scouts_bytes(Count total, std::size_t capacity, std::size_t words, const RunOptions& run) {
  const unsigned threads = base::resolve_threads(run.threads);
  return fits_in_32_bits(total) ? LookaheadScorers<std::uint32_t>::bytes(capacity, words, threads)
                                : LookaheadScorers<std::uint64_t>::bytes(capacity, words, threads);
}

std::unique_ptr<Engine> make_engine(const EngineInput& input, const EngineShape& shape, Recorder& recorder,
                                    const RunOptions& run) {
  if (fits_in_32_bits(input.measure.total()))
    return std::make_unique<WindowEngine<std::uint32_t>>(input, shape, recorder, run);
  return std::make_unique<WindowEngine<std::uint64_t>>(input, shape, recorder, run);
}

}  // namespace firth::brown
