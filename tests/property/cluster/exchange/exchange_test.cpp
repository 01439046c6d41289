// What exchange promises on any input: passes that never fall, constraints that hold, starts that are kept.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <numbers>
#include <set>

#include "base/rng.hpp"
#include "firth/auto.hpp"
#include "firth/error.hpp"
#include "firth/exchange.hpp"
#include "reference/naive_ami.hpp"
#include "reference/planted_text.hpp"
#include "reference/random_data.hpp"

namespace firth {
namespace {

Counts random_text(std::uint64_t seed, std::size_t words, std::size_t tokens) {
  base::Rng rng(seed);
  return reference::random_counts(rng, words, tokens);
}

using reference::class_of;
using reference::Planted;
using reference::planted_text;

TEST(Exchange, NeverFallsFromPassToPass) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Counts counts = random_text(seed, 60, 900);
    for (const ExchangeInit init : {ExchangeInit::frequency, ExchangeInit::modulo, ExchangeInit::random}) {
      const ClusterResult result = cluster_exchange(counts, {.classes = 8, .init = init, .tolerance = 0},
                                                    {.threads = 1, .seed = seed});
      double last = -1;
      for (const IterationStats& pass : result.iterations) {
        EXPECT_GE(pass.ami_bits, last) << "seed " << seed;
        last = pass.ami_bits;
      }
      EXPECT_NEAR(last, reference::naive_ami(counts, result.clustering.classes(), AmiNorm::bigrams), 1e-9);
    }
  }
}

TEST(Exchange, EndsWhereNoMoveHelps) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Counts counts = random_text(seed, 30, 500);
    const ClusterResult result = cluster_exchange(counts, {.classes = 5, .tolerance = 0}, {.threads = 1});
    const auto classes = result.clustering.classes();
    std::vector<ClassId> moved(classes.begin(), classes.end());
    for (WordId word = 0; word < moved.size(); ++word) {
      if (std::count(classes.begin(), classes.end(), classes[word]) == 1) continue;
      for (ClassId target = 0; target < 5; ++target) {
        moved[word] = target;
        // Screening is in single precision: gains below its noise may be left over.
        EXPECT_LE(reference::naive_ami(counts, moved, AmiNorm::bigrams), result.ami_bits + 1e-6);
      }
      moved[word] = classes[word];
    }
  }
}

TEST(Exchange, MoreRestartsAreNeverWorse) {
  const Counts counts = random_text(3, 80, 1500);
  const double one = cluster_exchange(counts, {.classes = 9}, {.threads = 1}).ami_bits;
  const double five = cluster_exchange(counts, {.classes = 9, .restarts = 5}, {.threads = 1}).ami_bits;
  EXPECT_GE(five, one);
}

TEST(Exchange, AWarmStartOnTheSameTextMovesNothing) {
  const Counts counts = random_text(4, 200, 5000);
  const ClusterResult first = cluster_exchange(counts, {.classes = 15, .tolerance = 0}, {.threads = 1});
  const ClusterResult again =
      cluster_exchange(counts, {.classes = 15, .init = ExchangeInit::given, .start = first.clustering},
                       {.threads = 1, .seed = 9});
  ASSERT_TRUE(again.warm_start.has_value());
  EXPECT_EQ(again.warm_start->known, 200U);
  EXPECT_EQ(again.warm_start->kept, 200U);
  EXPECT_EQ(again.warm_start->added, 0U);
  EXPECT_EQ(again.clustering, first.clustering);
}

TEST(Exchange, AWarmStartTakesInNewWordsAndOtherNumbersOfClasses) {
  const Counts small = random_text(5, 60, 1500);
  const Counts large = random_text(5, 100, 6000);
  const ClusterResult first = cluster_exchange(small, {.classes = 10}, {.threads = 1});
  for (const ClassId classes : {5U, 10U, 20U}) {
    const ClusterResult result = cluster_exchange(
        large, {.classes = classes, .init = ExchangeInit::given, .start = first.clustering}, {.threads = 1});
    EXPECT_EQ(result.clustering.class_count(), classes);
    EXPECT_EQ(result.clustering.word_count(), 100U);
    EXPECT_EQ(result.warm_start->known, 60U);
    EXPECT_EQ(result.warm_start->added, 40U);
  }
}

