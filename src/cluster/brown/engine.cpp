#include "cluster/brown/engine.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "cluster/brown/bounds.hpp"
#include "cluster/brown/potentials.hpp"
#include "cluster/brown/row_scorer.hpp"
#include "cluster/brown/window.hpp"

namespace firth::brown {
namespace {

constexpr Score kNoLoss = std::numeric_limits<Score>::max();

/// A pair that might merge; the smaller one wins.
struct Candidate {
  Score loss = kNoLoss;
  std::uint32_t first = UINT32_MAX;   ///< rank of the cluster that ranks first
  std::uint32_t second = UINT32_MAX;  ///< rank of the other
  Slot v = kNoSlot;
  Slot w = kNoSlot;

  bool operator<(const Candidate& other) const {
    return std::tie(loss, first, second) < std::tie(other.loss, other.first, other.second);
  }
};

Candidate candidate(Score loss, Slot v, std::uint32_t rank_v, Slot w, std::uint32_t rank_w) {
  return {loss, std::min(rank_v, rank_w), std::max(rank_v, rank_w), v, w};
}

/// No loss of a pair is above F, and F is at most the bigrams times the logarithm of the window.
Score largest_loss(const Measure& measure, std::size_t capacity) {
  return measure.weigh(static_cast<double>(std::max<Count>(measure.total(), 1)),
                       Measure::ln(std::max<std::size_t>(capacity, 2)));
}

template <class Cell>
class WindowEngine final : public Engine {
 public:
  WindowEngine(const EngineInput& input, std::size_t capacity, Recorder& recorder, const RunOptions& run)
      : input_(input),
        recorder_(recorder),
        run_(run),
        window_(input.measure, capacity, input.counts.vocabulary().size()),
        bounds_(capacity, largest_loss(input.measure, capacity)),
        scorer_(window_),
        place_(window_.stride()),
        losses_(window_.stride()),
        drops_(window_.stride()) {}

  void insert(WordId word, bool citizen) override {
    const NewWord met = meet(word);
    bounds_.add_row(put(met, citizen), citizen);
    touch(met);
  }

  void make_all_citizens() override {
    window_.make_all_citizens();
    bounds_.make_all_citizens();
  }

  void merge_best() override {
    merge(search({}, false));
    if (window_.live() < window_.used() - window_.used() / 4) compact();
  }

  void enter_and_merge(std::span<const WordId> words) override {
    const NewWord word = meet(words[0]);
    const std::span<Score> losses(losses_.data(), window_.lanes());
    scorer_.score(word, losses);
    ++stats_.rows;
    const Candidate best = best_of_row(word, losses);
    // No loss inside the window falls when a word enters (fact 1), rounding apart.
    Candidate rival;
    rival.loss = best.loss + row_slack();
    if (search(rival, true).v == kNoSlot) return absorb(word, best);
    const Slot slot = put(word, true);
    bounds_.add_row(slot, losses);
    ++stats_.insertions;
    touch(word);
    merge(search({}, false));
  }

  void replay_insert(WordId word, bool citizen) override { put(meet(word), citizen); }

  void replay_merge(std::uint32_t left, std::uint32_t right) override {
    Slot v = kNoSlot;
    Slot w = kNoSlot;
    for (Slot slot = 0; slot < window_.used(); ++slot) {
      if (!window_.is_live(slot)) continue;
      if (window_.node(slot) == left) v = slot;
      if (window_.node(slot) == right) w = slot;
    }
    if (v == kNoSlot || w == kNoSlot)
      throw std::logic_error("Brown clustering: a known merge has no clusters");
    merge_window(v, w, window_.loss(v, w));
    if (window_.live() < window_.used() - window_.used() / 4) compact();
  }

  void end_replay() override {
    for (Slot slot = 0; slot < window_.used(); ++slot)
      if (window_.is_live(slot)) bounds_.add_row(slot, window_.is_citizen(slot));
  }

