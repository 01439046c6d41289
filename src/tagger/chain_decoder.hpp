// The best tags of a sentence when each tag depends on the one before: exact, O(length tags^2).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tagger/decode.hpp"

namespace firth::tagger {

/// Keeps its memory from call to call.
class ChainDecoder {
 public:
  /// `transitions`: the score of every tag after every tag, and, in the last row, at the beginning. Of equal
  /// scores the smaller tags win, from the last word on. Only tags that may follow each other, and may end.
  void decode(const Lattice& lattice, std::span<const std::int32_t> transitions, std::vector<TagId>& tags);

 private:
  void start(const Lattice& lattice, std::span<const std::int32_t> transitions);
  void extend(const Lattice& lattice, std::size_t i);

  std::vector<Score> allowed_;  // transitions, very low where a tag may not follow
  std::vector<Score> best_;     // of each last tag so far
  std::vector<Score> next_;
  std::vector<std::int64_t> from_;  // of the word at hand, as wide as scores so that loops are vectors
  std::vector<TagId> before_;       // by word, then by tag
};

}  // namespace firth::tagger
