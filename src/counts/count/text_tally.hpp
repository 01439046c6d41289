// The words and pairs of a text, before its words have their final numbers.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "counts/count/count_pass.hpp"
#include "counts/count/counting.hpp"
#include "counts/count/pair_table.hpp"
#include "counts/count/rank_words.hpp"
#include "counts/count/stitch.hpp"
#include "counts/pairs/pair_source.hpp"
#include "counts/words/spilled_words.hpp"
#include "text/word_table.hpp"

namespace firth::counts {

/// What the files have, by the numbers that words got as they came up. Whoever knows all words numbers them (this
/// process, or all ranks together) and asks for the pairs with the final numbers.
class TextTally {
 public:
  using Sources = std::vector<std::unique_ptr<PairSource>>;

  /// What is given must outlive the tally; `options` have the format that the files have.
  TextTally(const CountOptions& options, const CountTuning& tuning, const RunOptions& run)
      : options_(options), tuning_(tuning), run_(run), spilled_(run.temp_folder) {}

  /// Words are numbered here.
  text::WordTable& table() noexcept { return table_; }
  /// Only these words make pairs; by number, of words that are all in the table.
  void keep_only(std::vector<bool> kept) { kept_ = std::move(kept); }
  /// Counts the files; once.
  void count(const std::vector<text::InputFile>& files);

  /// The words in the order of a vocabulary, and the place of every number among them.
  RankedWords rank();
  /// Whether some words had to leave the table, so that it does not have all of them, nor all of their counts.
  bool has_spilled() const noexcept { return !spilled_.empty(); }
  /// All words by number, unless some have left the table.
  std::vector<CountedWord> words() const;

  /// The pairs at a distance, `new_ids[number]` in place of each number.
  void append_pairs(std::size_t distance_index, std::span<const WordId> new_ids, Sources& sources) const;
  void append_held_out(std::span<const WordId> new_ids, Sources& sources) const;

  /// Edges of all blocks, in order.
  std::span<const BlockEdges> edges() const noexcept { return edges_; }
  const CountOptions& options() const noexcept { return options_; }
  const CountsInfo& info() const noexcept { return info_; }

 private:
  void count_crossings(const HeldOutBlocks& held_out);

  const CountOptions& options_;
  const CountTuning& tuning_;
  const RunOptions& run_;
  text::WordTable table_;
  std::vector<bool> kept_;
  SpilledWords spilled_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<BlockEdges> edges_;
  std::vector<PairTable> crossings_;  ///< pairs across blocks, by distance, then those that are held out
  CountsInfo info_;
};

/// All words of a table, by number.
std::vector<CountedWord> counted_words(const text::WordTable& table);

/// A thread's tables for each of `threads` threads.
std::vector<std::unique_ptr<Worker>> make_workers(const CountOptions& options, const CountTuning& tuning,
                                                  text::WordTable& table, unsigned threads,
                                                  const std::string& temp_folder);

/// Tokens and options of what the workers have counted.
CountsInfo total_info(const std::vector<std::unique_ptr<Worker>>& workers, const CountOptions& options);

}  // namespace firth::counts
