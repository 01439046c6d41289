#include "firth/brown.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.hpp"
#include "cluster/brown/order.hpp"
#include "firth/error.hpp"
#include "firth/evaluate.hpp"
#include "reference/brown_corpus.hpp"
#include "reference/naive_brown.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

using reference::skewed_counts;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Bigrams of one stream of words.
Counts stream_counts(const std::vector<std::string>& text) {
  std::vector<std::pair<std::string, Count>> words;
  for (const std::string& token : text) {
    const auto found =
        std::find_if(words.begin(), words.end(), [&](const auto& w) { return w.first == token; });
    if (found == words.end())
      words.emplace_back(token, 1);
    else
      ++found->second;
  }
  const Vocabulary vocabulary = Vocabulary::from_words(words);
  const WordIndex index(vocabulary);
  std::vector<PairCount> pairs;
  for (std::size_t i = 1; i < text.size(); ++i)
    pairs.push_back({index.find(text[i - 1]).value(), index.find(text[i]).value(), 1});
  return {vocabulary, PairCounts::from_pairs(vocabulary.size(), std::move(pairs)), {.tokens = text.size()}};
}

std::vector<std::string> split(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

// Ciosici 2015, Figure 4.1: the same sentences in two orders.
const char* const kFigureA =
    "the dog chased the cats . the dog scared the cats . the cats ran away . Alice likes cats . Alice likes "
    "sports .";
const char* const kFigureB =
    "the dog chased the cats . Alice likes cats . Alice likes sports . the dog scared the cats . the cats "
    "ran "
    "away .";

TEST(Brown, AllsameDoesNotDependOnTheOrderOfLines) {
  const BrownOptions options{.classes = 3, .variant = BrownVariant::allsame};
  const ClusterResult a = cluster_brown(stream_counts(split(kFigureA)), options, {});
  const ClusterResult b = cluster_brown(stream_counts(split(kFigureB)), options, {});
  EXPECT_EQ(a.clustering, b.clustering);
  EXPECT_EQ(a.clustering.class_count(), 3U);
  EXPECT_NEAR(
      average_mutual_information(stream_counts(split(kFigureA)), a.clustering.classes(), AmiNorm::tokens),
      1.1373, 5e-5);  // Figure 4.2b; 4.2a has 1.1411 and 4.2c 1.1218
}

// Words of the last group may not merge with each other: the pair (c, d) has no loss at all but must wait.
TEST(Brown, AllsameNeedsACitizen) {
  const Counts counts = stream_counts(split("a b a b a b a b a c a d"));
  const ClusterResult result = cluster_brown(counts, {.classes = 3, .variant = BrownVariant::allsame}, {});
  const TreeMerge& first = result.clustering.tree()->merges.front();
  const auto name = [&](std::uint32_t node) { return counts.vocabulary().word(node); };
  EXPECT_FALSE(name(first.left) == "c" && name(first.right) == "d");
}

TEST(Brown, MoreClassesThanWordsIsRefused) {
  const Counts counts = stream_counts(split("a b c"));
  try {
    cluster_brown(counts, {.classes = 4}, {});
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("4 classes are asked for, but there are only 3 words"));
    EXPECT_THAT(error.what(), HasSubstr("at most 3"));
  }
}

TEST(Brown, OptionsThatMakeNoSenseAreRefused) {
  EXPECT_THROW(validate(BrownOptions{.classes = 0}), UsageError);
  EXPECT_THROW(validate(BrownOptions{.classes = 5, .window = 5}), UsageError);
  EXPECT_NO_THROW(validate(BrownOptions{.classes = 5, .window = 6}));
  EXPECT_THROW(validate(BrownOptions{.classes = 5, .window = 9, .variant = BrownVariant::allsame}),
               UsageError);
  EXPECT_THROW(validate(BrownOptions{.resort_every = 0}), UsageError);
  EXPECT_THROW(validate(BrownOptions{.resume = true}), UsageError);
}

TEST(Brown, OneClassAndAsManyClassesAsWords) {
  const Counts counts = stream_counts(split(kFigureA));
  const ClusterResult one = cluster_brown(counts, {.classes = 1}, {});
  EXPECT_EQ(one.clustering.class_count(), 1U);
  EXPECT_NEAR(one.ami_bits, 0.0, 1e-9);
  const auto words = static_cast<ClassId>(counts.vocabulary().size());
  const ClusterResult all = cluster_brown(counts, {.classes = words}, {});
  EXPECT_EQ(all.clustering.class_count(), words);
  EXPECT_NEAR(all.ami_bits, average_mutual_information(counts, all.clustering.classes()), 1e-9);
}

