// Classes of words, with or without a tree above them; reading, writing, cutting.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "firth/counts.hpp"
#include "firth/types.hpp"

namespace firth {

/// One merge of a tree. Nodes 0..leaves-1 are leaves; merge i makes node leaves + i.
struct Merge {
  std::uint32_t left = 0;   ///< the child whose most frequent word ranks first: bit 0
  std::uint32_t right = 0;  ///< the other child: bit 1
  double ami_bits = 0;      ///< AMI after this merge; NaN where it is not known (files of other tools)

  friend bool operator==(const Merge&, const Merge&) = default;
};

/// What the leaves of a merge tree are.
enum class Leaves {
  words,    ///< one leaf a word: the tree can be cut anywhere
  classes,  ///< one leaf a class: the tree can be cut at that number of classes or fewer
};

/// A binary tree as the list of its merges in order; complete when it has leaves - 1 of them.
struct MergeTree {
  Leaves kind = Leaves::classes;
  std::uint32_t leaves = 0;
  std::vector<Merge> merges;

  friend bool operator==(const MergeTree&, const MergeTree&) = default;
};

/// A partition of words into classes, in canonical form: words by falling count then bytes; classes
/// 0..K-1 by falling count, then by their first word. Two clusterings are equal when they say the same.
class Clustering {
 public:
  Clustering() = default;

  /// `classes[i]` is the class of word i of the vocabulary; any numbering, made canonical here. Empty
  /// classes disappear. With a tree of kind `classes`, its leaves are numbered as in `classes`; with one of
  /// kind `words`, its leaves are word ids. Throws UsageError if the tree does not fit the classes.
  Clustering(const Vocabulary& vocabulary, std::span<const ClassId> classes,
             std::optional<MergeTree> tree = std::nullopt);

  std::size_t word_count() const noexcept { return vocabulary_.size(); }
  ClassId class_count() const noexcept { return class_count_; }
  const Vocabulary& vocabulary() const noexcept { return vocabulary_; }
  ClassId class_of(WordId word) const { return classes_[word]; }
  std::span<const ClassId> classes() const noexcept { return classes_; }
  const std::optional<MergeTree>& tree() const noexcept { return tree_; }

  /// Words of each class, most frequent first.
  std::vector<std::vector<WordId>> members() const;

  /// The same words in `k` classes, undoing or doing merges of the tree. Throws UsageError if there is no
  /// tree or it does not reach k.
  Clustering cut(ClassId k) const;

  /// Path from the root to each class: '0' = the child whose most frequent word ranks first. A single class
  /// has the path "0". Throws UsageError if the tree is missing or incomplete.
  std::vector<std::string> bit_strings() const;

  friend bool operator==(const Clustering& a, const Clustering& b);

 private:
  Vocabulary vocabulary_;
  std::vector<ClassId> classes_;
  ClassId class_count_ = 0;
  std::optional<MergeTree> tree_;
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
};

/// Reads a clustering; `format` automatic looks at the content and throws InputError when it cannot tell.
Clustering load_clustering(const std::string& path, ClusterFormat format = ClusterFormat::automatic);

/// Writes one format; complete or not at all. ClusterFormat::firth writes paths, classes.tsv and merges.tsv
/// into the folder `path`.
void save_clustering(const std::string& path, const Clustering& clustering, ClusterFormat format);

}  // namespace firth
