// Words scored ahead of their turn must have the losses that scoring them at their turn gives, whatever has
// happened in between.
#include "cluster/brown/lookahead/incoming_words.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <thread>

#include "base/rng.hpp"
#include "firth/brown.hpp"
#include "reference/brown_corpus.hpp"

namespace firth::brown {
namespace {

struct Text {
  Text(base::Rng& rng, std::uint32_t words, std::uint32_t tokens, BrownMarginals marginals)
      : counts(reference::skewed_counts(rng, {.words = words, .tokens = tokens, .self = 0.05})),
        transposed(counts.bigrams().transposed()),
        terms(counts, marginals, 1),
        order(counts.vocabulary().size()),
        rank(order.size()) {
    std::iota(order.begin(), order.end(), 0);
    std::iota(rank.begin(), rank.end(), 0);
  }
  Counts counts;
  PairCounts transposed;
  ObjectiveTerms terms;
  std::vector<WordId> order;
  std::vector<std::uint32_t> rank;
};

/// A window that words enter in ways that no search would choose.
class RandomPlacements {
 public:
  RandomPlacements(const Text& text, std::size_t clusters, unsigned threads, base::Rng& rng)
      : rng_(rng),
        input_{text.counts, text.transposed, text.terms, text.rank},
        team_(threads),
        window_(text.terms, clusters + 1, text.order.size()),
        incoming_(input_, window_, team_, true),
        counter_(input_),
        fresh_(window_),
        fresh_losses_(window_.stride()) {
    for (; inside_ < clusters; ++inside_) put(text.order[inside_]);
  }

  std::size_t inside() const { return inside_; }
  std::uint64_t scored_ahead() const { return incoming_.scored_ahead(); }

  void enter(std::span<const WordId> words) {
    const NewWord& word = incoming_.next(words);
    expect_fresh(word, words[0]);
    if (rng_.below(40) == 0) {
      const auto losses = incoming_.losses();
      ASSERT_TRUE(std::equal(losses.begin(), losses.begin() + static_cast<std::ptrdiff_t>(window_.lanes()),
                             fresh_losses_.begin()));
      put(words[0]);
      const auto [kept, gone] = two_clusters();
      window_.merge(kept, gone, 0);
      incoming_.placed({kept, gone});
    } else {
      // The best cluster, or another one that the word has to do with, or any.
      Slot slot = ties_[0];
      const auto choice = rng_.below(3);
      if (choice == 1 && !word.neighbours.empty())
        slot = word.neighbours[rng_.below(word.neighbours.size())].slot;
      else if (choice == 2)
        slot = two_clusters().first;
      window_.absorb(word, slot, 0, words[0]);
      incoming_.placed({slot, kNoSlot});
    }
    ++inside_;
  }

 private:
  void put(WordId word) {
    counter_.count(window_, word, new_word_);
    window_.insert(new_word_, word);
  }

  std::pair<Slot, Slot> two_clusters() {
    std::vector<Slot> live;
    for (Slot slot = 0; slot < window_.used(); ++slot)
      if (window_.is_live(slot)) live.push_back(slot);
    const std::size_t i = rng_.below(live.size());
    return {live[i], live[(i + 1 + rng_.below(live.size() - 1)) % live.size()]};
  }

  void expect_fresh(const NewWord& word, WordId expected) {
    ASSERT_EQ(word.word, expected);
    const Score least = incoming_.least(ties_);
    counter_.count(window_, expected, new_word_);
    fresh_.score(new_word_, {fresh_losses_.data(), window_.lanes()});
    const std::span<const Score> losses(fresh_losses_.data(), window_.lanes());
    ASSERT_EQ(least, *std::min_element(losses.begin(), losses.end()));
    std::vector<std::uint32_t> ties;
    collect(losses, least, ties);
    std::sort(ties_.begin(), ties_.end());
    ASSERT_EQ(ties_, ties);
  }

  base::Rng& rng_;
  EngineInput input_;
  base::Team team_;
  Window<std::uint32_t> window_;
  IncomingWords<std::uint32_t> incoming_;
  NeighbourCounter counter_;
  RowScorer<std::uint32_t> fresh_;
  std::vector<Score> fresh_losses_;
  NewWord new_word_;
  std::vector<std::uint32_t> ties_;
  std::size_t inside_ = 0;
};

// Pauses let the lookahead run far ahead; without one, they have just begun.
TEST(IncomingWords, HaveTheLossesOfTheirTurn) {
  base::Rng rng(21);
  std::uint64_t scored_ahead = 0;
  for (int round = 0; round < 12; ++round) {
    const Text text(rng, 1500, 4000 + static_cast<std::uint32_t>(rng.below(20000)),
                    round % 2 == 0 ? BrownMarginals::bigram : BrownMarginals::unigram);
    RandomPlacements placements(text, 8 + rng.below(80), 2 + static_cast<unsigned>(round % 3), rng);
    while (placements.inside() < text.order.size()) {
      if (rng.below(20) == 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
      placements.enter(std::span(text.order).subspan(placements.inside()));
      if (HasFatalFailure()) return;
    }
    scored_ahead += placements.scored_ahead();
  }
  EXPECT_GT(scored_ahead, 0);
}

}  // namespace
}  // namespace firth::brown
