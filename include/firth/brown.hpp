// Brown clustering: words enter a window by falling frequency, the two clusters whose merge costs the least
// average mutual information (AMI) become one, until one is left. Exact, in all its variants.
//
//   const firth::ClusterResult result = firth::cluster_brown(counts, {.classes = 1000}, {});
//   firth::save_clustering("out", result.clustering, firth::ClusterFormat::firth);
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "firth/cluster_result.hpp"
#include "firth/constraints.hpp"
#include "firth/counts.hpp"
#include "firth/inputs.hpp"
#include "firth/run.hpp"

namespace firth {

/// How words enter the window, and which clusters may merge.
enum class BrownVariant {
  plain,  ///< one by one, in a fixed order; any two clusters may merge (Brown et al. 1992)
  /// words of equal frequency together; one of the two clusters that merge must be older than the last words
  /// that entered (Ciosici 2015, Algorithms 3-5)
  allsame,
  resort,  ///< one by one; the words outside are sorted again every R merges (Ciosici 2015, Algorithm 2)
};

/// What `resort` sorts the words outside the window by, falling; ties keep the order of the start.
enum class ResortBy {
  mi,            ///< mutual information with the clusters in the window
  connectivity,  ///< number of different words directly before or after the word
  frequency,     ///< number of occurrences: the order of plain Brown clustering
};

/// The probabilities of single classes in the AMI.
enum class BrownMarginals {
  bigram,   ///< left and right marginals of the bigrams
  unigram,  ///< one unigram count for both sides, as wcluster has it
};

/// Window that holds the whole vocabulary: no window at all.
inline constexpr std::uint64_t kWholeVocabulary = ~std::uint64_t{0};

/// What the window is like after a word entered or two clusters merged.
struct BrownEvent {
  bool merged = false;         ///< two clusters merged; otherwise a word entered
  std::uint64_t words = 0;     ///< words that have entered
  std::uint64_t merges = 0;    ///< merges made
  std::uint64_t clusters = 0;  ///< in the window
  double ami_bits = 0;         ///< AMI of the clusters in the window
};

/// What decides the result, and what a run tells and keeps. Large because it has one field per option.
struct BrownOptions {
  /// Number of classes, 1 .. number of words.
  ClassId classes = 1000;
  /// Clusters in the window when a merge is chosen, > classes; 0 = classes + 1; kWholeVocabulary = all words
  /// at once. Time and memory grow with its square. Not for BrownVariant::allsame, whose window follows the
  /// frequencies.
  std::uint64_t window = 0;
  BrownVariant variant = BrownVariant::plain;
  /// BrownVariant::resort: merges between two sorts, >= 1.
  std::uint64_t resort_every = 1;
  ResortBy resort_by = ResortBy::mi;
  BrownMarginals marginals = BrownMarginals::bigram;
  /// Order in which words enter (load_word_order() reads one); empty = by frequency. Words that are missing follow
  /// by frequency.
  std::vector<WordId> order = {};
  /// Which words must share a class, must not, or take no part. They hold for the classes: above them, any two may merge.
  /// Words that must stay together enter together, by the sum of their counts. Not for BrownVariant::allsame.
  Constraints constraints = {};
  /// Whether line ends count as neighbours, in a class of their own that merges with nothing and is not in the result: the
  /// start state of Collins's lecture. Not for BrownVariant::allsame.
  bool boundaries = false;
  /// Called after every insertion and merge, also those that a resumed run repeats.
  std::function<void(const BrownEvent&)> on_event = {};
  /// File that a killed run can be continued from; empty = none.
  std::string checkpoint_file = {};
  /// Seconds between two writes of the checkpoint.
  double checkpoint_seconds = 60;
  /// Continue from `checkpoint_file` if it exists; it must come from the same counts and options.
  bool resume = false;
  /// Every N merges, recompute all sums from the word pairs and throw std::logic_error if they differ from
  /// those kept up to date; 0 = never. Slow.
  std::uint64_t check_every = 0;
};

/// Throws UsageError if the options make no sense.
void validate(const BrownOptions& options);

/// Clusters all words. The tree has one leaf per word; its `ami_bits` are those of the clusters in the window
/// (pairs with words that have not entered yet are left out, marginals are those of the whole text), so they
/// are the AMI of the clustering once all words are in. With `boundaries` they are those of the text with its line
/// ends, while the result's `ami_bits` is that of the words; words that constraints keep together merge first, at an
/// AMI of 0. Ties between merges: the pair with the smaller (rank of the earlier, rank of the later), the rank of a
/// cluster being that of its first word in the order. The result does not depend on threads. Throws UsageError (more
/// classes than words, unknown or repeated words in the order, constraints that cannot be kept), InputError
/// (contradicting constraints, with file and line), FormatError (checkpoint), ResourceError, Cancelled.
[[nodiscard]] ClusterResult cluster_brown(const Counts& counts, const BrownOptions& options,
                                          const RunOptions& run = {});

/// Reads an order for BrownOptions::order: one word per line. Throws InputError (a word that is not in the
/// vocabulary, or comes twice), IoError, Cancelled.
[[nodiscard]] std::vector<WordId> load_word_order(const Inputs& list, const Vocabulary& vocabulary,
                                                  const RunOptions& run = {});

/// A table of events, a line for each under a line of names: event (insert, merge), words, merges, clusters, ami_bits.
[[nodiscard]] std::string format_events(std::span<const BrownEvent> events);

}  // namespace firth
