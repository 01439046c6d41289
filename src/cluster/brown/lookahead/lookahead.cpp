#include "cluster/brown/lookahead/lookahead.hpp"

#include <algorithm>
#include <new>

namespace firth::brown {
namespace {

constexpr unsigned kMaxScorers = 3;  // more would wait for the thread that places the words
constexpr int kSpinLimit = 256;      // checks of a report that is being written: some microseconds

}  // namespace

template <class Cell>
std::uint64_t LookaheadScorers<Cell>::bytes(std::size_t capacity, std::size_t words, unsigned threads) {
  constexpr std::uint64_t kBytesPerLane = 1300;  // logarithms, losses, reports
  const std::uint64_t one = Window<Cell>::bytes(capacity, words) + capacity * kBytesPerLane + words * 8;
  return std::min(threads - 1, kMaxScorers) * one + words * sizeof(Placement);
}

template <class Cell>
bool LookaheadScorers<Cell>::begin(const Window<Cell>& window, std::span<const WordId> words) {
  end();
  words_ = words;
  position_ = 0;
  placed_.value.store(0, std::memory_order_relaxed);
  claimed_.value.store(0, std::memory_order_relaxed);
  for (Place& place : places_) place.number.store(0, std::memory_order_relaxed);
  try {
    placements_.resize(words.size());
    for (unsigned thread = 1; thread < team_.size() && thread <= kMaxScorers; ++thread)
      scorers_.push_back(std::make_unique<Scorer>(input_, window));
  } catch (const std::bad_alloc&) {  // fewer scorers, or none
  }
  if (scorers_.empty()) return false;
  team_.set_idle_task([this](unsigned thread) { return step(*scorers_[thread - 1]); },
                      static_cast<unsigned>(scorers_.size()));
  return true;
}

template <class Cell>
void LookaheadScorers<Cell>::end() {
  if (scorers_.empty()) return;
  team_.set_idle_task({}, 0);
  scorers_.clear();
}

// Repeats what has happened to the window.
template <class Cell>
void LookaheadScorers<Cell>::follow(Scorer& scorer, std::uint32_t position) {
  for (; scorer.seen < position; ++scorer.seen) {
    const WordId word = words_[scorer.seen];
    const auto [slot, gone] = placements_[scorer.seen];
    scorer.words.counter.count(scorer.window, word, scorer.new_word);
    if (gone == kNoSlot) {
      scorer.window.absorb(scorer.new_word, slot, 0, input_.rank[word]);
    } else {
      scorer.window.insert(scorer.new_word, input_.rank[word]);
      scorer.window.merge(slot, gone, 0);
    }
  }
}

template <class Cell>
bool LookaheadScorers<Cell>::claim(std::uint32_t& word, std::uint32_t position) {
  const std::size_t end = std::min(words_.size(), position + kMaxAhead);
  word = claimed_.value.load(std::memory_order_relaxed);
  while (word < end)
    if (claimed_.value.compare_exchange_weak(word, word + 1, std::memory_order_relaxed)) return true;
  return false;
}

// A thread that was suspended between its claim and here may be too late: the place is another word's by
// then.
template <class Cell>
void LookaheadScorers<Cell>::score(std::uint32_t word, std::uint32_t seen, WordScorer<Cell>& scorer) {
  Place& place = places_[word % kMaxAhead];
  if (place.taken.exchange(true, std::memory_order_acquire)) return;
  struct Leave {
    std::atomic<bool>& taken;
    ~Leave() { taken.store(false, std::memory_order_release); }
  } const leave{place.taken};
  if (placed_.value.load(std::memory_order_acquire) > word) return;
  scorer.score(words_[word], input_.rank[words_[word]], place.report.scored);
  place.report.seen = seen;
  place.number.store(word + 1, std::memory_order_release);
}

template <class Cell>
bool LookaheadScorers<Cell>::step(Scorer& scorer) {
  const std::uint32_t position = placed_.value.load(std::memory_order_acquire);
  const bool behind = scorer.seen < position;
  std::uint32_t word = 0;
  if (scorer.out_of_memory) return false;
  try {
    follow(scorer, position);
    if (!claim(word, position)) return behind;
    score(word, position, scorer.words);
  } catch (const std::bad_alloc&) {
    scorer.out_of_memory = true;
  }
  return true;
}

template <class Cell>
auto LookaheadScorers<Cell>::take(WordScorer<Cell>& own) -> const Report* {
  std::uint32_t word = position_;
  if (claimed_.value.compare_exchange_strong(word, position_ + 1, std::memory_order_relaxed)) return nullptr;
  const Place& place = places_[position_ % kMaxAhead];
  const auto finished = [&] { return place.number.load(std::memory_order_acquire) == position_ + 1; };
  if (!finished() && claim(word, position_)) score(word, position_, own);
  for (int check = 0; !finished(); ++check)
    if (check == kSpinLimit)
      return nullptr;
    else
      base::cpu_pause();
  return &place.report;
}

template <class Cell>
void LookaheadScorers<Cell>::placed(Placement placement) {
  placements_[position_++] = placement;
  placed_.value.store(position_, std::memory_order_release);
  if (position_ == words_.size()) return end();
  team_.wake();
}

template class LookaheadScorers<std::uint32_t>;
template class LookaheadScorers<std::uint64_t>;

}  // namespace firth::brown
