// The losses of one word, computed at its turn by all threads together if it has many neighbours.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "cluster/brown/lookahead/word_scorer.hpp"

namespace firth::brown {

template <class Cell>
class TeamScorer {
 public:
  TeamScorer(const EngineInput& input, const Window<Cell>& window, base::Team& team);

  /// All losses of the word by lane; valid until the next call.
  std::span<const Score> score(WordId word, NewWord& new_word);
  /// Those of the last call.
  std::span<const Score> losses() { return sums(scorers_[0]); }

  /// The scorer of the calling thread.
  WordScorer<Cell>& own() { return scorers_[0]; }

 private:
  void share_contexts(const NewWord& word);
  std::span<Score> sums(WordScorer<Cell>& scorer) { return {scorer.losses.data(), scorer.window.lanes()}; }

  base::Team& team_;
  std::vector<WordScorer<Cell>> scorers_;  ///< by thread
  std::vector<std::uint8_t> has_sums_;     ///< by thread: some of a word's contexts are in its losses
};

extern template class TeamScorer<std::uint32_t>;
extern template class TeamScorer<std::uint64_t>;

}  // namespace firth::brown
