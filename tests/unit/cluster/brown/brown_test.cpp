#include "firth/brown.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.hpp"
#include "cluster/brown/checkpoint.hpp"
#include "cluster/brown/order.hpp"
#include "firth/error.hpp"
#include "firth/evaluate.hpp"
#include "reference/brown_corpus.hpp"
#include "reference/naive_brown.hpp"

namespace firth {
namespace {

using reference::random_counts;
using testing::ElementsAre;
using testing::HasSubstr;

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

class BrownFiles : public testing::Test {
 protected:
  void SetUp() override {
    const auto* const info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("firth_brown_") + info->name() + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static void write(const std::string& path, const std::string& content) { std::ofstream(path) << content; }

 private:
  std::filesystem::path folder_;
};

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
      1.1411, 0.03);
}

// Words of the last group may not merge with each other: the pair (c, d) has no loss at all but must wait.
TEST(Brown, AllsameNeedsACitizen) {
  const Counts counts = stream_counts(split("a b a b a b a b a c a d"));
  const ClusterResult result = cluster_brown(counts, {.classes = 3, .variant = BrownVariant::allsame}, {});
  const Merge& first = result.clustering.tree()->merges.front();
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
  const Counts counts = random_counts(rng, {.words = 400, .tokens = 20000, .self = 0.02});
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
  const Counts counts = random_counts(rng, {.words = 500, .tokens = 5000});
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
  const Counts counts = reference::random_counts(rng, {.words = 2000, .tokens = 8000});
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
  const Counts counts = random_counts(rng, {.words = 300, .tokens = 5000});
  std::stop_source source;
  source.request_stop();
  EXPECT_THROW(cluster_brown(counts, {.classes = 30}, {.stop = source.get_token()}), Cancelled);
}

TEST_F(BrownFiles, TraceHasEveryEvent) {
  const Counts counts = stream_counts(split(kFigureA));
  BrownOptions options{.classes = 3};
  options.trace_file = path("trace.tsv");
  const ClusterResult result = cluster_brown(counts, options, {});
  const auto expected = reference::naive_brown(counts, options);
  std::ifstream file(options.trace_file);
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "event\twords\tmerges\tclusters\tami_bits");
  std::vector<double> values;
  std::string last_event;
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    int words = 0;
    int merges = 0;
    int clusters = 0;
    double ami = 0;
    fields >> last_event >> words >> merges >> clusters >> ami;
    EXPECT_EQ(clusters, words - merges) << line;
    values.push_back(ami);
  }
  ASSERT_EQ(values.size(), expected.trace.size());
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected.trace[i], 1e-9);
}

TEST_F(BrownFiles, OrderFile) {
  const Counts counts = stream_counts(split("a b c a b a"));
  BrownOptions options{.classes = 1};
  options.order_file = path("order");
  write(options.order_file, "c\na\n");
  EXPECT_THAT(brown::entry_order(counts, options), ElementsAre(2U, 0U, 1U));
  write(options.order_file, "c\nx\n");
  try {
    brown::entry_order(counts, options);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().line, 2U);
  }
  write(options.order_file, "c\nc\n");
  EXPECT_THROW(brown::entry_order(counts, options), InputError);
}

// From every point of a run, for every variant: the rest is the same.
TEST_F(BrownFiles, ResumedRunsEndTheSame) {
  base::Rng rng(5);
  const Counts counts = random_counts(rng, {.words = 90, .tokens = 1500});
  for (const BrownVariant variant : {BrownVariant::plain, BrownVariant::allsame, BrownVariant::resort}) {
    BrownOptions options{.classes = 12, .variant = variant, .resort_every = 3};
    options.checkpoint_file = path("checkpoint");
    options.checkpoint_seconds = 0;
    const ClusterResult whole = cluster_brown(counts, options, {});
    const auto print = brown::fingerprint(counts, options, brown::entry_order(counts, options));
    const auto last = brown::load_checkpoint(options.checkpoint_file, print).value();
    ASSERT_EQ(last.merges.size(), whole.clustering.tree()->merges.size());
    options.resume = true;
    options.checkpoint_seconds = 1e9;
    for (std::size_t merges = 0; merges <= last.merges.size(); merges += 11) {
      if (variant == BrownVariant::resort && merges > 0) break;  // its order is that of one moment only
      brown::Checkpoint early = last;
      early.merges.resize(merges);
      brown::save_checkpoint(options.checkpoint_file, early, print);
      EXPECT_EQ(*cluster_brown(counts, options, {}).clustering.tree(), *whole.clustering.tree()) << merges;
    }
    std::filesystem::remove(options.checkpoint_file);
  }
}

