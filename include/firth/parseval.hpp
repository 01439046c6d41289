// PARSEVAL: how well trees agree with trees that are right, as EVALB computes it with COLLINS.prm.
//
//   const firth::ParsevalReport report = firth::score_parses("gold.mrg", "guess.mrg");
//   std::printf("%.2f\n", 100 * report.all.f1());
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "firth/inputs.hpp"
#include "firth/run.hpp"
#include "firth/treebank.hpp"

namespace firth {

/// How to score.
struct ParsevalOptions {
  /// Sentences of up to this number of words are also scored separately.
  std::uint32_t cutoff = 40;
  /// Punctuation is what the right tree says it is, and every sentence counts. EVALB goes by the tags of each
  /// tree, and skips a sentence when the two do not agree on what is punctuation.
  bool gold_punctuation = false;
};

/// Sums over sentences. Large because it has one field per figure of EVALB.
struct ParsevalScore {
  std::uint64_t sentences = 0;
  std::uint64_t errors = 0;    ///< words differ: not counted in what follows
  std::uint64_t skipped = 0;   ///< no parse: not counted in what follows, unless gold_punctuation
  std::uint64_t gold = 0;      ///< phrases of the right trees
  std::uint64_t guess = 0;     ///< phrases of the others
  std::uint64_t matched = 0;   ///< of both, with the same label over the same words
  std::uint64_t exact = 0;     ///< sentences where all phrases match
  std::uint64_t crossing = 0;  ///< phrases that overlap a right one without containing it or being in it
  std::uint64_t without_crossing = 0;    ///< sentences
  std::uint64_t up_to_two_crossing = 0;  ///< sentences
  std::uint64_t words = 0;               ///< without punctuation
  std::uint64_t right_tags = 0;

  [[nodiscard]] std::uint64_t valid() const noexcept { return sentences - errors - skipped; }
  [[nodiscard]] double recall() const noexcept { return ratio(matched, gold); }
  [[nodiscard]] double precision() const noexcept { return ratio(matched, guess); }
  [[nodiscard]] double f1() const noexcept { return ratio(2 * matched, gold + guess); }
  [[nodiscard]] double exact_match() const noexcept { return ratio(exact, valid()); }
  [[nodiscard]] double mean_crossing() const noexcept { return ratio(crossing, valid()); }
  [[nodiscard]] double tagging() const noexcept { return ratio(right_tags, words); }

  /// 0 when there is nothing to divide by.
  [[nodiscard]] static double ratio(std::uint64_t part, std::uint64_t whole) noexcept {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  }
  ParsevalScore& operator+=(const ParsevalScore& other) noexcept;
};

/// Scores of all sentences and of the short ones.
struct ParsevalReport {
  ParsevalScore all;
  ParsevalScore up_to_cutoff;
};

/// One sentence; an empty guess is a sentence without a parse. Labels end at the first - or =, ADVP and PRT
/// are the same, and brackets labelled TOP, ROOT, S1 or not at all do not count.
[[nodiscard]] ParsevalScore score_parse(const Tree& gold, const Tree& guess, const ParsevalOptions& options);

/// Words of a tree without traces: what ParsevalOptions::cutoff counts.
[[nodiscard]] std::uint64_t sentence_length(const Tree& tree);

/// Trees of `guess` one per line, an empty line or () where there is none; those of `gold` in any
/// layout. `each`, if given, gets the score of every sentence in order. Throws InputError if their numbers
/// differ, or for what cannot be read.
[[nodiscard]] ParsevalReport score_parses(const Inputs& gold, const Inputs& guess,
                                          const ParsevalOptions& options = {},
                                          const std::function<void(const ParsevalScore&)>& each = {},
                                          const RunOptions& run = {});

}  // namespace firth
