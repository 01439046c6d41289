#include "firth/clustering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "cluster/merge_tree.hpp"
#include "cluster/objective.hpp"
#include "firth/error.hpp"
#include "text/text_options.hpp"

namespace firth {
namespace {

using clusters::kNoNode;

/// Classes as they come, numbered 0.. in order of their first word.
struct Numbering {
  std::vector<ClassId> classes;     ///< per word
  std::vector<ClassId> labels;      ///< number -> label it had
  std::vector<WordId> first_words;  ///< number -> its most frequent word
  std::vector<Count> token_counts;  ///< number -> sum of its words' counts
};

Numbering number_classes(const Vocabulary& vocabulary, std::span<const ClassId> labels) {
  Numbering result;
  result.classes.reserve(labels.size());
  std::unordered_map<ClassId, ClassId> numbers;
  for (WordId word = 0; word < labels.size(); ++word) {
    if (labels[word] == kNoClass) {
      throw UsageError(fmt::format("the word '{}' has no class", vocabulary.word(word)));
    }
    const auto [entry, fresh] = numbers.emplace(labels[word], static_cast<ClassId>(result.labels.size()));
    if (fresh) {
      result.labels.push_back(labels[word]);
      result.first_words.push_back(word);
      result.token_counts.push_back(0);
    }
    result.classes.push_back(entry->second);
    result.token_counts[entry->second] += vocabulary.count(word);
  }
  return result;
}

/// canonical[number]: classes by falling count, then by their first word.
std::vector<ClassId> canonical_numbers(const Numbering& numbering) {
  std::vector<ClassId> order(numbering.labels.size());
  std::iota(order.begin(), order.end(), ClassId{0});
  // Numbers rise with the first word already, so a stable sort by count is all.
  std::stable_sort(order.begin(), order.end(), [&](ClassId a, ClassId b) {
    return numbering.token_counts[a] > numbering.token_counts[b];
  });
  std::vector<ClassId> canonical(order.size());
  for (ClassId place = 0; place < order.size(); ++place) canonical[order[place]] = place;
  return canonical;
}

MergeTree canonical_class_tree(const MergeTree& tree, const Numbering& numbering,
                               std::span<const ClassId> canonical) {
  std::vector<std::uint32_t> new_leaf(tree.leaves, kNoNode);
  std::vector<std::uint32_t> ranks(canonical.size());
  for (ClassId number = 0; number < canonical.size(); ++number) {
    const ClassId label = numbering.labels[number];
    if (label >= tree.leaves) {
      throw UsageError(fmt::format("class {} is not among the {} leaves of the tree", label, tree.leaves));
    }
    new_leaf[label] = canonical[number];
    ranks[canonical[number]] = numbering.first_words[number];
  }
  MergeTree result = clusters::rename_leaves(tree, new_leaf, static_cast<std::uint32_t>(canonical.size()));
  clusters::order_children(result, ranks);
  return result;
}

void check_word_tree(const MergeTree& tree, std::span<const ClassId> classes, std::size_t class_count) {
  if (tree.leaves != classes.size()) {
    throw UsageError(fmt::format("the tree has {} leaves for {} words", tree.leaves, classes.size()));
  }
  const std::size_t merges = classes.size() - class_count;
  if (merges > tree.merges.size()) {
    throw UsageError(fmt::format("the tree stops at {} classes, there are {}",
                                 classes.size() - tree.merges.size(), class_count));
  }
  const std::vector<std::uint32_t> nodes = clusters::nodes_after(tree, merges);
  std::vector<std::uint32_t> node_of_class(class_count, kNoNode);
  for (std::size_t word = 0; word < classes.size(); ++word) {
    std::uint32_t& node = node_of_class[classes[word]];
    if (node == kNoNode) node = nodes[word];
    // As many nodes as classes: one node per class also means one class per node.
    if (node != nodes[word]) {
      throw UsageError(fmt::format("the first {} merges of the tree do not make these classes", merges));
    }
  }
}

/// The class of each word of `words`, found by spelling; kNoClass for words that the clustering lacks.
std::vector<ClassId> look_up_classes(const Vocabulary& words, const Clustering& clustering) {
  if (words.size() == clustering.word_count() && words.bytes() == clustering.vocabulary().bytes()) {
    return {clustering.classes().begin(), clustering.classes().end()};
  }
  const WordIndex index(clustering.vocabulary());
  std::vector<ClassId> classes;
  classes.reserve(words.size());
  for (WordId word = 0; word < words.size(); ++word) {
    const std::optional<WordId> found = index.find(words.word(word));
    classes.push_back(found ? clustering.class_of(*found) : kNoClass);
  }
  return classes;
}

/// Class bigrams of `fine` added up to those of `coarse`, which has the same words in fewer classes.
PairCounts add_up_bigrams(const Clustering& fine, const Clustering& coarse) {
  if (fine.class_bigrams().rows() == 0 || coarse.class_count() > fine.class_count()) return {};
  std::vector<ClassId> coarse_class(fine.class_count());
  for (WordId word = 0; word < fine.word_count(); ++word) {
    coarse_class[fine.class_of(word)] = coarse.class_of(word);
  }
  return clusters::class_bigrams(fine.class_bigrams(), coarse_class, coarse.class_count());
}

bool same_words(const Vocabulary& a, const Vocabulary& b) {
  return a.bytes() == b.bytes() && std::ranges::equal(a.counts(), b.counts()) &&
         (a.empty() || std::ranges::equal(a.offsets(), b.offsets()));
}

}  // namespace

Clustering::Clustering(const Vocabulary& vocabulary, std::span<const ClassId> classes,
                       std::optional<MergeTree> tree)
    : vocabulary_(vocabulary) {
  if (classes.size() != vocabulary.size()) {
    throw UsageError(fmt::format("{} classes were given for {} words", classes.size(), vocabulary.size()));
  }
  Numbering numbering = number_classes(vocabulary, classes);
  const std::vector<ClassId> canonical = canonical_numbers(numbering);
  class_count_ = static_cast<ClassId>(canonical.size());
  if (tree) {
    clusters::check_tree(*tree);
    if (tree->kind == TreeLeaves::classes) {
      tree_ = canonical_class_tree(*tree, numbering, canonical);
    } else {
      check_word_tree(*tree, numbering.classes, class_count_);
      std::vector<std::uint32_t> ranks(tree->leaves);
      std::iota(ranks.begin(), ranks.end(), 0u);
      tree_ = std::move(tree);
      clusters::order_children(*tree_, ranks);
    }
  }
  classes_ = std::move(numbering.classes);
  for (ClassId& id : classes_) id = canonical[id];
}

void Clustering::learn_class_bigrams(const Counts& counts) {
  class_bigrams_ =
      clusters::class_bigrams(counts.bigrams(), look_up_classes(counts.vocabulary(), *this), class_count_);
  preprocessing_ = text::parse_preprocessing(counts.info().text_options);
}

void Clustering::set_class_bigrams(PairCounts bigrams) {
  if (bigrams.rows() != 0 && bigrams.rows() != class_count_) {
    throw UsageError(
        fmt::format("class bigrams of {} classes were given for {}", bigrams.rows(), class_count_));
  }
  class_bigrams_ = std::move(bigrams);
}

std::vector<std::vector<WordId>> Clustering::members() const {
  std::vector<std::vector<WordId>> words(class_count_);
  for (WordId word = 0; word < classes_.size(); ++word) words[classes_[word]].push_back(word);
  return words;
}

Clustering Clustering::cut(ClassId k) const {
  if (!tree_) throw UsageError("classes without a tree cannot be cut", "make one with build_tree()");
  const std::size_t min = tree_->leaves - tree_->merges.size();
  if (k < min || k > tree_->leaves) {
    throw UsageError(fmt::format("the tree cannot be cut at {} classes", k),
                     fmt::format("it reaches from {} down to {}", tree_->leaves, min));
  }
  Clustering result = tree_->kind == TreeLeaves::words
                          ? Clustering(vocabulary_, clusters::nodes_after(*tree_, tree_->leaves - k), tree_)
                          : cut_class_tree(k);
  result.class_bigrams_ = add_up_bigrams(*this, result);
  result.preprocessing_ = preprocessing_;
  return result;
}

Clustering Clustering::cut_class_tree(ClassId k) const {
  const std::size_t merges = tree_->leaves - k;
  const std::vector<std::uint32_t> nodes = clusters::nodes_after(*tree_, merges);
  std::vector<std::uint32_t> name_of_node(tree_->leaves + merges, kNoNode);
  std::vector<std::uint32_t> name_of_leaf(tree_->leaves);
  std::uint32_t names = 0;
  for (std::uint32_t leaf = 0; leaf < tree_->leaves; ++leaf) {
    std::uint32_t& name = name_of_node[nodes[leaf]];
    if (name == kNoNode) name = names++;
    name_of_leaf[leaf] = name;
  }
  std::vector<ClassId> classes(classes_.size());
  for (WordId word = 0; word < classes.size(); ++word) classes[word] = name_of_leaf[classes_[word]];
  return {vocabulary_, classes, clusters::upper_part(*tree_, merges, nodes, name_of_leaf)};
}

std::vector<std::string> Clustering::bit_strings() const {
  if (!tree_) throw UsageError("classes without a tree have no bit strings", "make one with build_tree()");
  if (class_count_ == 0) return {};
  if (tree_->merges.size() + 1 != tree_->leaves) {
    throw UsageError(fmt::format("the tree ends at {} classes, so there are no bit strings",
                                 tree_->leaves - tree_->merges.size()));
  }
  if (tree_->kind == TreeLeaves::classes) return clusters::leaf_paths(*tree_);
  const std::size_t merges = tree_->leaves - class_count_;
  const std::vector<std::uint32_t> nodes = clusters::nodes_after(*tree_, merges);
  return clusters::leaf_paths(clusters::upper_part(*tree_, merges, nodes, classes_));
}

bool operator==(const Clustering& a, const Clustering& b) {
  return same_words(a.vocabulary_, b.vocabulary_) && a.classes_ == b.classes_ && a.tree_ == b.tree_;
}

}  // namespace firth