TEST(Exchange, FindsPlantedClasses) {
  const Planted planted = planted_text(1, 8, 25, 60000);
  for (const bool search : {false, true}) {
    const ClusterResult result =
        search ? cluster_auto(planted.counts, {.classes = 8}, {.threads = 1})
               : cluster_exchange(planted.counts, {.classes = 8, .restarts = 5}, {.threads = 1});
    std::map<ClassId, std::set<ClassId>> truths;
    for (const auto& [word, truth] : planted.truth) truths[class_of(result.clustering, word)].insert(truth);
    for (const auto& [found, inside] : truths) EXPECT_EQ(inside.size(), 1U) << "class " << found;
  }
}

TEST(Search, IsBetterThanExchange) {
  const Planted planted = planted_text(2, 40, 12, 30000);
  const double exchange = cluster_exchange(planted.counts, {.classes = 30}, {.threads = 1}).ami_bits;
  for (const SearchEffort effort : {SearchEffort::fast, SearchEffort::normal, SearchEffort::high}) {
    EXPECT_GT(cluster_auto(planted.counts, {.classes = 30, .effort = effort}, {.threads = 1}).ami_bits,
              exchange);
  }
}

// Eight tokens for each word: with more, every search finds the planted classes, and there is nothing left to find.
Planted sparse_text(std::uint64_t seed) {
  return planted_text(seed, 30, 40, 10000);
}

TEST(Search, MoreEffortFindsMore) {
  std::map<SearchEffort, double> bits_of;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Planted planted = sparse_text(seed);
    for (const SearchEffort effort : {SearchEffort::fast, SearchEffort::normal, SearchEffort::high}) {
      const AutoOptions options{.classes = 60, .effort = effort, .tree = false};
      bits_of[effort] += cluster_auto(planted.counts, options, {.threads = 2, .seed = seed}).ami_bits;
    }
  }
  EXPECT_GT(bits_of[SearchEffort::normal], bits_of[SearchEffort::fast] + 0.01);
  EXPECT_GT(bits_of[SearchEffort::high], bits_of[SearchEffort::normal] + 0.01);
}

TEST(Search, CombiningTwoPartitionsIsBetterThanEither) {
  double gained = 0;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Planted planted = sparse_text(seed);
    const AutoOptions options{.classes = 60, .tree = false};
    const ClusterResult result = cluster_auto(planted.counts, options, {.threads = 2, .seed = seed});
    const auto& steps = result.iterations;
    const auto find = [&](const std::string& stage) {
      return std::find_if(steps.begin(), steps.end(), [&](const auto& step) { return step.stage == stage; });
    };
    double best_start = 0;
    for (auto step = steps.begin(); step != find("overlap"); ++step) {
      if (step->classes == 60) best_start = std::max(best_start, step->ami_bits);
    }
    ASSERT_NE(find("combine"), steps.end());
    gained += find("combine")->ami_bits - best_start;
  }
  EXPECT_GT(gained, 0.005);
}

/// The same text with its line ends as a word "$" of its own, line after line.
Counts with_written_ends(const Counts& counts) {
  std::vector<std::pair<std::string, Count>> words;
  const auto after = counts.bigrams().left_marginals();
  const auto before = counts.bigrams().right_marginals();
  Count ends = 0;
  for (WordId word = 0; word < counts.vocabulary().size(); ++word) {
    words.emplace_back(counts.vocabulary().word(word), counts.vocabulary().count(word));
    ends += counts.vocabulary().count(word) - after[word];
  }
  words.emplace_back("$", ends);
  const Vocabulary vocabulary = Vocabulary::from_words(std::move(words));
  const WordIndex index(vocabulary);
  const auto id = [&](WordId word) { return *index.find(std::string(counts.vocabulary().word(word))); };
  std::vector<PairCount> pairs;
  for (WordId left = 0; left < counts.vocabulary().size(); ++left) {
    const Count total = counts.vocabulary().count(left);
    const auto rights = counts.bigrams().right_words(left);
    for (std::size_t i = 0; i < rights.size(); ++i)
      pairs.push_back({id(left), id(rights[i]), counts.bigrams().right_counts(left)[i]});
    if (total > after[left]) pairs.push_back({id(left), *index.find("$"), total - after[left]});
    if (total > before[left]) pairs.push_back({*index.find("$"), id(left), total - before[left]});
  }
  return Counts(vocabulary, PairCounts::from_pairs(vocabulary.size(), std::move(pairs)), {});
}