  std::size_t live() const override { return window_.live(); }
  void check() const override { window_.check(); }
  EngineStats stats() const override { return stats_; }

  Score connection(WordId word) const override {
    const Measure& measure = input_.measure;
    const NewWord met = meet(word);
    const double left = Measure::ln(measure.left_marginal(word)) - measure.inside_weight();
    const double right = Measure::ln(measure.right_marginal(word)) - measure.inside_weight();
    Score sum = 0;
    for (const auto& [slot, after, before] : met.meetings) {
      if (after > 0)
        sum += measure.h(after) -
               measure.weigh(static_cast<double>(after), left + window_.right().ln_marginal[slot]);
      if (before > 0)
        sum += measure.h(before) -
               measure.weigh(static_cast<double>(before), window_.left().ln_marginal[slot] + right);
    }
    return sum;
  }

 private:
  NewWord meet(WordId word) const {
    NewWord result;
    result.word = word;
    const auto collect = [&](const PairCounts& pairs, Count Meeting::*count) {
      const auto others = pairs.right_words(word);
      const auto counts = pairs.right_counts(word);
      for (std::size_t i = 0; i < others.size(); ++i) {
        const Slot slot = window_.slot_of(others[i]);
        if (slot == kNoSlot) continue;
        if (place_[slot] == 0) {
          result.meetings.push_back({slot, 0, 0});
          place_[slot] = static_cast<std::uint32_t>(result.meetings.size());
        }
        result.meetings[place_[slot] - 1].*count += counts[i];
      }
    };
    collect(input_.counts.bigrams(), &Meeting::after);
    collect(input_.transposed, &Meeting::before);
    result.self = self_count(word);
    result.left_degree = result.right_degree = result.self;
    for (const Meeting& meeting : result.meetings) {
      place_[meeting.slot] = 0;
      result.left_degree += meeting.after;
      result.right_degree += meeting.before;
    }
    return result;
  }

  Count self_count(WordId word) const {
    const auto others = input_.counts.bigrams().right_words(word);
    const auto found = std::lower_bound(others.begin(), others.end(), word);
    if (found == others.end() || *found != word) return 0;
    return input_.counts.bigrams().right_counts(word)[static_cast<std::size_t>(found - others.begin())];
  }

  Slot put(const NewWord& word, bool citizen) {
    const Slot slot = window_.insert(word, input_.rank[word.word], citizen);
    bounds_.set_lanes(window_.lanes());
    recorder_.inserted(state());
    return slot;
  }

  WindowState state() const { return {window_.objective(), window_.inside(), window_.live()}; }

  /// Rounding of one loss: half a step for each cell, a few for each S ln M.
  Score row_slack() const { return kTouchSlack + static_cast<Score>(16 * window_.used()); }

  /// Bounds of clusters that met an inserted word: only rounding can have lowered their losses.
  void touch(const NewWord& word) {
    for (const Meeting& meeting : word.meetings) bounds_.lower(meeting.slot, kTouchSlack);
  }

  Candidate best_of_row(const NewWord& word, std::span<const Score> losses) const {
    const Score least = smallest(losses);
    Candidate best;
    for (Slot w = 0; w < losses.size(); ++w)
      if (losses[w] == least)
        best = std::min(best, candidate(least, w, window_.rank(w), kNoSlot, input_.rank[word.word]));
    return best;
  }

  /// The least candidate among `best` and all pairs inside; with `any`, the first found below `best`.
  Candidate search(Candidate best, bool any) {
    pending_.assign(bounds_.covers().begin(), bounds_.covers().end());
    for (std::uint64_t visits = 0;; ++visits) {
      const Bound least = smallest(pending_);
      if (least == Bounds::kNever || least > bounds_.units(best.loss)) return best;
      const auto v = static_cast<Slot>(std::find(pending_.begin(), pending_.end(), least) - pending_.begin());
      pending_[v] = Bounds::kNever;
      best = visit(v, best);
      if (any && best.v != kNoSlot) return best;
      if (visits % 64 == 63) run_.check_stop();
    }
  }

