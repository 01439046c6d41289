// Threads that score words ahead of their turn, each against a copy of the window of its own, which follows
// the window by repeating what has become of every word.
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

/// What has become of a word that entered: it joined `slot`, or (`gone` is a slot) it became a cluster, and
/// then `gone` joined `slot`.
struct Placement {
  Slot slot = kNoSlot;
  Slot gone = kNoSlot;
};

/// Words are numbered from 0 on, from where the lookahead began. Which thread scores which word is a matter of
/// luck; what its scores mean is not: they hold for the window after `seen` words.
template <class Cell>
class LookaheadScorers {
 public:
  struct Report {
    Scored scored;
    std::uint32_t seen = 0;
  };

  LookaheadScorers(const EngineInput& input, base::Team& team) : input_(input), team_(team) {}
  ~LookaheadScorers() { end(); }
  LookaheadScorers(const LookaheadScorers&) = delete;
  LookaheadScorers& operator=(const LookaheadScorers&) = delete;

  /// What the lookahead of so many threads will ask for.
  static std::uint64_t bytes(std::size_t capacity, std::size_t words, unsigned threads);

  /// The other threads of the team set out, three at most; false if there is no memory for any. `words` must
  /// stay as they are until all have entered.
  bool begin(const Window<Cell>& window, std::span<const WordId> words);
  void end();
  bool on_the_way() const noexcept { return !lookahead_.empty(); }

  /// Words that have entered.
  std::uint32_t position() const noexcept { return position_; }
  /// What is known about the next word; null: not enough. `own` scores another word where that is better than
  /// to wait.
  const Report* take(WordScorer<Cell>& own);
  /// The next word has entered.
  void entered(Placement entrance);

  static constexpr std::size_t kAhead = 16;  ///< words that are scored ahead at most

 private:
  struct Lookahead {
    Lookahead(const EngineInput& input, const Window<Cell>& from) : window(from), scorer(input, window) {}
    Window<Cell> window;
    WordScorer<Cell> scorer;
    NewWord met;
    std::uint32_t seen = 0;  ///< words that have entered its window
    bool lost = false;       ///< there was no memory for it to go on
  };

  /// The report on word i is in place i modulo kAhead. Its number is 1 + i when it is finished. A thread that
  /// was suspended while it wrote keeps the place taken: then there is no report on the next word of the
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

  bool step(Lookahead& scout);
  void follow(Lookahead& scout, std::uint32_t position);
  bool claim(std::uint32_t& word, std::uint32_t position);
  void score(std::uint32_t word, std::uint32_t seen, WordScorer<Cell>& scorer);

  Counter entered_;  ///< position_, for all to see
  Counter claimed_;  ///< words before it are somebody's work
  std::array<Place, kAhead> places_;
  const EngineInput& input_;
  base::Team& team_;
  std::span<const WordId> words_;
  std::vector<Placement> entrances_;  ///< of words before entered_
  std::vector<std::unique_ptr<Lookahead>> lookahead_;
  std::uint32_t position_ = 0;
};

extern template class LookaheadScorers<std::uint32_t>;
extern template class LookaheadScorers<std::uint64_t>;

}  // namespace firth::brown