double bits(const Counts& counts, const Clustering& clustering) {
  return reference::naive_ami(counts, clustering.classes(), AmiNorm::bigrams);
}

// With --boundaries exchange climbs the AMI of the text whose line ends are a word in a class of its own.
TEST(Exchange, CountsLineEndsWhenAsked) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Counts counts = random_text(seed, 30, 400);
    ExchangeOptions options;
    options.classes = 5;
    options.boundaries = true;
    options.tolerance = 0;
    const ClusterResult result = cluster_exchange(counts, options, {});
    EXPECT_EQ(result.clustering.class_count(), 5U);
    EXPECT_NEAR(result.ami_bits, bits(counts, result.clustering), 1e-9);
    const Counts written = with_written_ends(counts);
    std::map<std::string, ClassId> known;
    for (WordId word = 0; word < counts.vocabulary().size(); ++word)
      known[std::string(result.clustering.vocabulary().word(word))] = result.clustering.class_of(word);
    known["$"] = 5;
    std::vector<ClassId> classes;
    for (WordId word = 0; word < written.vocabulary().size(); ++word)
      classes.push_back(known.at(std::string(written.vocabulary().word(word))));
    const double with_ends = reference::naive_ami(written, classes, AmiNorm::bigrams);
    EXPECT_NEAR(result.iterations.back().ami_bits, with_ends, 1e-9) << seed;
    // No word can raise it by moving to another class.
    for (WordId word = 0; word < classes.size(); ++word) {
      if (written.vocabulary().word(word) == "$" ||
          std::count(classes.begin(), classes.end(), classes[word]) == 1)
        continue;
      const ClassId home = classes[word];
      for (classes[word] = 0; classes[word] < 5; ++classes[word])
        EXPECT_LT(reference::naive_ami(written, classes, AmiNorm::bigrams), with_ends + 1e-9) << seed;
      classes[word] = home;
    }
  }
}

// With a prior on the sizes of classes exchange climbs the AMI and the logarithm of the prior together.
TEST(Exchange, WeighsSizesOfClassesWhenAsked) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Counts counts = random_text(seed, 30, 400);
    const double weight = 0.5 * static_cast<double>(1 + seed % 4);
    ExchangeOptions options;
    options.classes = 5;
    options.size_weight = weight;
    options.tolerance = 0;
    const ClusterResult result = cluster_exchange(counts, options, {});
    EXPECT_NEAR(result.ami_bits, bits(counts, result.clustering), 1e-9);
    std::vector<ClassId> classes(result.clustering.classes().begin(), result.clustering.classes().end());
    const auto members = [&](ClassId c) { return std::count(classes.begin(), classes.end(), c); };
    const auto objective = [&] {
      double sum = reference::naive_ami(counts, classes, AmiNorm::bigrams) *
                   static_cast<double>(counts.bigrams().total()) * std::numbers::ln2;
      for (ClassId c = 0; c < 5; ++c) sum += weight * std::lgamma(1.0 + static_cast<double>(members(c)));
      return sum;
    };
    const double best = objective();
    for (WordId word = 0; word < classes.size(); ++word) {
      const ClassId home = classes[word];
      if (members(home) == 1) continue;
      for (classes[word] = 0; classes[word] < 5; ++classes[word])
        EXPECT_LT(objective(), best + 1e-6) << "seed " << seed;
      classes[word] = home;
    }
  }
}