  Candidate visit(Slot v, Candidate best) {
    ++stats_.scans;
    const std::span<Bound> row = bounds_.read(v);
    const auto evaluate = [&](Slot w) {
      const Score loss = window_.loss(v, w);
      ++stats_.evaluations;
      bounds_.set_pair(v, w, loss);
      row[w] = std::max(bounds_.fresh(loss), Bounds::kLeast);
      best = std::min(best, candidate(loss, v, window_.rank(v), w, window_.rank(w)));
    };
    if (best.loss == kNoLoss) {
      const Bound least = smallest(std::span<const Bound>(row));
      if (least == Bounds::kNever) return best;
      evaluate(static_cast<Slot>(std::find(row.begin(), row.end(), least) - row.begin()));
    }
    for (Slot w = 0; w < row.size(); ++w)
      if (row[w] <= bounds_.units(best.loss)) evaluate(w);
    bounds_.finish(v);
    return best;
  }

  void absorb(const NewWord& word, const Candidate& best) {
    const Slot slot = best.v;
    const Score gain = window_.gain(word);
    const WindowState between{window_.objective() + gain,
                              window_.inside() + word.left_degree + word.right_degree - word.self,
                              window_.live() + 1};
    recorder_.inserted(between);
    const std::span<Score> drops(drops_.data(), window_.lanes());
    absorb_drops(window_, word, slot, best.loss, drops);
    for (Slot w = 0; w < drops.size(); ++w)
      if (drops[w] > 0 && w != slot) bounds_.lower(w, drops[w]);
    bounds_.lower(slot, best.loss + row_slack());
    const std::uint32_t other = window_.node(slot);
    const bool before = window_.head(slot) < word.word;
    window_.absorb(word, slot, gain - best.loss, input_.rank[word.word]);
    window_.set_node(slot, recorder_.merged(before ? other : word.word, before ? word.word : other, state()));
  }

  void merge(const Candidate& best) {
    Slot kept = best.v;
    Slot gone = best.w;
    if (window_.after_fill(kept) + window_.before_fill(kept) <
        window_.after_fill(gone) + window_.before_fill(gone))
      std::swap(kept, gone);
    const std::span<Score> drops(drops_.data(), window_.lanes());
    merge_drops(window_, kept, gone, drops);
    bounds_.merge_rows(kept, gone, best.loss + row_slack(), drops);
    merge_window(kept, gone, best.loss);
  }

  void merge_window(Slot kept, Slot gone, Score loss) {
    std::uint32_t left = window_.node(kept);
    std::uint32_t right = window_.node(gone);
    if (window_.head(gone) < window_.head(kept)) std::swap(left, right);
    window_.merge(kept, gone, loss);
    window_.set_node(kept, recorder_.merged(left, right, state()));
  }

  void compact() {
    const std::vector<Slot> moved = window_.compact();
    bounds_.compact(moved, window_.stride(), window_.lanes());
  }

  EngineInput input_;
  Recorder& recorder_;
  const RunOptions& run_;
  Window<Cell> window_;
  Bounds bounds_;
  RowScorer<Cell> scorer_;
  mutable std::vector<std::uint32_t> place_;
  std::vector<Score> losses_;
  std::vector<Score> drops_;
  std::vector<Bound> pending_;
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

std::unique_ptr<Engine> make_engine(const EngineInput& input, std::size_t capacity, Recorder& recorder,
                                    const RunOptions& run) {
  if (fits_in_32_bits(input.measure.total()))
    return std::make_unique<WindowEngine<std::uint32_t>>(input, capacity, recorder, run);
  return std::make_unique<WindowEngine<std::uint64_t>>(input, capacity, recorder, run);
}

}  // namespace firth::brown
