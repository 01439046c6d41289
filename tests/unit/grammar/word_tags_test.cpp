// Tags that a word may have, where there are very many of them.
#include "grammar/word_tags.hpp"

#include <gtest/gtest.h>

#include <set>

#include "firth/error.hpp"

namespace firth::grammar {
namespace {

constexpr std::size_t kMaxShared = 1000;  // tags that rare words of a class share

/// A word of each tag; the first ones in the alphabet are there once, the others twice.
TrainingSet one_tag_each(std::size_t tags, std::size_t once) {
  std::string text;
  for (std::size_t i = 0; i < tags; ++i) {
    const std::string number = std::to_string(10'000 + i);
    const std::string tree = "(S (T" + number + " w" + number + ") (T" + number + " v" + number + "))\n";
    text += tree;
    if (i >= once) text += tree;
  }
  return read_training_set(Inputs::from_text(text), recommended_training(), {.threads = 1});
}

TEST(WordTags, RareWordsMayHaveEveryTagOfTheirClass) {
  const TrainingSet set = one_tag_each(50, 0);
  const WordTags tags = make_word_tags(set, {});
  ASSERT_EQ(tags.begin.size(), set.words.size() + 1);
  EXPECT_EQ(tags.tags.size(), 50 * set.words.size());
}

TEST(WordTags, GrowWithTheWordsAndNotWithTheirSquare) {
  const std::size_t all = kMaxShared + 200;
  const TrainingSet set = one_tag_each(all, 100);
  const WordTags tags = make_word_tags(set, {});
  EXPECT_LE(tags.tags.size(), (kMaxShared + 1) * set.words.size());
  EXPECT_GE(tags.tags.size(), kMaxShared * set.words.size());
  // The tags that were seen less often are those that only their own words have.
  const std::size_t last = set.words.size() - 1;
  std::set<std::string> names;
  for (std::uint64_t i = tags.begin[last]; i < tags.begin[last + 1]; ++i)
    names.emplace(set.symbols.name(set.rules.lexical[tags.tags[i].lexical].tag));
  EXPECT_FALSE(names.contains("T10000"));
  EXPECT_TRUE(names.contains("T10100"));
}

TEST(WordTags, SayWhatTheyNeedBeforeTheyTakeIt) {
  const TrainingSet set = one_tag_each(500, 0);
  try {
    const WordTags tags = make_word_tags(set, {.memory_bytes = 1'000'000});
    FAIL() << tags.tags.size() << " tags";
  } catch (const ResourceError& error) {
    EXPECT_NE(std::string(error.what()).find("1000 words, each with 500 tags that it may have, needs 3.9 MB"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace firth::grammar