TEST(Search, SizesOfClassesTakeRareWordsAlong) {
  const Counts counts = random_text(3, 300, 3000);
  const auto largest = [&](double weight) {
    const ClusterResult result = cluster_auto(
        counts, {.classes = 10, .effort = SearchEffort::fast, .size_weight = weight}, {.threads = 1});
    std::map<ClassId, int> members;
    for (const ClassId c : result.clustering.classes()) ++members[c];
    int most = 0;
    for (const auto& [c, size] : members) most = std::max(most, size);
    return most;
  };
  EXPECT_GT(largest(4), largest(0));
}

TEST(Search, RefusesWeightsOutOfRange) {
  const Counts counts = random_text(3, 30, 300);
  for (const double weight : {-0.1, 4.1, std::nan("")}) {
    EXPECT_THROW(cluster_auto(counts, {.classes = 3, .size_weight = weight}, {}), UsageError);
    EXPECT_THROW(cluster_exchange(counts, {.classes = 3, .size_weight = weight}, {}), UsageError);
  }
}

TEST(Search, CountsLineEndsInEveryMethodAndStart) {
  const Counts counts = random_text(3, 60, 900);
  const ClusterResult found =
      cluster_auto(counts, {.classes = 6, .effort = SearchEffort::fast, .boundaries = true}, {});
  EXPECT_EQ(found.clustering.class_count(), 6U);
  EXPECT_EQ(found.clustering.vocabulary().size(), counts.vocabulary().size());
  EXPECT_NEAR(found.ami_bits, bits(counts, found.clustering), 1e-9);
  ASSERT_TRUE(found.clustering.tree());
  for (const ClassId classes : {ClassId{4}, ClassId{6}, ClassId{9}}) {
    ExchangeOptions options;
    options.classes = classes;
    options.init = ExchangeInit::given;
    options.start = found.clustering;
    options.boundaries = true;
    const ClusterResult warm = cluster_exchange(counts, options, {});
    EXPECT_EQ(warm.clustering.class_count(), classes);
    EXPECT_NEAR(warm.ami_bits, bits(counts, warm.clustering), 1e-9);
  }
}

TEST(Search, FlatCutsAreBetterThanCutsOfTheTree) {
  const Planted planted = planted_text(3, 40, 12, 30000);
  const ClusterResult result =
      cluster_auto(planted.counts, {.classes = 40, .effort = SearchEffort::fast}, {.threads = 1});
  const auto cuts = refine_cuts(planted.counts, result.clustering, {10, 20}, {.threads = 1});
  ASSERT_EQ(cuts.size(), 2U);
  for (const Clustering& cut : cuts) {
    const Clustering nested = result.clustering.cut(cut.class_count());
    EXPECT_GE(reference::naive_ami(planted.counts, cut.classes(), AmiNorm::bigrams),
              reference::naive_ami(planted.counts, nested.classes(), AmiNorm::bigrams));
  }
  EXPECT_EQ(cuts[0].class_count(), 10U);
  EXPECT_THROW(refine_cuts(planted.counts, result.clustering, {41}, {}), UsageError);
}

