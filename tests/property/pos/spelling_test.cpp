// The spelling model kept up to date against the one counted anew.
#include "cluster/pos/spelling.hpp"

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

TEST(Spelling, ScoresAreChangesOfTheProbability) {
  base::Rng rng(31);
  for (int round = 0; round < 200; ++round) {
    const Vocabulary vocabulary = random_words(rng, 5 + rng.below(20));
    const SpellingTree tree = make_spelling_tree(vocabulary);
    const auto classes = static_cast<ClassId>(2 + rng.below(4));
    std::vector<ClassId> class_of(vocabulary.size());
    for (ClassId& c : class_of) c = static_cast<ClassId>(rng.below(classes));
    const TemplateWeights weights = {rng.uniform(), rng.uniform(), rng.uniform()};
    Spelling kept(tree, vocabulary, weights);
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
      Spelling anew(tree, vocabulary, weights);
      anew.reset(class_of, classes);
      ASSERT_NEAR(kept.log_probability(), anew.log_probability(), 1e-8);
    }
  }
}

}  // namespace
}  // namespace firth::pos
