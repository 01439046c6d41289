// The spelling model kept up to date against the one counted anew.
#include "cluster/pos/spelling_model.hpp"

#include <gtest/gtest.h>

#include "base/rng.hpp"

namespace firth::pos {
namespace {

Vocabulary random_words(base::Rng& rng, std::size_t words) {
  std::vector<std::pair<std::string, Count>> named;
  for (std::size_t i = 0; i < words; ++i) {
    std::string word = std::to_string(i);  // different words
    for (std::uint64_t letters = rng.below(5); letters > 0; --letters) {
      word += static_cast<char>("ab-.'X"[rng.below(6)]);
    }
    named.emplace_back(word, 1);
  }
  return Vocabulary::from_words(named);
}

TEST(SpellingModel, ScoresAreChangesOfTheProbability) {
  base::Rng rng(31);
  for (int round = 0; round < 200; ++round) {
    const Vocabulary vocabulary = random_words(rng, 5 + rng.below(20));
    std::vector<Capitals> capitals(vocabulary.size());
    for (Capitals& one : capitals) {
      one.inside = rng.below(4);
      one.capital = rng.below(one.inside + 1);
    }
    const SpellingTree tree = make_spelling_tree(vocabulary, capitals);
    const std::vector<double> amounts = feature_amounts(vocabulary, 1);
    const auto classes = static_cast<ClassId>(2 + rng.below(4));
    std::vector<ClassId> class_of(vocabulary.size());
    for (ClassId& c : class_of) c = static_cast<ClassId>(rng.below(classes));
    const TemplateWeights weights = {rng.uniform(), rng.uniform(), rng.uniform(), rng.uniform()};
    SpellingModel kept(tree, amounts, weights);
    kept.reset(class_of, classes);
    for (int step = 0; step < 10; ++step) {
      const auto word = static_cast<WordId>(rng.below(vocabulary.size()));
      const auto target = static_cast<ClassId>(rng.below(classes));
      const ClassId home = class_of[word];
      std::vector<float> scores(classes, 0.0F);
      kept.add_scores(word, home, scores);
      const double before = kept.log_probability();
      kept.move(word, home, target);
      class_of[word] = target;
      // Words seen once: one draw from the Dirichlet-multinomial is exactly what the score says.
      ASSERT_NEAR(kept.log_probability() - before, scores[target] - scores[home], 1e-4);
      SpellingModel anew(tree, amounts, weights);
      anew.reset(class_of, classes);
      ASSERT_NEAR(kept.log_probability(), anew.log_probability(), 1e-8);
    }
  }
}

TEST(SpellingModel, CapitalsCountWhereTheyAreKnown) {
  const Vocabulary vocabulary = Vocabulary::from_words({{"aa", 4}, {"bb", 3}, {"cc", 2}});
  const std::vector<Capitals> capitals = {{10, 9}, {10, 0}, {0, 0}};
  const SpellingTree tree = make_spelling_tree(vocabulary, capitals);
  const std::vector<double> amounts = feature_amounts(vocabulary, 1);
  EXPECT_DOUBLE_EQ(amounts[0], 2);
  SpellingModel spelling(tree, amounts, {0, 0, 0, 1});
  spelling.reset(std::vector<ClassId>{0, 1, 0}, 2);
  std::vector<float> scores(2, 0.0F);
  spelling.add_scores(2, 0, scores);
  EXPECT_FLOAT_EQ(scores[0], 0);
  EXPECT_FLOAT_EQ(scores[1], 0);
  spelling.add_scores(0, 0, scores);
  EXPECT_LT(scores[1], scores[0]) << "the other class has a word that is never capitalised";
}

TEST(SpellingModel, ALongTextCountsLess) {
  const Vocabulary vocabulary = Vocabulary::from_words({{"aa", 400}, {"bb", 100}});
  EXPECT_EQ(feature_amounts(vocabulary, 0.25), (std::vector<double>{10, 5}));
}

}  // namespace
}  // namespace firth::pos
