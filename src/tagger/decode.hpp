// The best tags of a sentence, given scores: greedy, beam search, Viterbi.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tagger/tag_scheme.hpp"
#include "tagger/word_features.hpp"

namespace firth::tagger {

/// Widest beam.
inline constexpr int kMaxBeam = 10000;

/// Scores are whole numbers: sums of weights are exact, so that no order of adding matters.
using Score = std::int64_t;

/// Scores that depend on the two tags before.
class HistoryScorer {
 public:
  virtual ~HistoryScorer() = default;
  /// Adds to scores[t] what tag t of word i gets after this history.
  virtual void add(std::size_t i, History history, std::span<Score> scores) = 0;
};

/// One sentence.
struct Lattice {
  const TagSet& tags;
  std::size_t length = 0;
  std::span<const Score> local;  ///< by word, then by tag: scores that do not depend on tags before

  std::span<const Score> at(std::size_t i) const { return local.subspan(i * tags.size(), tags.size()); }
};

/// Finds tags. Keeps its memory from call to call.
class Decoder {
 public:
  /// Width 1: greedy; 0: exact, in O(length tags^3). Of equal scores the one whose history ranks first wins,
  /// then the tag with the smaller number. Only tags that may follow each other, and may end, are chosen.
  void decode(const Lattice& lattice, HistoryScorer& scorer, int width, std::vector<TagId>& tags);

  /// After decode() with another width than 1: the best score and tags for the first `length` words, as they
  /// were when these had been read.
  Score prefix_score(std::size_t length) const { return levels_[length][best_state(length)].score; }
  void prefix(std::size_t length, std::vector<TagId>& tags) const;

 private:
  /// A way to tag the words so far.
  struct State {
    History history;
    Score score = 0;
    std::uint32_t parent = 0;
  };

  std::size_t best_state(std::size_t level) const;
  void decode_greedy(const Lattice& lattice, HistoryScorer& scorer, std::vector<TagId>& tags);
  void extend(const Lattice& lattice, HistoryScorer& scorer, std::size_t i);
  void keep_best(std::size_t width);
  void keep_best_of_each_history(std::size_t tags);

  std::vector<Score> scores_;
  std::vector<std::vector<State>> levels_;
  std::vector<State> candidates_;
  std::vector<std::uint32_t> order_;
};

/// The best tag that is allowed here; of equals the first. `may_end` may be empty: any.
TagId best_tag(std::span<const Score> scores, std::span<const std::uint8_t> may_follow,
               std::span<const std::uint8_t> may_end);

}  // namespace firth::tagger
