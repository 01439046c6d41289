// Which classes are better, and how alike are two clusterings?
//
//   const firth::Clustering ours = firth::load_clustering("out");
//   const firth::Clustering theirs = firth::load_clustering("paths");
//   const firth::ClusteringAgreement agreement = firth::compare_clusterings(ours, theirs);
//   use(agreement.tokens.vi_bits, agreement.moved.size());
//   const firth::ClusteringScores scores = firth::score_clustering(ours, {.text = &counts});
//   use(firth::comparison_text({{{.name = "ours", .runs = {{.scores = scores}}}}}));
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "firth/clustering.hpp"
#include "firth/counts.hpp"
#include "firth/gold_tags.hpp"
#include "firth/run.hpp"

namespace firth {

/// How alike two partitions of the same things are.
struct PartitionAgreement {
  double vi_bits = 0;  ///< variation of information (Meila 2003); 0 = the same
  double v_measure =
      1;  ///< of either as tags of the other, which is normalised mutual information; 1 = the same
  double adjusted_rand = 1;  ///< Hubert & Arabie 1985; 1 = the same, about 0 = by chance
};

/// Two clusterings, as far as they have words in common.
struct ClusteringAgreement {
  std::uint64_t common = 0;  ///< words that both have
  std::uint64_t only_first = 0;
  std::uint64_t only_second = 0;
  PartitionAgreement types;  ///< every common word once
  PartitionAgreement
      tokens;  ///< by its count in the first clustering, or else the second; by 1 where neither has counts
  /// For each class of the first: the class of the second that it shares most tokens with; kNoClass = none.
  std::vector<ClassId> partners;
  /// Common words (ids of the first) that are not in the partner of their class, most frequent first.
  std::vector<WordId> moved;
};
[[nodiscard]] ClusteringAgreement compare_clusterings(const Clustering& first, const Clustering& second);

/// The mean of v_measure over tokens, for all pairs of these; nothing if there are fewer than two.
[[nodiscard]] std::optional<double> mean_agreement(std::span<const Clustering> clusterings);

/// What to score against; whatever is missing is not scored.
struct ComparisonTexts {
  const Counts* text = nullptr;
  const Counts* held_out =
      nullptr;  ///< another text; needs the first, which probabilities are estimated from
  const GoldText* gold = nullptr;
};

/// How good one clustering is.
struct ClusteringScores {
  std::uint64_t words = 0;
  ClassId classes = 0;
  std::optional<double> ami_bits = {};      ///< words without a class as every_class() has it
  std::optional<double> known_tokens = {};  ///< share of the tokens of the text that have a class, 0..1
  std::optional<double> perplexity = {};    ///< held_out_perplexity()
  std::optional<TagAgreement> tags = {};    ///< over tokens
};

/// Throws UsageError (held-out text without a text), InputError (nothing to predict), Cancelled.
[[nodiscard]] ClusteringScores score_clustering(const Clustering& clustering, const ComparisonTexts& texts,
                                                const RunOptions& run = {});

/// One clustering of a row.
struct ComparedRun {
  std::uint64_t seed = 1;
  ClusteringScores scores = {};
  std::optional<double> cpu_seconds = {};         ///< to make it
  std::optional<std::uint64_t> peak_memory = {};  ///< in bytes
};

/// One line of a comparison: a method with a number of classes, or classes from elsewhere.
struct ComparedRow {
  std::string name;
  ClassId classes = 0;                   ///< asked for; 0 = those of the first run
  std::vector<ComparedRun> runs;         ///< one per seed
  std::optional<double> stability = {};  ///< mean_agreement() of the runs
  /// How its text was read, where rows differ in that: scores on a text are then compared among equals only.
  std::string reading = {};
};

/// The rows as a table of Markdown, with tabs, as JSON, and as a page of HTML that needs nothing else. Columns that no
/// row has are left out; scores are means over the runs, followed by their standard deviations where there are several.
[[nodiscard]] std::string comparison_text(std::span<const ComparedRow> rows);
[[nodiscard]] std::string comparison_tsv(std::span<const ComparedRow> rows);
[[nodiscard]] std::string comparison_json(std::span<const ComparedRow> rows);
[[nodiscard]] std::string comparison_page(std::span<const ComparedRow> rows, const std::string& title);

}  // namespace firth
