// Counting n-grams by sorting packed symbol numbers: memory grows with distinct n-grams, not with the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "firth/run.hpp"
#include "firth/types.hpp"

namespace firth::lm {

/// Number of a symbol of an n-gram model: a word or a class. The first three are fixed.
using Symbol = std::uint32_t;
inline constexpr Symbol kUnknownSymbol = 0;
inline constexpr Symbol kBeginSymbol = 1;
inline constexpr Symbol kEndSymbol = 2;
inline constexpr std::size_t kSpecialSymbols = 3;

inline constexpr int kMaxOrder = 6;
/// Of all symbols of an n-gram together.
inline constexpr int kMaxKeyBits = 128;

/// What a lower-order count is made of.
enum class LowerCounts {
  continuations,  ///< in how many different left contexts an n-gram was seen (Kneser-Ney)
  occurrences,    ///< how often it was seen
};

/// The n-grams of one order, sorted by their symbols from the left; equal prefixes are children of one
/// parent.
struct NgramLevel {
  std::vector<Symbol> last;                ///< last symbol of each n-gram
  std::vector<Count> counts;               ///< of each n-gram
  std::vector<std::uint64_t> first_child;  ///< where the n-grams of the next level start that extend it
};

/// Levels 1..order. Level 1 has every symbol, also those never seen. The highest has no first_child.
using NgramLevels = std::vector<NgramLevel>;

/// How to count.
struct NgramCountOptions {
  int order = 3;
  std::size_t symbols = 0;  ///< all symbols are below this
  bool boundaries = true;   ///< sentences start with <s> and end with </s>
};

using NgramVisitor = std::function<void(std::span<const Symbol> ngram, Count count)>;

/// Takes sentences and gives the n-grams of all orders. An n-gram that starts with <s> keeps its number of
/// occurrences at every order; other lower orders are counted as LowerCounts says.
class NgramCounter {
 public:
  /// Throws UsageError if order times bits of a symbol do not fit 128 bits.
  NgramCounter(const NgramCountOptions& options, const RunOptions& run);
  ~NgramCounter();
  NgramCounter(const NgramCounter&) = delete;
  NgramCounter& operator=(const NgramCounter&) = delete;

  /// One sentence without <s> and </s>. Throws ResourceError.
  void add(std::span<const Symbol> sentence);

  /// An n-gram of the highest order that was seen `count` times, filled up with <s> at the start of a sentence.
  void add(std::span<const Symbol> ngram, Count count);

  /// Calls `visit` with every n-gram of the highest order, rising, as the other add() takes them.
  void for_each(const NgramVisitor& visit);

  /// The n-grams of all orders; the counter is empty afterwards.
  NgramLevels finish(LowerCounts lower);

 private:
  class Engine;
  template <typename Key>
  class KeyEngine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace firth::lm
