// Units of several words: "New York", "machine translation". Found by how much more often their words meet than by
// chance, and joined to one word in a text.
//
//   const firth::Phrases phrases = firth::find_phrases("text.txt", {.max_words = 3}, {});
//   for (const firth::Phrase& phrase : phrases.list) use(phrase.left, phrase.right, phrase.score);
//   use(firth::join_phrases("joined.txt", "text.txt", phrases, {}));
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "firth/inputs.hpp"
#include "firth/run.hpp"
#include "firth/text.hpp"
#include "firth/types.hpp"

namespace firth {

/// The statistic that says how much two neighbours belong together. N(a,b) is how often b follows a, N(a,.) and N(.,b)
/// how often a has a right and b a left neighbour, T the number of bigrams.
enum class PhraseScore {
  /// Normalised pointwise mutual information, ln(N(a,b) T / (N(a,.) N(.,b))) / -ln(N(a,b) / T): 0 by chance, 1 if
  /// neither occurs without the other (Bouma 2009).
  npmi,
  /// Dunning's (1993) log-likelihood ratio of the 2 x 2 table, G^2, 0 where the words avoid each other. It grows with
  /// the text; 10.8 is the limit of chance at 0.1 %.
  likelihood_ratio,
};

/// What makes a phrase.
struct PhraseOptions {
  PhraseScore score = PhraseScore::npmi;
  /// Minimum score; not set = 0.5 for npmi, 100 for the likelihood ratio.
  std::optional<double> threshold = std::nullopt;
  /// Pairs that occur fewer times are no phrases, >= 1.
  Count min_count = 5;
  /// Words of the longest phrase, 2..16. Above 2, the text is counted again with the phrases found so far joined.
  std::uint32_t max_words = 2;
  /// What is put between the words of a phrase; no white space.
  std::string joiner = "_";
};

/// Throws UsageError if the options make no sense.
void validate(const PhraseOptions& options);

/// Two neighbours that are one unit. Either may be a phrase itself, written with the joiner.
struct Phrase {
  std::string left;
  std::string right;
  Count count = 0;        ///< N(a,b)
  Count left_count = 0;   ///< N(a,.)
  Count right_count = 0;  ///< N(.,b)
  double score = 0;
  std::uint32_t round = 1;  ///< of counting that found it; the joins of a round come before those of the next
};

/// Phrases by round, then by falling score, then by spelling.
struct Phrases {
  std::vector<Phrase> list;
  std::string joiner = "_";
};

/// Finds phrases. Memory is that of counting (RunOptions::memory_bytes) and of the vocabulary; the text is read once per
/// length of phrases. Does not depend on threads. Throws UsageError, InputError, IoError, ResourceError, Cancelled.
[[nodiscard]] Phrases find_phrases(const Inputs& inputs, const PhraseOptions& options,
                                   const TextOptions& text, const RunOptions& run = {});

/// Finds phrases, and writes the text with them joined to `output`, "-" = standard output: one line per sequence, words
/// with blanks between them. Inputs that can be read only once (a pipe) are kept on disk meanwhile. Throws as find_phrases().
[[nodiscard]] Phrases find_and_join_phrases(const std::string& output, const Inputs& inputs,
                                            const PhraseOptions& options, const TextOptions& text,
                                            const RunOptions& run = {});

/// Writes the text with phrases joined that were found before; returns how many were joined. Neighbours are joined
/// from left to right, then again with the units made, until there is nothing to join: first with the phrases of the first
/// round, then with those of the second as well, and so on.
[[nodiscard]] std::uint64_t join_phrases(const std::string& output, const Inputs& inputs,
                                         const Phrases& phrases, const TextOptions& text,
                                         const RunOptions& run = {});

/// A table, one phrase per line: left, right, count, left count, right count, score, round, with tabs between them.
[[nodiscard]] std::string format_phrases(const Phrases& phrases);

/// Reads such a table; what follows the second column may be missing. Throws InputError with the line that cannot be
/// read, IoError, Cancelled.
[[nodiscard]] Phrases load_phrases(const Inputs& table, const std::string& joiner = "_",
                                   const RunOptions& run = {});

}  // namespace firth
