#include "firth/clustering.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cluster/merge_tree.hpp"
#include "cluster/objective.hpp"
#include "firth/error.hpp"
#include "reference/naive_ami.hpp"
#include "reference/random_data.hpp"

namespace firth {
namespace {

using ::testing::ElementsAre;

const double kUnknown = std::numeric_limits<double>::quiet_NaN();

Vocabulary letters() {
  return Vocabulary::from_words({{"a", 9}, {"b", 7}, {"c", 5}, {"d", 3}, {"e", 1}});
}

TEST(Clustering, NumbersClassesByCountThenFirstWord) {
  // {a,e} 10, {b} 7, {c,d} 8
  const Clustering clustering(letters(), std::vector<ClassId>{77, 3, 12, 12, 77});
  EXPECT_EQ(clustering.class_count(), 3u);
  EXPECT_THAT(clustering.classes(), ElementsAre(0, 2, 1, 1, 0));
  EXPECT_THAT(clustering.members(), ElementsAre(ElementsAre(0, 4), ElementsAre(2, 3), ElementsAre(1)));
  const Vocabulary equal = Vocabulary::from_words({{"a", 2}, {"b", 2}, {"c", 2}});
  EXPECT_THAT(Clustering(equal, std::vector<ClassId>{5, 4, 3}).classes(), ElementsAre(0, 1, 2));
}

TEST(Clustering, EqualMeansSayingTheSame) {
  const Clustering one(letters(), std::vector<ClassId>{0, 1, 1, 2, 2},
                       MergeTree{TreeLeaves::classes, 3, {{0, 2, kUnknown}, {1, 3, 0.5}}});
  const Clustering same(letters(), std::vector<ClassId>{2, 0, 0, 1, 1},
                        MergeTree{TreeLeaves::classes, 3, {{1, 2, kUnknown}, {3, 0, 0.5}}});
  EXPECT_EQ(one, same);
  const Clustering other_ami(letters(), std::vector<ClassId>{2, 0, 0, 1, 1},
                             MergeTree{TreeLeaves::classes, 3, {{1, 2, 0.6}, {3, 0, 0.5}}});
  EXPECT_FALSE(one == other_ami);
  EXPECT_FALSE(one == Clustering(letters(), std::vector<ClassId>{0, 1, 1, 2, 2}));
  EXPECT_EQ(Clustering(), Clustering(Vocabulary::from_words({}), {}));
}

TEST(Clustering, CutsAWordTreeUpAndDown) {
  const MergeTree tree{TreeLeaves::words, 5, {{4, 3, 1.5}, {2, 1, 1.0}, {5, 0, 0.5}, {6, 7, 0}}};
  const Clustering three(letters(), std::vector<ClassId>{0, 1, 1, 2, 2}, tree);
  EXPECT_THAT(three.bit_strings(), ElementsAre("1", "00", "01"));  // {b,c} 12, {a} 9, {d,e} 4
  EXPECT_THAT(three.cut(1).bit_strings(), ElementsAre("0"));
  EXPECT_THAT(three.cut(2).classes(), ElementsAre(0, 1, 1, 0, 0));
  EXPECT_THAT(three.cut(2).cut(5).classes(), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(three.cut(5).bit_strings(), ElementsAre("00", "10", "11", "010", "011"));
  EXPECT_EQ(three.cut(5).cut(3), three);
  EXPECT_THROW(three.cut(0), UsageError);
  EXPECT_THROW(three.cut(6), UsageError);
}

TEST(Clustering, CutsAClassTreeDownwards) {
  const MergeTree tree{TreeLeaves::classes, 3, {{0, 2, 1.5}, {3, 1, 0}}};
  const Clustering three(letters(), std::vector<ClassId>{0, 1, 1, 2, 2}, tree);
  const Clustering two = three.cut(2);
  EXPECT_THAT(two.classes(), ElementsAre(0, 1, 1, 0, 0));
  EXPECT_EQ(two.tree()->leaves, 2u);
  EXPECT_THAT(two.bit_strings(), ElementsAre("0", "1"));
  EXPECT_EQ(three.cut(3), three);
  EXPECT_THROW(two.cut(3), UsageError);
  EXPECT_EQ(two.cut(1).class_count(), 1u);
}

TEST(Clustering, EmptyClassesAndTheirMergesDisappear) {
  // Leaf 1 and leaf 3 have no words.
  const MergeTree tree{TreeLeaves::classes, 4, {{1, 2, 2.0}, {4, 3, 1.0}, {5, 0, 0.5}}};
  const Clustering clustering(letters(), std::vector<ClassId>{0, 0, 0, 2, 2}, tree);
  EXPECT_EQ(*clustering.tree(), (MergeTree{TreeLeaves::classes, 2, {{0, 1, 0.5}}}));
}

TEST(Clustering, IncompleteTreesCanBeCutButHaveNoBits) {
  const Clustering clustering(letters(), std::vector<ClassId>{0, 1, 2, 3, 4},
                              MergeTree{TreeLeaves::words, 5, {{0, 1, 0}}});
  EXPECT_EQ(clustering.cut(4).class_count(), 4u);
  EXPECT_THROW(clustering.cut(3), UsageError);
  EXPECT_THROW(clustering.bit_strings(), UsageError);
}

TEST(Clustering, RefusesWhatDoesNotFit) {
  const std::vector<ClassId> classes = {0, 1, 1, 2, 2};
  const auto make = [&](const MergeTree& tree) { return Clustering(letters(), classes, tree); };
  EXPECT_THROW(Clustering(letters(), std::vector<ClassId>{0}), UsageError);
  EXPECT_THROW(Clustering(letters(), std::vector<ClassId>{0, 1, kNoClass, 2, 2}), UsageError);
  EXPECT_THROW(make({TreeLeaves::classes, 2, {{0, 1, 0}}}), UsageError);             // class 2 is no leaf
  EXPECT_THROW(make({TreeLeaves::classes, 3, {{0, 3, 0}}}), UsageError);             // node 3 is not made yet
  EXPECT_THROW(make({TreeLeaves::classes, 3, {{0, 0, 0}}}), UsageError);             // with itself
  EXPECT_THROW(make({TreeLeaves::classes, 3, {{0, 1, 0}, {0, 2, 0}}}), UsageError);  // twice
  EXPECT_THROW(make({TreeLeaves::words, 4, {}}), UsageError);
  EXPECT_THROW(make({TreeLeaves::words, 5, {{0, 1, 0}, {2, 3, 0}}}), UsageError);  // other classes
  EXPECT_THROW(make({TreeLeaves::words, 5, {{1, 2, 0}}}), UsageError);             // stops too early
  EXPECT_THROW(Clustering(letters(), classes).cut(2), UsageError);
  EXPECT_THROW(Clustering(letters(), classes).bit_strings(), UsageError);
}

TEST(Clustering, EveryCutAgreesWithMergingSets) {
  base::Rng rng(5);
  for (int trial = 0; trial < 500; ++trial) {
    const std::size_t words = 1 + rng.below(30);
    const Clustering clustering = reference::random_clustering(rng, words, 1 + trial % 2);
    const MergeTree tree = *clustering.tree();
    for (ClassId k = 1; k <= tree.leaves; ++k) {
      const Clustering cut = clustering.cut(k);
      ASSERT_EQ(cut.class_count(), k);
      const auto sets = reference::naive_merge_sets(tree, tree.leaves - k);
      for (const auto& leaves : sets) {
        for (WordId word = 0; word < words; ++word) {
          const auto leaf = tree.kind == TreeLeaves::words ? word : clustering.class_of(word);
          const auto first = tree.kind == TreeLeaves::words ? leaves[0] : clustering.members()[leaves[0]][0];
          const bool inside = std::find(leaves.begin(), leaves.end(), leaf) != leaves.end();
          ASSERT_EQ(cut.class_of(word) == cut.class_of(first), inside);
        }
      }
    }
  }
}

TEST(Clustering, BitStringsAreAPrefixCodeAndNameTheCuts) {
  base::Rng rng(6);
  for (int trial = 0; trial < 500; ++trial) {
    const Clustering clustering = reference::random_clustering(rng, 1 + rng.below(30), 1 + trial % 2);
    std::vector<std::string> bits = clustering.bit_strings();
    ASSERT_EQ(bits.size(), clustering.class_count());
    const auto members = clustering.members();
    double kraft = 0;
    for (std::size_t a = 0; a < bits.size(); ++a) {
      kraft += std::ldexp(1.0, -static_cast<int>(bits[a].size()));
      for (std::size_t b = 0; b < bits.size(); ++b) {
        if (a == b) continue;
        ASSERT_FALSE(bits[b].starts_with(bits[a]));
      }
    }
    if (bits.size() > 1) {
      ASSERT_DOUBLE_EQ(kraft, 1.0);
    }
    // '0' is the child whose most frequent word ranks first: word 0 is always at 00...0.
    ASSERT_EQ(bits[clustering.class_of(0)].find('1'), std::string::npos);
  }
}

TEST(Clustering, ALongChainIsNoProblem) {
  constexpr std::uint32_t kWords = 300'000;
  std::vector<std::pair<std::string, Count>> words;
  for (std::uint32_t i = 0; i < kWords; ++i) words.emplace_back(std::to_string(i), kWords - i);
  MergeTree tree{TreeLeaves::words, kWords, {}};
  for (std::uint32_t i = 0; i + 1 < kWords; ++i) {
    tree.merges.push_back({i == 0 ? kWords - 1 : kWords + i - 1, kWords - 2 - i, 0});
  }
  const Vocabulary vocabulary = Vocabulary::from_words(words);
  const Clustering one(vocabulary, std::vector<ClassId>(kWords, 0), tree);
  const Clustering some = one.cut(1000);
  EXPECT_EQ(some.class_count(), 1000u);
  std::vector<std::string> bits = some.bit_strings();
  EXPECT_EQ(bits[some.class_of(0)], "0");
  EXPECT_EQ(bits[some.class_of(kWords - 1)].size(), 999u);
  EXPECT_THROW(one.cut(kWords).bit_strings(), ResourceError);
}

TEST(Clustering, CutsAddUpClassBigrams) {
  base::Rng rng(11);
  for (int trial = 0; trial < 40; ++trial) {
    const Counts counts = reference::random_counts(rng, 20, 300);
    for (const TreeLeaves kind : {TreeLeaves::words, TreeLeaves::classes}) {
      const std::uint32_t leaves = kind == TreeLeaves::words ? 20 : 6;
      std::vector<ClassId> classes(20);
      for (WordId word = 0; word < 20; ++word) classes[word] = word % leaves;
      Clustering fine(counts.vocabulary(), classes, reference::random_tree(rng, kind, leaves, leaves - 1));
      fine.learn_class_bigrams(counts);
      for (const ClassId k : {5U, 2U, 1U}) {
        const Clustering cut = fine.cut(k);
        const PairCounts expected = clusters::class_bigrams(counts.bigrams(), cut.classes(), k);
        EXPECT_TRUE(std::ranges::equal(cut.class_bigrams().offsets(), expected.offsets()));
        EXPECT_TRUE(std::ranges::equal(cut.class_bigrams().rights(), expected.rights()));
        EXPECT_TRUE(std::ranges::equal(cut.class_bigrams().counts(), expected.counts()));
        EXPECT_EQ(kind == TreeLeaves::words ? cut.cut(6).class_bigrams().rows() : 0U, 0U);
      }
    }
  }
}

TEST(Clustering, RefusesClassBigramsOfOtherClasses) {
  Clustering clustering(Vocabulary::from_words({{"a", 2}, {"b", 1}}), std::vector<ClassId>{0, 1});
  EXPECT_THROW(clustering.set_class_bigrams(PairCounts::from_pairs(3, {{0, 2, 1}})), UsageError);
  clustering.set_class_bigrams(PairCounts::from_pairs(2, {{0, 1, 1}}));
  clustering.set_class_bigrams({});
  EXPECT_EQ(clustering.class_bigrams().rows(), 0U);
}

}  // namespace
}  // namespace firth
