// Classes of words, with or without a tree above them; reading, writing, cutting.
//
//   const firth::Clustering classes = firth::load_clustering("paths");
//   firth::save_clustering("ten.tsv", classes.cut(10), firth::ClusterFormat::classes);
//
// Values of these types may be read from several threads at once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "firth/counts.hpp"
#include "firth/run.hpp"
#include "firth/text.hpp"
#include "firth/types.hpp"

namespace firth {

/// One merge of a tree. Nodes 0..leaves-1 are leaves; merge i makes node leaves + i.
struct TreeMerge {
  std::uint32_t left = 0;   ///< the child whose most frequent word ranks first: bit 0
  std::uint32_t right = 0;  ///< the other child: bit 1
  double ami_bits = 0;      ///< AMI after this merge; NaN where it is not known (files of other tools)

  /// Two unknown AMI are equal: trees are compared by what they say.
  friend bool operator==(const TreeMerge& a, const TreeMerge& b) {
    const bool both_unknown = a.ami_bits != a.ami_bits && b.ami_bits != b.ami_bits;
    return a.left == b.left && a.right == b.right && (a.ami_bits == b.ami_bits || both_unknown);
  }
};

/// What the leaves of a merge tree are.
enum class TreeLeaves {
  words,    ///< one leaf per word: the tree can be cut anywhere
  classes,  ///< one leaf per class: the tree can be cut at that number of classes or fewer
};

/// A binary tree as the list of its merges in order; complete when it has leaves - 1 of them. A node is
/// merged at most once, after it was made.
struct MergeTree {
  TreeLeaves kind = TreeLeaves::classes;
  std::uint32_t leaves = 0;
  std::vector<TreeMerge> merges;

  friend bool operator==(const MergeTree&, const MergeTree&) = default;
};

/// A partition of words into classes, in canonical form: words by falling count then bytes; classes
/// 0..K-1 by falling count, then by their first word. Two clusterings are equal when they have the same words,
/// classes and tree; class bigrams and preprocessing are not compared.
class Clustering {
 public:
  Clustering() = default;

  /// `classes[i]` is the class of word i of the vocabulary; any numbering, made canonical here. Empty
  /// classes disappear. With a tree of kind `classes`, its leaves are numbered as in `classes`, and leaves
  /// without words disappear too; with one of kind `words`, its leaves are word ids and its first n - K
  /// merges must make the K classes. The children of a merge are put in order here. Throws UsageError if the
  /// tree does not fit the classes. O(words + merges), besides sorting the classes.
  Clustering(const Vocabulary& vocabulary, std::span<const ClassId> classes,
             std::optional<MergeTree> tree = std::nullopt);

  [[nodiscard]] std::size_t word_count() const noexcept { return vocabulary_.size(); }
  [[nodiscard]] ClassId class_count() const noexcept { return class_count_; }
  [[nodiscard]] const Vocabulary& vocabulary() const noexcept { return vocabulary_; }
  [[nodiscard]] ClassId class_of(WordId word) const { return classes_[word]; }
  [[nodiscard]] std::span<const ClassId> classes() const noexcept { return classes_; }
  [[nodiscard]] const std::optional<MergeTree>& tree() const noexcept { return tree_; }

  /// N(c,c'): how often a word of class c' followed a word of class c in the text that the classes were learnt
  /// from. It has class_count() rows, or none if that is not known (formats other than ClusterFormat::firth).
  [[nodiscard]] const PairCounts& class_bigrams() const noexcept { return class_bigrams_; }

  /// What was done to the words of the text that the classes were learnt from, where it is known
  /// (ClusterFormat::firth): other text must be read in the same way.
  [[nodiscard]] const std::optional<Preprocessing>& preprocessing() const noexcept { return preprocessing_; }
  void set_preprocessing(const std::optional<Preprocessing>& done) { preprocessing_ = done; }

  /// Keeps the class bigrams of these counts with the classes, and what was done to their words. Words are found
  /// by their spelling; the others are left out. O(distinct bigrams).
  void learn_class_bigrams(const Counts& counts);

  /// The same from elsewhere. Throws UsageError unless there is a row for each class, or no row at all.
  void set_class_bigrams(PairCounts bigrams);

  /// Words of each class, most frequent first.
  [[nodiscard]] std::vector<std::vector<WordId>> members() const;

  /// The same words in `k` classes, undoing or doing merges of the tree. A tree of kind `words` stays whole;
  /// of one of kind `classes` the part above the new classes remains. Class bigrams are added up; where there
  /// are more classes than before, they are not known any more. Throws UsageError if there is no tree or it
  /// does not reach k.
  [[nodiscard]] Clustering cut(ClassId k) const;

  /// Path from the root to each class: '0' = the child whose most frequent word ranks first. A single class
  /// has the path "0". Throws UsageError if the tree is missing or incomplete, ResourceError if the strings
  /// are gigabytes long (a chain of 100,000 classes).
  [[nodiscard]] std::vector<std::string> bit_strings() const;

  friend bool operator==(const Clustering& a, const Clustering& b);

  /// Everything as bytes, to keep or to send; from_bytes() gives an equal clustering back, and throws FormatError
  /// for bytes that are damaged.
  [[nodiscard]] std::string to_bytes() const;
  [[nodiscard]] static Clustering from_bytes(std::string_view bytes);

 private:
  [[nodiscard]] Clustering cut_class_tree(ClassId k) const;

  Vocabulary vocabulary_;
  std::vector<ClassId> classes_;
  ClassId class_count_ = 0;
  std::optional<MergeTree> tree_;
  PairCounts class_bigrams_;
  std::optional<Preprocessing> preprocessing_;
};

/// File formats of clusterings.
enum class ClusterFormat {
  automatic,  ///< reading: find out
  firth,      ///< a folder that `firth cluster` wrote
  paths,      ///< wcluster: bits TAB word TAB count
  classes,    ///< mkcls, clustercat, GIZA: word TAB class
  merges,     ///< generalised-brown: the list of merges
  srilm,      ///< SRILM classes-format: CLASS probability word
  clark,      ///< Clark: word class weight
  json,       ///< a tree as JSON
  mkcls,      ///< mkcls for GIZA++: as classes, numbered from 2, sorted by bytes, without `<unk>`
  page,       ///< reading only: a page written by build_report()
};

/// Reads a clustering from a file (plain, gzip, zstd or xz), from "-" (standard input) or from a folder;
/// `format` automatic looks at the content and throws InputError when it cannot tell. Files without counts
/// give words with count 0. Throws InputError with the line that cannot be read, IoError, Cancelled.
[[nodiscard]] Clustering load_clustering(const std::string& path,
                                         ClusterFormat format = ClusterFormat::automatic,
                                         const RunOptions& run = {});

/// Writes one format; complete or not at all. ClusterFormat::firth writes paths, classes.tsv, merges.tsv,
/// bigrams.tsv and preprocessing.txt into the folder `path`, made if it is missing, in place of those that are
/// there; other files in it are left alone. Throws UsageError if the format needs a tree and there is none, InputError for a word
/// that the format cannot hold, IoError.
void save_clustering(const std::string& path, const Clustering& clustering, ClusterFormat format);

/// A clustering from the bytes of a file; `name` stands for it in messages. Not for ClusterFormat::firth.
[[nodiscard]] Clustering parse_clustering(std::string_view text, const std::string& name,
                                          ClusterFormat format = ClusterFormat::automatic);

/// The bytes that save_clustering would write. Not for ClusterFormat::firth, which is a folder.
[[nodiscard]] std::string format_clustering(const Clustering& clustering, ClusterFormat format);

}  // namespace firth
