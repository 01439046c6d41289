// A text that says everything ten thousand times says nothing new: same classes, same AMI, however large its counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "firth/assign.hpp"
#include "firth/build_tree.hpp"
#include "firth/cluster.hpp"
#include "firth/evaluate.hpp"
#include "reference/planted_text.hpp"
#include "reference/random_data.hpp"

namespace firth {
namespace {

constexpr ClassId kClasses = 6;
constexpr std::size_t kTokens = 60000;
/// Of a text of 60,000 tokens: totals beyond 2^29, 2^32 and 2^42; of the last, single cells are beyond 2^32, too.
constexpr Count kTimes[] = {10000, 80000, 100000000};

struct Method {
  std::string name;
  ClusterMethod method;
};

std::vector<Method> methods() {
  return {{"auto fast", AutoOptions{.classes = kClasses, .effort = SearchEffort::fast}},
          {"auto", AutoOptions{.classes = kClasses}},
          {"auto with line ends", AutoOptions{.classes = kClasses, .boundaries = true}},
          {"exchange", ExchangeOptions{.classes = kClasses, .restarts = 5}},
          {"brown", BrownOptions{.classes = kClasses}},
          {"pos", PosOptions{.classes = kClasses, .skip_weight = 0}}};
}

TEST(ManyBigrams, EveryMethodFindsTheSameClassesWithTheSameAmi) {
  const reference::Planted plain = reference::planted_text(11, kClasses, 20, kTokens);
  for (const Method& method : methods()) {
    const ClusterResult expected = cluster(plain.counts, method.method, {.threads = 1});
    for (const Count times : kTimes) {
      const Counts many = reference::repeated(plain.counts, times);
      const ClusterResult result = cluster(many, method.method, {.threads = 1});
      EXPECT_TRUE(std::ranges::equal(result.clustering.classes(), expected.clustering.classes()))
          << method.name << ", " << times << " times";
      EXPECT_NEAR(result.ami_bits, expected.ami_bits, 1e-9) << method.name << ", " << times << " times";
    }
  }
}

TEST(ManyBigrams, TreeAndScoresAreThoseOfThePlainText) {
  base::Rng rng(12);
  for (int round = 0; round < 5; ++round) {
    const Counts plain = reference::random_counts(rng, 60, 5000);
    const std::vector<ClassId> classes = reference::random_classes(rng, 60, 12);
    const MergeTree expected = build_tree(plain, classes, {.threads = 1});
    for (const Count times : kTimes) {
      const Counts many = reference::repeated(plain, times * 12);
      const MergeTree tree = build_tree(many, classes, {.threads = 1});
      ASSERT_EQ(tree.merges.size(), expected.merges.size());
      for (std::size_t i = 0; i < tree.merges.size(); ++i) {
        EXPECT_EQ(tree.merges[i].left, expected.merges[i].left) << round << ", " << times << " times";
        EXPECT_EQ(tree.merges[i].right, expected.merges[i].right) << round << ", " << times << " times";
      }
      for (const AmiNorm norm : {AmiNorm::bigrams, AmiNorm::tokens, AmiNorm::unigram}) {
        EXPECT_NEAR(average_mutual_information(many, classes, norm),
                    average_mutual_information(plain, classes, norm), 1e-9);
      }
    }
  }
}

TEST(ManyBigrams, NewWordsGetTheSameClasses) {
  const reference::Planted all = reference::planted_text(13, kClasses, 20, kTokens);
  std::vector<std::pair<std::string, ClassId>> known;
  for (const auto& [word, c] : all.truth) {
    if (word.ends_with("w1") || word.ends_with("w2")) continue;  // the new ones
    known.emplace_back(word, c);
  }
  const auto model_for = [&](const Counts& counts) {
    std::vector<std::pair<std::string, Count>> words;
    std::vector<ClassId> classes;
    const WordIndex index(counts.vocabulary());
    for (const auto& [word, c] : known)
      words.emplace_back(word, counts.vocabulary().count(*index.find(word)));
    const Vocabulary vocabulary = Vocabulary::from_words(words);
    for (WordId word = 0; word < vocabulary.size(); ++word) {
      classes.push_back(all.truth.at(std::string(vocabulary.word(word))));
    }
    return Clustering(vocabulary, classes);
  };
  const Assignment expected = assign_words(model_for(all.counts), all.counts, {});
  ASSERT_EQ(expected.words.size(), 2U * kClasses);
  for (const Count times : kTimes) {
    const Counts many = reference::repeated(all.counts, times);
    const Assignment result = assign_words(model_for(many), many, {});
    ASSERT_EQ(result.words.size(), expected.words.size());
    for (std::size_t i = 0; i < result.words.size(); ++i) {
      EXPECT_EQ(result.words[i].word, expected.words[i].word);
      EXPECT_EQ(result.words[i].class_id, expected.words[i].class_id) << expected.words[i].word;
      EXPECT_EQ(result.words[i].by, AssignedBy::contexts);
    }
  }
}

}  // namespace
}  // namespace firth
