#include "firth/codes.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/rng.hpp"
#include "firth/error.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

Vocabulary some_words(std::size_t count) {
  std::vector<std::pair<std::string, Count>> words;
  for (std::size_t i = 0; i < count; ++i) words.emplace_back("w" + std::to_string(i), count - i);
  return Vocabulary::from_words(std::move(words));
}

/// Random merges of `leaves` nodes; `chain` makes the most unbalanced tree.
MergeTree random_tree(base::Rng& rng, TreeLeaves kind, std::uint32_t leaves, bool chain) {
  MergeTree tree{kind, leaves, {}};
  std::vector<std::uint32_t> free(leaves);
  for (std::uint32_t i = 0; i < leaves; ++i) free[i] = i;
  while (free.size() > 1) {
    const std::size_t a = chain ? free.size() - 1 : rng.below(free.size());
    const std::uint32_t left = free[a];
    free.erase(free.begin() + static_cast<std::ptrdiff_t>(a));
    const std::size_t b = rng.below(free.size());
    tree.merges.push_back({left, free[b], 0});
    free.erase(free.begin() + static_cast<std::ptrdiff_t>(b));
    free.push_back(leaves + static_cast<std::uint32_t>(tree.merges.size()) - 1);
  }
  return tree;
}

Clustering random_clustering(base::Rng& rng, bool chain) {
  const auto words = static_cast<std::uint32_t>(2 + rng.below(120));
  if (rng.below(2) == 0) {
    std::vector<ClassId> each(words);
    for (std::uint32_t i = 0; i < words; ++i) each[i] = i;
    return Clustering(some_words(words), each, random_tree(rng, TreeLeaves::words, words, chain));
  }
  const auto classes = static_cast<std::uint32_t>(1 + rng.below(words));
  std::vector<ClassId> class_of(words);
  for (std::uint32_t i = 0; i < words; ++i)
    class_of[i] = i < classes ? i : static_cast<ClassId>(rng.below(classes));
  return Clustering(some_words(words), class_of, random_tree(rng, TreeLeaves::classes, classes, chain));
}

std::vector<std::uint32_t> code_of(const Codes& codes, WordId word) {
  return {codes.of(word).begin(), codes.of(word).end()};
}

TEST(Codes, AreUniqueInRangeAndInTheOrderOfTheTree) {
  base::Rng rng(1);
  for (int round = 0; round < 300; ++round) {
    const Clustering clustering = random_clustering(rng, round % 3 == 0);
    CodeOptions options{.branch = static_cast<std::uint32_t>(2 + rng.below(20)), .depth = 1};
    for (std::uint64_t room = options.branch; room < clustering.word_count(); room *= options.branch)
      ++options.depth;
    options.depth += static_cast<std::uint32_t>(rng.below(2));
    const Codes codes = make_codes(clustering, options);
    std::map<std::vector<std::uint32_t>, WordId> by_code;
    for (WordId word = 0; word < clustering.word_count(); ++word) {
      for (const std::uint32_t digit : codes.of(word)) ASSERT_LT(digit, options.branch);
      ASSERT_TRUE(by_code.emplace(code_of(codes, word), word).second) << round;
    }
    // Codes in order list the classes in the order of their bit strings.
    const std::vector<std::string> bits = clustering.bit_strings();
    std::string last;
    for (const auto& [code, word] : by_code) {
      ASSERT_GE(bits[clustering.class_of(word)], last) << round;
      last = bits[clustering.class_of(word)];
    }
  }
}

TEST(Codes, AreTheBitsOfABalancedTree) {
  MergeTree tree{TreeLeaves::words,
                 8,
                 {{0, 1, 0}, {2, 3, 0}, {4, 5, 0}, {6, 7, 0}, {8, 9, 0}, {10, 11, 0}, {12, 13, 0}}};
  const std::vector<ClassId> each = {0, 1, 2, 3, 4, 5, 6, 7};
  const Clustering clustering(some_words(8), each, tree);
  const std::vector<std::string> bits = clustering.bit_strings();
  const Codes binary = make_codes(clustering, {.branch = 2, .depth = 3});
  const Codes quaternary = make_codes(clustering, {.branch = 4, .depth = 2});
  for (WordId word = 0; word < 8; ++word) {
    std::string text;
    for (const std::uint32_t digit : binary.of(word)) text += static_cast<char>('0' + digit);
    EXPECT_EQ(text, bits[word]);
    EXPECT_EQ(quaternary.of(word)[0],
              static_cast<std::uint32_t>((bits[word][0] - '0') * 2 + (bits[word][1] - '0')));
  }
}

