// How good tags are, as conlleval counts it, and how sure that is.
//
//   const firth::Tagger tagger = firth::load_tagger("ner.tagger");
//   const firth::TagScore score = firth::score_tagger(tagger, firth::read_tagged(files, {}, {}), {}, {});
//   use(score.entities.f1(), firth::bootstrap(score, {}).f1);
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "firth/inputs.hpp"
#include "firth/tagger.hpp"

namespace firth {

/// Entities found: as conlleval, an entity is right if its words and its type are.
struct EntityCounts {
  std::uint64_t gold = 0;
  std::uint64_t guessed = 0;
  std::uint64_t right = 0;

  /// Fractions 0..1; 0 where nothing is to be divided, as conlleval has it.
  [[nodiscard]] double precision() const;
  [[nodiscard]] double recall() const;
  [[nodiscard]] double f1() const;

  EntityCounts& operator+=(const EntityCounts& other);
  friend bool operator==(const EntityCounts&, const EntityCounts&) = default;
};

/// What one sentence adds to a score; the unit of resampling.
struct SentenceScore {
  EntityCounts entities;
  EntityCounts unknown_entities;
  std::uint32_t words = 0;
  std::uint32_t right_words = 0;
  std::uint32_t unknown_words = 0;
  std::uint32_t right_unknown_words = 0;
};

/// Tags compared with the right ones.
struct TagScore {
  std::uint64_t words = 0;
  std::uint64_t right_words = 0;
  std::uint64_t unknown_words = 0;  ///< not in the training sentences
  std::uint64_t right_unknown_words = 0;
  bool has_entities = false;  ///< the tags are of an entity scheme; otherwise all counts below are 0
  EntityCounts entities;
  EntityCounts unknown_entities;                            ///< entities with at least one unknown word
  std::vector<std::pair<std::string, EntityCounts>> types;  ///< in order of their names
  std::vector<SentenceScore> sentences;

  [[nodiscard]] double accuracy() const;
  [[nodiscard]] double unknown_accuracy() const;
};

/// Compares. `unknown` tells which words are unknown; nullptr = none. Sentences must be of equal lengths,
/// otherwise UsageError.
[[nodiscard]] TagScore score_tags(std::span<const TaggedSentence> gold,
                                  std::span<const std::vector<std::string>> guessed,
                                  const std::function<bool(std::string_view)>& unknown = nullptr);

/// The same for a file that has both: the tag column (not set: the last but one), and the guess in the column
/// after it, as conlleval reads it.
[[nodiscard]] TagScore score_tagged_file(const Inputs& inputs, const TokenOptions& options,
                                         const RunOptions& run = {});

/// Tags the sentences and compares.
[[nodiscard]] TagScore score_tagger(const Tagger& tagger, std::span<const TaggedSentence> gold,
                                    const TagOptions& options, const RunOptions& run = {});

/// Ends of an interval.
struct ConfidenceInterval {
  double low = 0;
  double high = 0;
};

struct BootstrapOptions {
  /// Samples of sentences, drawn with replacement, 1..1,000,000.
  int samples = 1000;
  /// How much of the samples lies within the interval, in (0, 1).
  double level = 0.95;
  std::uint64_t seed = 1;
};

/// Throws UsageError if the options make no sense.
void validate(const BootstrapOptions& options);

/// Percentile intervals (Efron & Tibshirani 1993) for sentences that might have been others.
struct Bootstrap {
  ConfidenceInterval f1;
  ConfidenceInterval accuracy;
};
[[nodiscard]] Bootstrap bootstrap(const TagScore& score, const BootstrapOptions& options);

/// Intervals for how much `score` is better than `base` on the same sentences: both are resampled together.
/// Throws UsageError if they do not have the same number of sentences.
[[nodiscard]] Bootstrap gain_interval(const TagScore& score, const TagScore& base,
                                      const BootstrapOptions& options);

}  // namespace firth
