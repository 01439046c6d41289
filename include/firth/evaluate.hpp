// How good a clustering is.
//
//   const firth::Counts counts = firth::load_counts("text.counts");
//   const firth::Clustering classes = firth::load_clustering("paths");
//   const firth::ClusteringReport report = firth::evaluate_clustering(classes, counts);
//   use(report.text->ami_bits);
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "firth/clustering.hpp"
#include "firth/counts.hpp"

namespace firth {

/// Which probabilities the average mutual information is made of.
enum class AmiNorm {
  bigrams,  ///< everything over the number of bigrams, left and right marginals: the default
  tokens,   ///< everything over the number of tokens, left and right marginals (Ciosici 2015)
  unigram,  ///< class unigram counts over tokens (Stratos 2014 eq. 3, wcluster)
};

/// Average mutual information, in bits, of adjacent classes. `classes[w]` is the class of word w of the
/// counts (any numbers), or kNoClass for a word outside the clustering: its bigrams are left out. 0 if no
/// bigram remains. Throws UsageError if there are not as many classes as words, or if `unigram` is asked for
/// and words with bigrams have no counts of their own.
[[nodiscard]] double average_mutual_information(const Counts& counts, std::span<const ClassId> classes,
                                                AmiNorm norm = AmiNorm::bigrams);

/// What becomes of words that are not in a clustering.
enum class UnknownWords {
  leave_out,  ///< they have no class
  as_unk,     ///< they are in the class of `<unk>`, if the clustering has that word
};

/// The class of every word of `vocabulary`, kNoClass where the clustering has none.
[[nodiscard]] std::vector<ClassId> classes_for(const Vocabulary& vocabulary, const Clustering& clustering,
                                               UnknownWords unknown = UnknownWords::leave_out);

/// How large classes are.
struct SizeSummary {
  Count min = 0;
  double median = 0;
  double mean = 0;
  Count max = 0;
};

/// How much of a text a clustering knows.
struct TextCoverage {
  Count covered = 0;
  Count total = 0;

  [[nodiscard]] double share() const {
    return total == 0 ? 0 : static_cast<double>(covered) / static_cast<double>(total);
  }
};

/// A class and its most frequent words.
struct ClassSummary {
  ClassId id = 0;
  std::uint64_t words = 0;
  Count tokens = 0;
  std::vector<std::string> top_words;
};

/// A clustering against a text.
struct TextScores {
  double ami_bits = 0;                     ///< AmiNorm::bigrams
  double ami_tokens_bits = 0;              ///< AmiNorm::tokens
  std::optional<double> ami_unigram_bits;  ///< AmiNorm::unigram; none where words have no counts of their own
  TextCoverage types;                      ///< words of the text's vocabulary that the clustering has
  TextCoverage tokens;                     ///< the same by count
  TextCoverage bigrams;                    ///< bigrams of two such words
};

/// What there is to say about a clustering.
struct ClusteringReport {
  std::uint64_t words = 0;
  ClassId classes = 0;
  std::uint64_t singletons = 0;  ///< classes of one word
  SizeSummary class_words;       ///< words per class
  SizeSummary class_tokens;  ///< tokens per class: of the text if there is one, else of the clustering's file
  std::vector<ClassSummary> largest;
  std::optional<TextScores> text;
};

/// What to score and how much to list.
struct ReportOptions {
  /// Words of the text that are not in the clustering. They never count as covered.
  UnknownWords unknown = UnknownWords::as_unk;
  /// Classes to list, those with most tokens first.
  std::size_t classes = 10;
  /// Words to list of each.
  std::size_t words = 10;
};

/// Sizes of classes, with the counts that the clustering itself has.
[[nodiscard]] ClusteringReport describe_clustering(const Clustering& clustering,
                                                   const ReportOptions& options = {});

/// The same with the counts of a text, and scores against it.
[[nodiscard]] ClusteringReport evaluate_clustering(const Clustering& clustering, const Counts& counts,
                                                   const ReportOptions& options = {});

}  // namespace firth