/// The groups of words that share a beginning of their codes: the nodes of the tree that the codes spell.
std::set<std::set<WordId>> groups_of(const Codes& codes) {
  std::map<std::vector<std::uint32_t>, std::set<WordId>> by_beginning;
  for (WordId word = 0; word < codes.vocabulary.size(); ++word) {
    std::vector<std::uint32_t> beginning;
    by_beginning[beginning].insert(word);
    for (const std::uint32_t digit : codes.of(word)) {
      beginning.push_back(digit);
      by_beginning[beginning].insert(word);
    }
  }
  std::set<std::set<WordId>> groups;
  for (const auto& [beginning, words] : by_beginning) groups.insert(words);
  return groups;
}

TEST(Codes, OfTwoValuesDecodeToTheSameTree) {
  base::Rng rng(4);
  for (int round = 0; round < 200; ++round) {
    const auto words = static_cast<std::uint32_t>(2 + rng.below(40));
    std::vector<ClassId> each(words);
    for (std::uint32_t i = 0; i < words; ++i) each[i] = i;
    const MergeTree tree = random_tree(rng, TreeLeaves::words, words, round % 4 == 0);
    const Clustering clustering(some_words(words), each, tree);
    const Codes codes = make_codes(clustering, {.branch = 2, .depth = std::min(words, 64u)});
    std::vector<std::set<WordId>> nodes(words);
    std::set<std::set<WordId>> expected;
    for (WordId word = 0; word < words; ++word) expected.insert(nodes[word] = {word});
    for (const TreeMerge& merge : clustering.tree()->merges) {
      std::set<WordId> both = nodes[merge.left];
      both.insert(nodes[merge.right].begin(), nodes[merge.right].end());
      expected.insert(both);
      nodes.push_back(std::move(both));
    }
    EXPECT_EQ(groups_of(codes), expected) << round;
  }
}

TEST(CutBySize, SplitsTheLargestFirstAndKeepsTheLimit) {
  base::Rng rng(5);
  for (int round = 0; round < 200; ++round) {
    const auto words = static_cast<std::uint32_t>(4 + rng.below(60));
    std::vector<ClassId> each(words);
    for (std::uint32_t i = 0; i < words; ++i) each[i] = i;
    const Clustering clustering(some_words(words), each,
                                random_tree(rng, TreeLeaves::words, words, round % 4 == 0));
    const std::uint64_t max = 1 + rng.below(words);
    const Clustering cut = cut_by_size(clustering, 0, {.max = max});
    std::set<std::set<WordId>> nodes;
    std::vector<std::set<WordId>> sets(words);
    for (WordId word = 0; word < words; ++word) nodes.insert(sets[word] = {word});
    for (const TreeMerge& merge : clustering.tree()->merges) {
      sets.push_back(sets[merge.left]);
      sets.back().insert(sets[merge.right].begin(), sets[merge.right].end());
      nodes.insert(sets.back());
    }
    for (const auto& members : cut.members()) {
      EXPECT_LE(members.size(), max);
      EXPECT_TRUE(nodes.count({members.begin(), members.end()}) > 0) << "a class is no node";
    }
    EXPECT_EQ(cut.cut(1).class_count(), 1u);
    const auto classes = static_cast<ClassId>(1 + rng.below(words));
    const Clustering even = cut_by_size(clustering, classes, {.equal = true});
    ASSERT_EQ(even.class_count(), classes);
    for (const auto& members : even.members()) {
      EXPECT_GE(members.size(), words / classes);
      EXPECT_LE(members.size(), (words + classes - 1) / classes);
    }
  }
}

