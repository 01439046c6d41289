#include "cluster/extend.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cluster/merge_tree.hpp"

namespace firth::clusters {
namespace {

/// The tree over the model's classes, whatever its leaves were.
std::optional<MergeTree> class_tree(const Clustering& model) {
  const auto& tree = model.tree();
  if (!tree || tree->kind == TreeLeaves::classes) return tree;
  const std::size_t merges = tree->leaves - model.class_count();
  MergeTree upper = upper_part(*tree, merges, nodes_after(*tree, merges), model.classes());
  upper.kind = TreeLeaves::classes;
  return upper;
}

}  // namespace

Clustering extended(const Clustering& model, std::span<const NewWord> words) {
  std::vector<std::pair<std::string, Count>> all;
  for (WordId word = 0; word < model.word_count(); ++word) {
    all.emplace_back(model.vocabulary().word(word), model.vocabulary().count(word));
  }
  for (const NewWord& word : words) all.emplace_back(word.word, word.count);
  const Vocabulary vocabulary = Vocabulary::from_words(std::move(all));
  const WordIndex index(vocabulary);
  std::vector<ClassId> classes(vocabulary.size());
  for (WordId word = 0; word < model.word_count(); ++word) {
    classes[*index.find(model.vocabulary().word(word))] = model.class_of(word);
  }
  for (const NewWord& word : words) classes[*index.find(word.word)] = word.class_id;
  return {vocabulary, classes, class_tree(model)};
}

}  // namespace firth::clusters
