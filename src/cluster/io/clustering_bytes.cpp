// A clustering as bytes: what is kept, sent and pickled. Exact, unlike the text formats.
#include <array>
#include <cmath>
#include <memory>

#include "base/memory_file.hpp"
#include "base/section_file.hpp"
#include "counts/vocabulary_sections.hpp"
#include "firth/clustering.hpp"
#include "firth/error.hpp"
#include "text/text_options.hpp"

namespace firth {
namespace {

constexpr base::FileKind kClusteringBytes = {
    {'\x89', 'F', 'C', 'L', '\x20', '\r', '\n', '\x1a'}, 2, "clustering", "make them again with to_bytes()"};

enum SectionKind : std::uint32_t {
  kWordOffsets = 1,
  kWordBytes = 2,
  kWordCounts = 3,
  kClassIds = 4,    // of each word
  kTree = 5,        // whether there is one, kind of its leaves, number of leaves
  kMergePairs = 6,  // left and right node of each
  kAmiBits = 7,     // after each
  kBigramRows = 8,  // number of classes, 0 if class bigrams are not known
  kBigrams = 9,
  kPreprocessing = 10,  // as text; empty if it is not known
};

constexpr counts::VocabularySections kWords = {kWordOffsets, kWordBytes, kWordCounts};

struct TreeHead {
  std::uint32_t present = 0;
  std::uint32_t word_leaves = 0;
  std::uint32_t leaves = 0;
  std::uint32_t reserved = 0;
};

std::optional<MergeTree> take_tree(base::SectionReader& sections) {
  const auto head = sections.take<TreeHead>(kTree);
  const auto pairs = sections.take<std::array<std::uint32_t, 2>>(kMergePairs);
  const auto ami = sections.take<double>(kAmiBits);
  if (head.size() != 1 || head[0].present > 1 || head[0].word_leaves > 1 || pairs.size() != ami.size()) {
    sections.damaged("its tree makes no sense");
  }
  if (head[0].present == 0) {
    if (!pairs.empty()) sections.damaged("its tree makes no sense");
    return std::nullopt;
  }
  MergeTree tree{head[0].word_leaves == 1 ? TreeLeaves::words : TreeLeaves::classes, head[0].leaves, {}};
  for (std::size_t i = 0; i < pairs.size(); ++i) tree.merges.push_back({pairs[i][0], pairs[i][1], ami[i]});
  return tree;
}

std::vector<PairCount> all_pairs(const PairCounts& from) {
  std::vector<PairCount> pairs;
  pairs.reserve(from.distinct());
  from.for_each_pair([&](ClassId left, ClassId right, Count count) {
    pairs.push_back({left, right, count});
  });
  return pairs;
}

PairCounts take_bigrams(base::SectionReader& sections, std::size_t words) {
  const auto rows = sections.take<ClassId>(kBigramRows);
  const auto pairs = sections.take<PairCount>(kBigrams);
  if (rows.size() != 1 || rows[0] > words) sections.damaged("its class bigrams make no sense");
  for (const PairCount& pair : pairs) {
    if (pair.left >= rows[0] || pair.right >= rows[0]) {
      sections.damaged("its class bigrams name an impossible class");
    }
  }
  return PairCounts::from_pairs(rows[0], {pairs.begin(), pairs.end()});
}

}  // namespace

std::string Clustering::to_bytes() const {
  TreeHead head;
  std::vector<std::array<std::uint32_t, 2>> pairs;
  std::vector<double> ami;
  if (tree_) {
    head = {1, tree_->kind == TreeLeaves::words ? 1U : 0U, tree_->leaves, 0};
    for (const TreeMerge& merge : tree_->merges) {
      pairs.push_back({merge.left, merge.right});
      ami.push_back(merge.ami_bits);
    }
  }
  const auto rows = static_cast<ClassId>(class_bigrams_.rows());
  const std::vector<PairCount> bigrams = all_pairs(class_bigrams_);
  std::vector<base::Section> sections;
  counts::add_vocabulary(vocabulary_, kWords, sections);
  sections.push_back(base::make_section(kClassIds, classes_));
  sections.push_back(base::make_section(kTree, std::span(&head, 1)));
  sections.push_back(base::make_section(kMergePairs, pairs));
  sections.push_back(base::make_section(kAmiBits, ami));
  sections.push_back(base::make_section(kBigramRows, std::span(&rows, 1)));
  sections.push_back(base::make_section(kBigrams, bigrams));
  const std::string preprocessing = preprocessing_ ? text::describe(*preprocessing_) : "";
  sections.push_back(base::make_section(kPreprocessing, preprocessing));
  return base::section_bytes(kClusteringBytes, sections);
}

Clustering Clustering::from_bytes(std::string_view bytes) {
  const auto file = std::make_shared<const base::MemoryFile>(bytes);
  base::SectionReader sections(base::kMemoryName, file->bytes(), kClusteringBytes);
  const Vocabulary words = counts::take_vocabulary(sections, kWords, file);
  const auto classes = sections.take<ClassId>(kClassIds);
  std::optional<MergeTree> tree = take_tree(sections);
  PairCounts bigrams = take_bigrams(sections, words.size());
  const auto preprocessing = sections.take<char>(kPreprocessing);
  sections.finish();
  counts::check_word_order(sections, words);
  if (classes.size() != words.size()) sections.damaged("its classes do not fit its words");
  // Memory is taken for every leaf, before anything shows that there are no words for them.
  if (tree && tree->leaves > words.size()) sections.damaged("its tree has more leaves than there are words");
  for (const ClassId c : classes) {
    if (c >= words.size()) sections.damaged("a class has an impossible number");
  }
  try {
    Clustering result(words, classes, std::move(tree));
    result.set_class_bigrams(std::move(bigrams));
    result.set_preprocessing(text::parse_preprocessing({preprocessing.data(), preprocessing.size()}));
    return result;
  } catch (const UsageError&) {
    sections.damaged("its tree or its class bigrams do not fit its classes");
  }
}

}  // namespace firth
