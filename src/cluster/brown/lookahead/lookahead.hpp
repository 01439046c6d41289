// Threads that score words ahead of their turn, each against its own copy of the window, which follows the
// window by repeating the placement of every word.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/aligned.hpp"
#include "base/parallel.hpp"
#include "cluster/brown/lookahead/word_scorer.hpp"

namespace firth::brown {

/// Where a word went: it joined `slot`, or (`gone` is a slot) it became a cluster, and then `gone` joined
/// `slot`.
struct Placement {
  Slot slot = kNoSlot;
  Slot gone = kNoSlot;
};

/// Words are numbered from 0 on, from where the lookahead began. Which thread scores which word depends on
/// timing; what its scores mean does not: they are valid for the window after `seen` words.
template <class Cell>
class LookaheadScorers {
 public:
  struct Report {
    ScoredWord scored;
    std::uint32_t seen = 0;
  };

  LookaheadScorers(const EngineInput& input, base::Team& team) : input_(input), team_(team) {}
  ~LookaheadScorers() { end(); }
  LookaheadScorers(const LookaheadScorers&) = delete;
  LookaheadScorers& operator=(const LookaheadScorers&) = delete;

  /// Bytes that a team of `threads` will ask for.
  static std::uint64_t bytes(std::size_t capacity, std::size_t words, unsigned threads);

  /// Up to three other threads of the team begin; false if there is no memory for any. `words` must not
  /// change until all are placed.
  bool begin(const Window<Cell>& window, std::span<const WordId> words);
  void end();
  bool running() const noexcept { return !scorers_.empty(); }

  /// Number of the next word: all before it are placed.
  std::uint32_t position() const noexcept { return position_; }
  /// The report on the next word; null if there is none in time. Instead of waiting, the calling thread may
  /// score a later word with `own`.
  const Report* take(WordScorer<Cell>& own);
  /// The next word is in the window.
  void placed(Placement placement);

  static constexpr std::size_t kMaxAhead = 16;  ///< words

 private:
  /// What one thread works with.
  struct Scorer {
    Scorer(const EngineInput& input, const Window<Cell>& from) : window(from), words(input, window) {}
    Window<Cell> window;
    WordScorer<Cell> words;
    NewWord new_word;
    std::uint32_t seen = 0;      ///< words that its window holds
    bool out_of_memory = false;  ///< it does nothing more
  };

  /// The report on word i is in place i modulo kMaxAhead. Its number is 1 + i when it is finished. A thread
  /// that was suspended while it wrote keeps the place taken: then there is no report on the next word of the
  /// place.
  struct alignas(base::kCacheLine) Place {
    std::atomic<std::uint32_t> number{0};
    std::atomic<bool> taken{false};
    Report report;
  };

  /// Threads that write one do not disturb those that read the other.
  struct alignas(base::kCacheLine) Counter {
    std::atomic<std::uint32_t> value{0};
  };

  bool step(Scorer& scorer);
  void follow(Scorer& scorer, std::uint32_t position);
  bool claim(std::uint32_t& word, std::uint32_t position);
  void score(std::uint32_t word, std::uint32_t seen, WordScorer<Cell>& scorer);

  Counter placed_;   ///< position_, for all threads to see
  Counter claimed_;  ///< words before it have been scored or are being scored
  std::array<Place, kMaxAhead> places_;
  const EngineInput& input_;
  base::Team& team_;
  std::span<const WordId> words_;
  std::vector<Placement> placements_;  ///< of words before placed_
  std::vector<std::unique_ptr<Scorer>> scorers_;
  std::uint32_t position_ = 0;
};

extern template class LookaheadScorers<std::uint32_t>;
extern template class LookaheadScorers<std::uint64_t>;

}  // namespace firth::brown