TEST(CutBySize, RefusesWhatTheTreeCannotGive) {
  base::Rng rng(6);
  const Clustering flat(some_words(9), std::vector<ClassId>(9, 0), std::nullopt);
  EXPECT_THROW(static_cast<void>(cut_by_size(flat, 0, {.max = 3})), UsageError);
  const Clustering two(some_words(4), std::vector<ClassId>{0, 0, 0, 1},
                       MergeTree{TreeLeaves::classes, 2, {{0, 1, 0}}});
  EXPECT_THROW(static_cast<void>(cut_by_size(two, 0, {.max = 2})), UsageError);
  EXPECT_THROW(static_cast<void>(cut_by_size(two, 1, {.max = 3})), UsageError);
  EXPECT_EQ(cut_by_size(two, 2, {.max = 3}).class_count(), 2u);
}

TEST(Codes, RefuseTooFewDigits) {
  base::Rng rng(2);
  const Clustering clustering(some_words(9), std::vector<ClassId>(9, 0), std::nullopt);
  EXPECT_THROW(static_cast<void>(make_codes(clustering, {.branch = 2, .depth = 3})), UsageError);
  EXPECT_NO_THROW(static_cast<void>(make_codes(clustering, {.branch = 3, .depth = 2})));
  EXPECT_THROW(static_cast<void>(make_codes(clustering, {.branch = 1, .depth = 3})), UsageError);
  EXPECT_THROW(static_cast<void>(make_codes(clustering, {.branch = 2, .depth = 0})), UsageError);
}

TEST(Codes, AreWrittenAsTableAndMatrix) {
  const Clustering clustering(some_words(3), std::vector<ClassId>{0, 1, 1}, std::nullopt);
  const Codes codes = make_codes(clustering, {.branch = 3, .depth = 1});
  const testing::TempFolder folder;
  save_codes(folder.file("c.tsv"), codes, CodeFormat::tsv);
  EXPECT_EQ(testing::read_file(folder.file("c.tsv")), "w0\t0\nw1\t1\nw2\t2\n");
  save_codes(folder.file("c"), codes, CodeFormat::npy);
  const std::string matrix = testing::read_file(folder.file("c.npy"));
  EXPECT_EQ(matrix.size(), 128u + 3u);
  EXPECT_NE(matrix.find("'descr': '|u1', 'fortran_order': False, 'shape': (3, 1), }"), std::string::npos);
  EXPECT_EQ(matrix.substr(128), std::string("\x00\x01\x02", 3));
  EXPECT_EQ(testing::read_file(folder.file("c.vocab")), "w0\t3\nw1\t2\nw2\t1\n");
}

TEST(CutAtDepth, GivesThePrefixesOfTheBitStrings) {
  base::Rng rng(3);
  for (int round = 0; round < 200; ++round) {
    const Clustering clustering = random_clustering(rng, round % 4 == 0);
    // Bit strings of words: those of classes, or of the words where the tree goes down to them.
    const bool words = clustering.tree()->kind == TreeLeaves::words;
    const Clustering fine =
        words ? clustering.cut(static_cast<ClassId>(clustering.word_count())) : clustering;
    const std::vector<std::string> bits = fine.bit_strings();
    for (const std::uint32_t depth : {0u, 1u, 2u, 5u, 200u}) {
      const Clustering cut = cut_at_depth(clustering, depth);
      std::map<std::string, ClassId> class_of_prefix;
      std::set<ClassId> seen;
      for (WordId word = 0; word < clustering.word_count(); ++word) {
        const std::string& path = bits[fine.class_of(word)];
        const std::string prefix = fine.class_count() == 1 ? "" : path.substr(0, depth);
        const auto [entry, fresh] = class_of_prefix.emplace(prefix, cut.class_of(word));
        ASSERT_EQ(entry->second, cut.class_of(word)) << round << " " << depth;
        seen.insert(cut.class_of(word));
      }
      ASSERT_EQ(seen.size(), class_of_prefix.size());
      // What is left of the tree gives these prefixes as bit strings.
      if (cut.class_count() == 1) continue;
      const std::vector<std::string> left = cut.bit_strings();
      for (WordId word = 0; word < clustering.word_count(); ++word)
        ASSERT_EQ(left[cut.class_of(word)], bits[fine.class_of(word)].substr(0, depth));
    }
  }
}

}  // namespace
}  // namespace firth
