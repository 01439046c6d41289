#include <gtest/gtest.h>

#include <memory>
#include <type_traits>

#include "firth/class_lm.hpp"
#include "firth/counts.hpp"
#include "firth/parser.hpp"
#include "firth/tagger.hpp"
#include "firth/treebank.hpp"

namespace firth {
namespace {

// The index keeps the words alive: a vocabulary is cheap to copy.
TEST(WordIndex, OutlivesTheVocabularyItWasMadeFrom) {
  auto vocabulary = std::make_unique<Vocabulary>(Vocabulary::from_words({{"cat", 2}, {"dog", 1}}));
  const WordIndex index(*vocabulary);
  vocabulary.reset();
  EXPECT_EQ(index.find("dog"), 1u);
  EXPECT_EQ(index.find("cow"), std::nullopt);
}

template <class Handle>
constexpr bool kMovesOnly =
    std::is_nothrow_move_constructible_v<Handle>&& std::is_nothrow_move_assignable_v<Handle> &&
    !std::is_copy_constructible_v<Handle> && !std::is_copy_assignable_v<Handle>;

TEST(Handles, MoveAndDoNotCopy) {
  EXPECT_TRUE(kMovesOnly<LmSampler>);
  EXPECT_TRUE(kMovesOnly<Parser>);
  EXPECT_TRUE(kMovesOnly<TreeScorer>);
  EXPECT_TRUE(kMovesOnly<TagSession>);
  EXPECT_TRUE(kMovesOnly<TreeReader>);
}

template <class Model>
concept ShowsItsInside = requires(const Model& model) {
  model.internals();
};

TEST(Models, KeepTheirInsideToThemselves) {
  EXPECT_FALSE(ShowsItsInside<LanguageModel>);
  EXPECT_FALSE(ShowsItsInside<Lpcfg>);
  EXPECT_FALSE(ShowsItsInside<Tagger>);
}

}  // namespace
}  // namespace firth