/// Stops the run when all words are in and the merges above the classes begin.
class StopSoon : public ProgressSink {
 public:
  explicit StopSoon(std::stop_source& source) : source_(source) {}
  void begin(std::string_view stage, std::string_view, std::uint64_t) override {
    if (stage == "hierarchy") source_.request_stop();
  }
  void advance(std::uint64_t, std::string_view) override {}
  void end() override {}
  void warn(std::string_view) override {}

 private:
  std::stop_source& source_;
};

TEST_F(BrownFiles, AnInterruptedRunGoesOn) {
  base::Rng rng(6);
  const Counts counts = random_counts(rng, {.words = 90, .tokens = 1500});
  for (const BrownVariant variant : {BrownVariant::plain, BrownVariant::resort}) {
    BrownOptions options{.classes = 12, .variant = variant, .resort_every = 2};
    const ClusterResult whole = cluster_brown(counts, options, {});
    options.checkpoint_file = path("checkpoint");
    std::stop_source source;
    StopSoon sink(source);
    EXPECT_THROW(cluster_brown(counts, options, {.progress = &sink, .stop = source.get_token()}), Cancelled);
    options.resume = true;
    EXPECT_EQ(*cluster_brown(counts, options, {}).clustering.tree(), *whole.clustering.tree());
    std::filesystem::remove(options.checkpoint_file);
  }
}

// The file is whole and its checksums are right, but no run can have made these merges.
TEST_F(BrownFiles, CheckpointsWithImpossibleMergesAreRefused) {
  const Counts counts = stream_counts(split(kFigureA));
  const auto words = static_cast<std::uint32_t>(counts.vocabulary().size());
  for (const BrownVariant variant : {BrownVariant::plain, BrownVariant::allsame, BrownVariant::resort}) {
    BrownOptions options{.classes = 3, .variant = variant};
    options.checkpoint_file = path("checkpoint");
    options.resume = true;
    const auto order = brown::entry_order(counts, options);
    const auto print = brown::fingerprint(counts, options, order);
    using Merges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
    for (const Merges& merges :
         {Merges{{0, 0}}, Merges{{0, words - 1}}, Merges{{0, words}}, Merges{{0, words + 7}},
          Merges{{0, UINT32_MAX}}, Merges{{0, 1}, {1, 2}}, Merges{{0, 1}, {words + 1, 2}}}) {
      if (variant == BrownVariant::allsame && merges == Merges{{0, words - 1}}) continue;  // may be right
      brown::save_checkpoint(options.checkpoint_file, {order, merges}, print);
      EXPECT_THROW(cluster_brown(counts, options, {}), FormatError)
          << static_cast<int>(variant) << ", " << merges.back().first << " " << merges.back().second;
    }
  }
}

// With check_every, sums are checked while merges are repeated, too.
TEST_F(BrownFiles, ResumedRunsCanBeChecked) {
  base::Rng rng(8);
  const Counts counts = random_counts(rng, {.words = 60, .tokens = 900});
  for (const BrownVariant variant : {BrownVariant::plain, BrownVariant::allsame}) {
    BrownOptions options{.classes = 10, .variant = variant};
    options.checkpoint_file = path("checkpoint");
    options.checkpoint_seconds = 0;
    const ClusterResult whole = cluster_brown(counts, options, {});
    options.resume = true;
    options.check_every = 3;
    EXPECT_EQ(*cluster_brown(counts, options, {}).clustering.tree(), *whole.clustering.tree());
    std::filesystem::remove(options.checkpoint_file);
  }
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
  const Counts frequent = random_counts(rng, {.words = 200, .tokens = 20000});
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

TEST_F(BrownFiles, ForeignAndDamagedCheckpointsAreRefused) {
  const Counts counts = stream_counts(split(kFigureA));
  BrownOptions options{.classes = 3};
  options.checkpoint_file = path("checkpoint");
  options.checkpoint_seconds = 0;
  cluster_brown(counts, options, {});
  options.resume = true;
  options.classes = 4;
  EXPECT_THROW(cluster_brown(counts, options, {}), FormatError);
  options.classes = 3;
  std::string content;
  {
    std::ifstream file(options.checkpoint_file, std::ios::binary);
    content.assign(std::istreambuf_iterator<char>(file), {});
  }
  for (std::size_t i = 0; i < content.size(); i += 5) {
    std::string damaged = content;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x20);
    write(options.checkpoint_file, damaged);
    EXPECT_THROW(cluster_brown(counts, options, {}), FormatError) << i;
  }
  write(options.checkpoint_file, content.substr(0, content.size() / 2));
  EXPECT_THROW(cluster_brown(counts, options, {}), FormatError);
}

}  // namespace
}  // namespace firth
