#include "cluster/brown/lookahead/lookahead.hpp"

#include <algorithm>
#include <new>

namespace firth::brown {
namespace {

constexpr unsigned kMaxLookahead = 3;  // more would wait for the thread that lets words in
constexpr int kPatience = 256;         // looks at a report that somebody is writing: some microseconds

}  // namespace

template <class Cell>
std::uint64_t LookaheadScorers<Cell>::bytes(std::size_t capacity, std::size_t words, unsigned threads) {
  constexpr std::uint64_t kBytesOfLane = 1300;  // logarithms, losses, reports
  const std::uint64_t one = Window<Cell>::bytes(capacity, words) + capacity * kBytesOfLane + words * 8;
  return std::min(threads - 1, kMaxLookahead) * one + words * sizeof(Placement);
}

template <class Cell>
bool LookaheadScorers<Cell>::begin(const Window<Cell>& window, std::span<const WordId> words) {
  end();
  words_ = words;
  position_ = 0;
  entered_.value.store(0, std::memory_order_relaxed);
  claimed_.value.store(0, std::memory_order_relaxed);
  for (Place& place : places_) place.number.store(0, std::memory_order_relaxed);
  try {
    entrances_.resize(words.size());
    for (unsigned scout = 1; scout < team_.size() && scout <= kMaxLookahead; ++scout)
      lookahead_.push_back(std::make_unique<Lookahead>(input_, window));
  } catch (const std::bad_alloc&) {  // fewer helpers, or none
  }
  if (lookahead_.empty()) return false;
  team_.set_idle_task([this](unsigned thread) { return step(*lookahead_[thread - 1]); },
                      static_cast<unsigned>(lookahead_.size()));
  return true;
}

template <class Cell>
void LookaheadScorers<Cell>::end() {
  if (lookahead_.empty()) return;
  team_.set_idle_task({}, 0);
  lookahead_.clear();
}

// Repeats what has happened to the window.
template <class Cell>
void LookaheadScorers<Cell>::follow(Lookahead& scout, std::uint32_t position) {
  for (; scout.seen < position; ++scout.seen) {
    const WordId word = words_[scout.seen];
    const auto [slot, gone] = entrances_[scout.seen];
    scout.scorer.gatherer.gather(scout.window, word, scout.met);
    if (gone == kNoSlot) {
      scout.window.absorb(scout.met, slot, 0, input_.rank[word]);
    } else {
      scout.window.insert(scout.met, input_.rank[word]);
      scout.window.merge(slot, gone, 0);
    }
  }
}

template <class Cell>
bool LookaheadScorers<Cell>::claim(std::uint32_t& word, std::uint32_t position) {
  const std::size_t end = std::min(words_.size(), position + kAhead);
  word = claimed_.value.load(std::memory_order_relaxed);
  while (word < end)
    if (claimed_.value.compare_exchange_weak(word, word + 1, std::memory_order_relaxed)) return true;
  return false;
}

// Whoever was suspended between its claim and here may come too late: the place is another word's by then.
template <class Cell>
void LookaheadScorers<Cell>::score(std::uint32_t word, std::uint32_t seen, WordScorer<Cell>& scorer) {
  Place& place = places_[word % kAhead];
  if (place.taken.exchange(true, std::memory_order_acquire)) return;
  struct Leave {
    std::atomic<bool>& taken;
    ~Leave() { taken.store(false, std::memory_order_release); }
  } const leave{place.taken};
  if (entered_.value.load(std::memory_order_acquire) > word) return;
  scorer.score(words_[word], input_.rank[words_[word]], place.report.scored);
  place.report.seen = seen;
  place.number.store(word + 1, std::memory_order_release);
}

template <class Cell>
bool LookaheadScorers<Cell>::step(Lookahead& scout) {
  const std::uint32_t position = entered_.value.load(std::memory_order_acquire);
  const bool behind = scout.seen < position;
  std::uint32_t word = 0;
  if (scout.lost) return false;
  try {
    follow(scout, position);
    if (!claim(word, position)) return behind;
    score(word, position, scout.scorer);
  } catch (const std::bad_alloc&) {
    scout.lost = true;  // one helper less
  }
  return true;
}

template <class Cell>
auto LookaheadScorers<Cell>::take(WordScorer<Cell>& own) -> const Report* {
  std::uint32_t word = position_;
  if (claimed_.value.compare_exchange_strong(word, position_ + 1, std::memory_order_relaxed)) return nullptr;
  const Place& place = places_[position_ % kAhead];
  const auto finished = [&] { return place.number.load(std::memory_order_acquire) == position_ + 1; };
  if (!finished() && claim(word, position_)) score(word, position_, own);
  for (int look = 0; !finished(); ++look)
    if (look == kPatience)
      return nullptr;
    else
      base::relax();
  return &place.report;
}

template <class Cell>
void LookaheadScorers<Cell>::entered(Placement entrance) {
  entrances_[position_++] = entrance;
  entered_.value.store(position_, std::memory_order_release);
  if (position_ == words_.size()) return end();
  team_.wake();
}

template class LookaheadScorers<std::uint32_t>;
template class LookaheadScorers<std::uint64_t>;

}  // namespace firth::brown
