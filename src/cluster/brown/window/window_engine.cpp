#include "cluster/brown/window/window_engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.hpp"
#include "cluster/brown/lookahead/incoming_words.hpp"
#include "cluster/brown/window/bounded_window.hpp"
#include "cluster/brown/window/search.hpp"
#include "firth/error.hpp"

namespace firth::brown {
namespace {

template <class Cell>
class WindowEngineOf final : public WindowEngine {
 public:
  WindowEngineOf(const EngineInput& input, const WindowShape& shape, Recorder& recorder,
                 const RunOptions& run)
      : input_(input),
        team_(run.threads),
        clusters_(input_, shape.capacity, recorder),
        search_(clusters_, team_, run),
        counter_(input_),
        incoming_(input_, window(), team_, shape.lookahead) {}

  void insert(WordId word) override {
    clusters_.require_bounds();
    counter_.count(window(), word, new_word_);
    clusters_.insert(new_word_);
  }

  void merge_best() override {
    clusters_.require_bounds();
    clusters_.merge(least());
    clusters_.compact_if_empty();
  }

  void insert_and_merge(std::span<const WordId> words) override {
    clusters_.require_bounds();
    const NewWord& word = incoming_.next(words);
    if (clusters_.is_bound(word.word)) return insert_and_search(word);
    const Candidate best = best_of_row(word);
    // No loss inside the window falls when a word enters (fact 1), rounding apart.
    if (search_.any_at_most(best.loss + clusters_.row_slack())) return insert_and_search(word);
    clusters_.absorb(word, best.v, best.loss);
    incoming_.placed({best.v, kNoSlot});
  }

  void replay_insert(WordId word) override {
    counter_.count(window(), word, new_word_);
    clusters_.replay_insert(new_word_);
  }

  bool replay_merge(std::uint32_t left, std::uint32_t right) override {
    const Slot v = window().slots().find_node(left);
    const Slot w = window().slots().find_node(right);
    if (v == kNoSlot || w == kNoSlot || v == w || clusters_.closed().contains(v, w)) return false;
    clusters_.replay_merge(v, w);
    clusters_.compact_if_empty();
    return true;
  }

  void add_cluster(const ClusterWords& cluster) override { clusters_.add_cluster(cluster, counter_); }

  void open_all() override { clusters_.open_all(); }

  std::vector<ClusterWords> clusters() const override {
    std::vector<ClusterWords> all;
    for (Slot slot = 0; slot < window().used(); ++slot)
      if (window().is_live(slot)) all.push_back({window().node(slot), window().words(slot)});
    return all;
  }

  std::size_t live() const override { return window().live() - (input_.line_ends ? 1 : 0); }

  void check() override {
    clusters_.require_bounds();
    window().check();
    search_.check();
  }

 private:
  const Window<Cell>& window() const { return clusters_.window(); }

  Candidate least() {
    const Candidate best = search_.least();
    if (best.v == kNoSlot)
      throw UsageError(fmt::format("the constraints allow none of {} clusters to merge", live()),
                       "ask for more classes, or drop some constraints");
    return best;
  }

  void insert_and_search(const NewWord& word) {
    clusters_.insert(word, incoming_.losses());
    const MergedSlots merged = clusters_.merge(least());
    incoming_.placed({merged.kept, merged.gone});
  }

  /// The cluster that a new word had best become part of.
  Candidate best_of_row(const NewWord& word) {
    const Score least = incoming_.least(ties_);
    Candidate best;
    const std::uint32_t rank = input_.rank[word.word];
    for (const Slot w : ties_)
      best = std::min(best, Candidate::of(least, w, window().rank(w), kNoSlot, rank));
    return best;
  }

  EngineInput input_;
  base::Team team_;
  BoundedWindow<Cell> clusters_;
  Search<Cell> search_;
  NeighbourCounter counter_;
  IncomingWords<Cell> incoming_;
  NewWord new_word_;
  std::vector<std::uint32_t> ties_;
};

}  // namespace

std::uint64_t window_engine_bytes(Count total, std::size_t capacity, std::size_t words) {
  const std::uint64_t window = fits_in_32_bits(total) ? Window<std::uint32_t>::bytes(capacity, words)
                                                      : Window<std::uint64_t>::bytes(capacity, words);
  return window + Bounds::bytes(capacity) + capacity * 1200;
}

std::uint64_t lookahead_bytes(Count total, std::size_t capacity, std::size_t words, unsigned threads) {
  return fits_in_32_bits(total) ? LookaheadScorers<std::uint32_t>::bytes(capacity, words, threads)
                                : LookaheadScorers<std::uint64_t>::bytes(capacity, words, threads);
}

std::unique_ptr<WindowEngine> make_window_engine(const EngineInput& input, const WindowShape& shape,
                                                 Recorder& recorder, const RunOptions& run) {
  if (fits_in_32_bits(input.terms.total()))
    return std::make_unique<WindowEngineOf<std::uint32_t>>(input, shape, recorder, run);
  return std::make_unique<WindowEngineOf<std::uint64_t>>(input, shape, recorder, run);
}

}  // namespace firth::brown
