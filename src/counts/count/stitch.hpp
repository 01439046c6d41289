// Pairs whose words lie in different blocks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "firth/types.hpp"
#include "text/block_words.hpp"

namespace firth::counts {

inline constexpr std::size_t kMaxDistance = 5;

/// Up to five words at an edge of a block.
struct EdgeWords {
  std::array<WordId, kMaxDistance> ids = {};
  std::size_t size = 0;

  std::span<const WordId> span() const noexcept { return {ids.data(), size}; }
  static EdgeWords first_of(std::span<const WordId> words);
  static EdgeWords last_of(std::span<const WordId> words);
};

/// What the neighbours of a block must know about it.
struct BlockEdges {
  std::size_t index = 0;              ///< of the block
  bool starts_file = false;           ///< nothing goes on from the block before
  bool broken = false;                ///< a sequence ends inside: head and tail are parts of different ones
  EdgeWords head;                     ///< first words of the first sequence
  EdgeWords tail;                     ///< last words of the last sequence
  std::uint64_t inner_sequences = 0;  ///< complete sequences with words between the first and the last
  std::uint64_t first_word = 0;       ///< words before the block, where they are counted

  BlockEdges() = default;
  /// The same with other numbers for the words.
  BlockEdges with_ids(std::span<const WordId> new_ids) const;
  BlockEdges(const text::Block& block, const text::BlockWords& words);
};

/// Two words of different blocks.
struct CrossingPair {
  WordId left;
  WordId right;
  std::size_t distance_index;
  std::uint64_t position;  ///< of the right word, counted as BlockEdges::first_word is
};

/// Goes through the edges of all blocks in order, calls `add` for every pair that crosses an edge, and returns the
/// number of sequences that have words.
std::uint64_t stitch(std::span<const BlockEdges> blocks, std::span<const int> distances,
                     const std::function<void(const CrossingPair&)>& add);

}  // namespace firth::counts