TEST(Constraints, HoldInEveryMethod) {
  using Kind = Constraint::Kind;
  Constraints constraints;
  constraints.items = {{Kind::together, "", {"w1", "w2", "w30"}, 1},
                       {Kind::apart, "", {"w0", "w3", "w4"}, 2},
                       {Kind::seed, "A", {"w5", "w6"}, 3},
                       {Kind::seed, "B", {"w7"}, 4},
                       {Kind::out, "", {"w9", "unknown"}, 5}};
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Counts counts = random_text(seed, 50, 1500);
    std::vector<Clustering> results;
    for (const ExchangeInit init : {ExchangeInit::frequency, ExchangeInit::modulo, ExchangeInit::random}) {
      results.push_back(cluster_exchange(counts, {.classes = 6, .init = init, .constraints = constraints},
                                         {.threads = 1, .seed = seed})
                            .clustering);
    }
    for (const SearchEffort effort : {SearchEffort::fast, SearchEffort::high}) {
      results.push_back(cluster_auto(counts, {.classes = 6, .effort = effort, .constraints = constraints},
                                     {.threads = 1, .seed = seed})
                            .clustering);
    }
    for (const Clustering& c : results) {
      EXPECT_EQ(c.class_count(), 6U);
      EXPECT_EQ(c.word_count(), 49U);
      EXPECT_FALSE(WordIndex(c.vocabulary()).find("w9").has_value());
      EXPECT_EQ(class_of(c, "w1"), class_of(c, "w2"));
      EXPECT_EQ(class_of(c, "w1"), class_of(c, "w30"));
      EXPECT_NE(class_of(c, "w0"), class_of(c, "w3"));
      EXPECT_NE(class_of(c, "w0"), class_of(c, "w4"));
      EXPECT_NE(class_of(c, "w3"), class_of(c, "w4"));
      EXPECT_EQ(class_of(c, "w5"), class_of(c, "w6"));
      EXPECT_NE(class_of(c, "w5"), class_of(c, "w7"));
    }
  }
}

TEST(Constraints, ContradictionsAreFoundWithTheirLine) {
  using Kind = Constraint::Kind;
  const Counts counts = random_text(1, 20, 300);
  const auto fails_at = [&](std::vector<Constraint> items, std::uint64_t line) {
    Constraints constraints{"rules.txt", std::move(items)};
    try {
      cluster_exchange(counts, {.classes = 4, .constraints = constraints}, {.threads = 1});
      ADD_FAILURE() << "no error";
    } catch (const InputError& error) {
      EXPECT_EQ(error.where().line, line) << error.what();
      EXPECT_EQ(error.where().path, "rules.txt");
    }
  };
  fails_at({{Kind::together, "", {"w1", "w2"}, 1},
            {Kind::together, "", {"w2", "w3"}, 2},
            {Kind::apart, "", {"w1", "w3"}, 7}},
           7);
  fails_at({{Kind::seed, "A", {"w1"}, 1}, {Kind::seed, "B", {"w1"}, 2}}, 2);
  fails_at({{Kind::seed, "A", {"w1", "w2"}, 1}, {Kind::apart, "", {"w1", "w2"}, 3}}, 3);
  fails_at({{Kind::out, "", {"w1"}, 1}, {Kind::together, "", {"w1", "w2"}, 4}}, 4);
  // Too few classes for what must be apart: nobody's line is wrong, the number is.
  Constraints many{"", {{Kind::apart, "", {"w0", "w1", "w2", "w3", "w4"}, 1}}};
  EXPECT_THROW(cluster_exchange(counts, {.classes = 4, .constraints = many}, {.threads = 1}), UsageError);
  EXPECT_THROW(cluster_auto(counts, {.classes = 4, .constraints = many}, {.threads = 1}), UsageError);
}

TEST(Constraints, FilesAreReadWithCommentsAndBadLinesRefused) {
  const std::string path = ::testing::TempDir() + "/firth_constraints.txt";
  const auto write = [&](const char* text) { std::ofstream(path) << text; };
  write("# all\n\ntogether a b # not c\nseed X \\#tag d\nout e\n");
  const Constraints constraints = load_constraints(path);
  ASSERT_EQ(constraints.items.size(), 3U);
  EXPECT_EQ(constraints.items[0].words, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(constraints.items[0].line, 3U);
  EXPECT_EQ(constraints.items[1].name, "X");
  EXPECT_EQ(constraints.items[1].words, (std::vector<std::string>{"#tag", "d"}));
  for (const char* bad : {"a\nnear x y\n", "together x\n", "seed\n", "seed X\n", "out\n"}) {
    write(bad);
    EXPECT_THROW(load_constraints(path), InputError) << bad;
  }
  EXPECT_THROW(load_constraints(path + ".missing"), IoError);
}

}  // namespace
}  // namespace firth
