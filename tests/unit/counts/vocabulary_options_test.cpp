// Leaving out words, adding up count files, and taking whichever of text and counts there is.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "firth/count.hpp"
#include "firth/error.hpp"
#include "reference/naive_counter.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

class VocabularyRules : public ::testing::Test {
 protected:
  Counts count(const std::string& text, const VocabularyOptions& vocabulary) const {
    CountOptions options;
    options.vocabulary = vocabulary;
    const std::vector<std::string> inputs = {folder_.write("text", text)};
    return count_text(inputs, options, {});
  }
  std::map<std::string, Count> words(const std::string& text, const VocabularyOptions& vocabulary) const {
    return reference::as_naive(count(text, vocabulary)).words;
  }
  std::string counted(const std::string& name, const std::string& text,
                      const CountOptions& options = {}) const {
    const std::vector<std::string> inputs = {folder_.write(name + ".txt", text)};
    save_counts(folder_.file(name), count_text(inputs, options, {}));
    return folder_.file(name);
  }
  testing::TempFolder folder_;
};

TEST_F(VocabularyRules, OrderIsCountThenBytes) {
  const Counts counts = count("b a b c a z \xc3\xa9", {});
  std::vector<std::string> order;
  for (WordId id = 0; id < counts.vocabulary().size(); ++id) order.emplace_back(counts.vocabulary().word(id));
  EXPECT_THAT(order, ::testing::ElementsAre("a", "b", "c", "z", "\xc3\xa9"));
}

TEST_F(VocabularyRules, UnkIsOneWordWithItsPlaceByFrequency) {
  const Counts counts = count("a b a c d a <unk>", {.min_count = 2});
  EXPECT_EQ(counts.vocabulary().word(0), "<unk>");
  EXPECT_THAT(reference::as_naive(counts).words, UnorderedElementsAre(Pair("<unk>", 4), Pair("a", 3)));
  EXPECT_EQ(counts.info().tokens, 7u);
  EXPECT_TRUE(counts.info().restricted);
}

TEST_F(VocabularyRules, NoUnkWhereNothingIsLeftOut) {
  EXPECT_THAT(words("a b", {.max_vocab = 2}), UnorderedElementsAre(Pair("a", 1), Pair("b", 1)));
}

TEST_F(VocabularyRules, MaxVocabCountsWordsBesidesUnk) {
  EXPECT_THAT(words("a a a b b c d", {.max_vocab = 2}),
              UnorderedElementsAre(Pair("a", 3), Pair("b", 2), Pair("<unk>", 2)));
}

TEST_F(VocabularyRules, RareWordsBreakOrVanish) {
  const Counts broken = count("a b x a b", {.min_count = 2, .rare = RarePolicy::no_pairs});
  EXPECT_EQ(broken.bigrams().total(), 2u);
  EXPECT_EQ(broken.vocabulary().size(), 2u);
  const Counts dropped = count("a b x a b", {.min_count = 2, .rare = RarePolicy::drop});
  EXPECT_EQ(dropped.bigrams().total(), 3u);
  EXPECT_EQ(dropped.info().tokens, 5u);
}

TEST_F(VocabularyRules, VocabularyFile) {
  VocabularyOptions options;
  options.vocab_file = folder_.write("list",
                                     "\xef\xbb\xbf"
                                     "a\t17\r\n\n c \nnever\n");
  EXPECT_THAT(words("a b c a", options), UnorderedElementsAre(Pair("a", 2), Pair("c", 1), Pair("<unk>", 1)));
  options.min_count = 2;
  EXPECT_THAT(words("a b c a", options), UnorderedElementsAre(Pair("a", 2), Pair("<unk>", 2)));
  options.vocab_file = folder_.write("bad", "a\n\xff\n");
  EXPECT_THROW(words("a", options), InputError);
  options.vocab_file = folder_.file("missing");
  EXPECT_THROW(words("a", options), IoError);
}

TEST_F(VocabularyRules, RestrictingCountsNeedsNoTextUnlessDropping) {
  const Counts all = count("a b a c", {});
  const Counts direct = count("a b a c", {.min_count = 2});
  EXPECT_TRUE(reference::same_arrays(direct, restrict_vocabulary(all, {.min_count = 2})));
  EXPECT_TRUE(reference::same_arrays(all, restrict_vocabulary(all, {})));
  EXPECT_THROW(restrict_vocabulary(all, {.min_count = 2, .rare = RarePolicy::drop}), UsageError);
  EXPECT_THROW(restrict_vocabulary(all, {.min_count = 0}), UsageError);
}

TEST_F(VocabularyRules, PairsAreNotCopiedWhereNoWordIsRare) {
  const Counts counts = count("a b a\nb <unk> b\n", {});
  const Counts same = restrict_vocabulary(counts, {.min_count = 1, .max_vocab = 3}, {});
  EXPECT_EQ(same.bigrams().rights().data(), counts.bigrams().rights().data());
  EXPECT_EQ(reference::as_naive(same).words, reference::as_naive(counts).words);
  const Counts fewer = restrict_vocabulary(counts, {.max_vocab = 1}, {});
  EXPECT_NE(fewer.bigrams().rights().data(), counts.bigrams().rights().data());
  EXPECT_EQ(fewer.vocabulary().size(), 2u);
}

TEST_F(VocabularyRules, ShardsAddUpToTheWhole) {
  const std::vector<std::string> shards = {counted("1", "a b c\n"), counted("2", ""),
                                           counted("3", "c b a\nb c\n")};
  const std::vector<std::string> text = {folder_.write("all", "c b a\nb c\na b c\n")};
  EXPECT_TRUE(reference::same_arrays(count_text(text, {}, {}), merge_counts(shards)));
  EXPECT_TRUE(reference::same_arrays(count_text(text, {}, {}), read_counts(shards, {}, {})));
}

TEST_F(VocabularyRules, UnlikeCountsAreNotMerged) {
  CountOptions lower;
  lower.text.lowercase = true;
  CountOptions far;
  far.distances = {1, 2};
  CountOptions fewer;
  fewer.vocabulary.min_count = 2;
  const std::string plain = counted("plain", "a b");
  const auto message = [&](const CountOptions& options) -> std::string {
    const std::vector<std::string> both = {plain, counted("other", "a a b", options)};
    try {
      merge_counts(both);
    } catch (const UsageError& failure) {
      return failure.what();
    }
    return "no error";
  };
  EXPECT_THAT(message(lower), HasSubstr("lowercase=yes"));
  EXPECT_THAT(message(far), HasSubstr("other distances"));
  EXPECT_THAT(message(fewer), HasSubstr("use these options when merging"));
  EXPECT_THROW(merge_counts({}), UsageError);
}

TEST_F(VocabularyRules, ReadCountsTakesTextOrCountFilesButNotBoth) {
  const std::string counts = counted("plain", "a b");
  const std::string text = folder_.write("text", "a b");
  const std::vector<std::string> mixed = {counts, text};
  EXPECT_THROW(read_counts(mixed, {}, {}), UsageError);
  const std::vector<std::string> one = {counts};
  EXPECT_EQ(read_counts(one, {}, {}).info().tokens, 2u);
  CountOptions lower;
  lower.text.lowercase = true;
  EXPECT_THROW(read_counts(one, lower, {}), UsageError);
  CountOptions far;
  far.distances = {2};
  EXPECT_THROW(read_counts(one, far, {}), UsageError);
}

}  // namespace
}  // namespace firth