TEST(Brown, WordsWithoutNeighbours) {
  const Vocabulary vocabulary = Vocabulary::from_words({{"a", 3}, {"b", 2}, {"c", 1}});
  const Counts counts(vocabulary, PairCounts::from_pairs(3, {}), {.tokens = 6});
  const ClusterResult result = cluster_brown(counts, {.classes = 1}, {});
  // All losses are 0: the rule for ties decides.
  EXPECT_THAT(result.clustering.tree()->merges[0].left, 0U);
  EXPECT_THAT(result.clustering.tree()->merges[0].right, 1U);
}

TEST(Brown, OneWord) {
  const ClusterResult result = cluster_brown(stream_counts({"a", "a", "a"}), {.classes = 1}, {});
  EXPECT_EQ(result.clustering.class_count(), 1U);
  EXPECT_TRUE(result.clustering.tree()->merges.empty());
}

TEST(Brown, AmiIsThatOfTheClustering) {
  base::Rng rng(3);
  const Counts counts = skewed_counts(rng, {.words = 400, .tokens = 20000, .self = 0.02});
  for (const BrownMarginals marginals : {BrownMarginals::bigram, BrownMarginals::unigram}) {
    const ClusterResult result =
        cluster_brown(counts, {.classes = 40, .marginals = marginals, .check_every = 25}, {});
    const AmiNorm norm = marginals == BrownMarginals::bigram ? AmiNorm::bigrams : AmiNorm::unigram;
    const double fresh = average_mutual_information(counts, result.clustering.classes(), norm);
    EXPECT_NEAR(result.ami_bits, fresh, 1e-9 * fresh);
    EXPECT_NEAR(result.clustering.tree()->merges[359].ami_bits, fresh, 1e-9 * fresh);
  }
}

TEST(Brown, MemoryIsRefusedBeforehand) {
  base::Rng rng(3);
  const Counts counts = skewed_counts(rng, {.words = 500, .tokens = 5000});
  try {
    cluster_brown(counts, {.classes = 300}, {.memory_bytes = 100000});
    FAIL();
  } catch (const ResourceError& error) {
    EXPECT_THAT(error.what(), HasSubstr("a window of 301 clusters needs"));
  }
}

// Copies of the window for other threads are left out before anything is refused.
TEST(Brown, AsMuchMemoryAsOneThreadNeedsIsEnoughForFour) {
  base::Rng rng(5);
  const Counts counts = reference::skewed_counts(rng, {.words = 2000, .tokens = 8000});
  const BrownOptions options{.classes = 50};
  const auto run = [&](unsigned threads, std::uint64_t bytes) {
    return cluster_brown(counts, options, {.threads = threads, .memory_bytes = bytes});
  };
  const auto is_enough = [&](std::uint64_t bytes) {
    try {
      run(1, bytes);
      return true;
    } catch (const ResourceError&) {
      return false;
    }
  };
  std::uint64_t enough = std::uint64_t{1} << 26;
  for (std::uint64_t step = enough / 2; step > 0; step /= 2)
    if (is_enough(enough - step)) enough -= step;
  EXPECT_EQ(*run(4, enough).clustering.tree(), *run(4, 0).clustering.tree());
  EXPECT_THROW(run(4, enough - 1), ResourceError);
}

TEST(Brown, StopsOnRequest) {
  base::Rng rng(3);
  const Counts counts = skewed_counts(rng, {.words = 300, .tokens = 5000});
  std::stop_source source;
  source.request_stop();
  EXPECT_THROW(cluster_brown(counts, {.classes = 30}, {.stop = source.get_token()}), Cancelled);
}

TEST(Brown, TellsEveryEvent) {
  const Counts counts = stream_counts(split(kFigureA));
  const std::size_t words = counts.vocabulary().size();
  BrownOptions options{.classes = 3};
  const auto expected = reference::naive_brown(counts, options);
  std::vector<BrownEvent> events;
  options.on_event = [&](const BrownEvent& event) { events.push_back(event); };
  const ClusterResult result = cluster_brown(counts, options, {});
  ASSERT_EQ(events.size(), expected.trace.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    EXPECT_NEAR(events[i].ami_bits, expected.trace[i], 1e-9);
    EXPECT_EQ(events[i].clusters, events[i].words - events[i].merges) << i;
    EXPECT_EQ(events[i].words + events[i].merges, i + 1);
  }
  EXPECT_TRUE(events.back().merged);
  EXPECT_EQ(events.back().words, words);
  EXPECT_EQ(events.back().merges, words - 1);
  EXPECT_EQ(std::count_if(events.begin(), events.end(), [](const BrownEvent& e) { return e.merged; }),
            static_cast<std::ptrdiff_t>(words - 1));
}

TEST(Brown, EventsAsATable) {
  EXPECT_EQ(format_events({}), "event\twords\tmerges\tclusters\tami_bits\n");
  const std::vector<BrownEvent> events = {
      {.words = 1, .clusters = 1},
      {.merged = true, .words = 2, .merges = 1, .clusters = 1, .ami_bits = 0.25}};
  EXPECT_THAT(format_events(events),
              ::testing::EndsWith("insert\t1\t0\t1\t0.000000000\nmerge\t2\t1\t1\t0.250000000\n"));
}

TEST(Brown, OrderFile) {
  const firth::testing::TempFolder folder;
  const Counts counts = stream_counts(split("a b c a b a"));
  const auto load = [&](const std::string& content) {
    return load_word_order(folder.write("order", content), counts.vocabulary());
  };
  EXPECT_THAT(load("c\na\n"), ElementsAre(2U, 0U));
  EXPECT_THAT(brown::entry_order(counts, {.classes = 1, .order = load("c\na\n")}), ElementsAre(2U, 0U, 1U));
  try {
    load("c\nx\n");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().line, 2U);
  }
  EXPECT_THROW(load("c\nc\n"), InputError);
  EXPECT_THROW(brown::entry_order(counts, {.classes = 1, .order = {0, 0}}), UsageError);
  EXPECT_THROW(brown::entry_order(counts, {.classes = 1, .order = {3}}), UsageError);
}

// Took time with the third power of the number of words: minutes for these.
TEST(Brown, AllsameOfWordsThatAreAllTiedIsQuick) {
  std::vector<std::string> chain;
  for (int i = 0; i < 1500; ++i) chain.push_back("w" + std::to_string(i));
  const Counts counts = stream_counts(chain);
  for (const ClassId classes : {ClassId{1}, ClassId{10}, ClassId{700}}) {
    const BrownOptions allsame{.classes = classes, .variant = BrownVariant::allsame};
    const BrownOptions all{.classes = classes, .window = kWholeVocabulary};
    // All words enter together and all may merge: no window at all.
    EXPECT_EQ(*cluster_brown(counts, allsame, {}).clustering.tree(),
              *cluster_brown(counts, all, {}).clustering.tree());
  }
}

// Words without neighbours lose nothing with any citizen: thousands of ties, settled once.
TEST(Brown, AllsameOfRareWordsThatAreAllTiedIsQuick) {
  base::Rng rng(4);
  const Counts frequent = skewed_counts(rng, {.words = 200, .tokens = 20000});
  std::vector<std::pair<std::string, Count>> words;
  for (WordId word = 0; word < frequent.vocabulary().size(); ++word)
    words.emplace_back(frequent.vocabulary().word(word), frequent.vocabulary().count(word) + 1);
  for (int i = 0; i < 3000; ++i) words.emplace_back("rare" + std::to_string(i), 1);
  const Vocabulary vocabulary = Vocabulary::from_words(words);
  std::vector<PairCount> pairs;
  for (WordId left = 0; left < frequent.vocabulary().size(); ++left)
    for (std::size_t i = 0; i < frequent.bigrams().right_words(left).size(); ++i)
      pairs.push_back(
          {left, frequent.bigrams().right_words(left)[i], frequent.bigrams().right_counts(left)[i]});
  const Counts counts(vocabulary, PairCounts::from_pairs(vocabulary.size(), std::move(pairs)), {});
  BrownOptions options{.classes = 150, .variant = BrownVariant::allsame};
  options.check_every = 1000;
  EXPECT_EQ(cluster_brown(counts, options, {}).clustering.class_count(), 150U);
}

}  // namespace
}  // namespace firth
