// Brown clustering with line ends and constraints against its slow twin on random texts.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "firth/brown.hpp"
#include "firth/error.hpp"
#include "firth/evaluate.hpp"
#include "reference/naive_constrained_brown.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

using reference::Lines;
using Kind = Constraint::Kind;

Lines random_lines(base::Rng& rng, std::uint32_t words, std::uint32_t tokens) {
  Lines lines(1);
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < tokens; ++i) {
    const double u = rng.uniform();
    auto word = static_cast<std::uint32_t>(u * u * words);
    if (rng.uniform() < 0.4) word = (last * 7 + word % 3) % words;
    lines.back().push_back("w" + std::to_string(word));
    last = word;
    if (rng.below(6) == 0) lines.emplace_back();
  }
  return lines;
}

/// Words, some of which the text does not have.
std::vector<std::string> some_words(base::Rng& rng, std::uint32_t words, std::uint64_t number) {
  std::vector<std::string> some;
  while (some.size() < number) some.push_back("w" + std::to_string(rng.below(words + 2)));
  return some;
}

Constraints random_constraints(base::Rng& rng, std::uint32_t words) {
  Constraints constraints;
  for (std::uint64_t i = rng.below(4); i > 0; --i) {
    constexpr Kind kKinds[] = {Kind::together, Kind::apart, Kind::apart, Kind::seed, Kind::out};
    const Kind kind = kKinds[rng.below(5)];
    const std::string name = kind == Kind::seed ? "s" + std::to_string(rng.below(3)) : "";
    constraints.items.push_back(
        {kind, name, some_words(rng, words, kind == Kind::out ? 1 : 2 + rng.below(2)), i});
  }
  return constraints;
}

BrownOptions random_options(base::Rng& rng, std::uint32_t words) {
  BrownOptions options;
  options.classes = static_cast<ClassId>(1 + rng.below(words));
  options.marginals = rng.below(2) == 0 ? BrownMarginals::bigram : BrownMarginals::unigram;
  if (rng.below(4) == 0) {
    options.variant = BrownVariant::resort;
    options.resort_every = 1 + rng.below(3);
  }
  if (rng.below(3) == 0)
    options.window = rng.below(3) == 0 ? kWholeVocabulary : options.classes + 1 + rng.below(words);
  options.check_every = rng.below(2);
  return options;
}

using Words = std::set<std::string>;

/// The words below every node of the tree.
std::vector<Words> nodes_of(const Clustering& clustering) {
  std::vector<Words> nodes;
  for (WordId word = 0; word < clustering.word_count(); ++word)
    nodes.push_back({std::string(clustering.vocabulary().word(word))});
  for (const TreeMerge& merge : clustering.tree()->merges) {
    Words joined = nodes[merge.left];
    joined.insert(nodes[merge.right].begin(), nodes[merge.right].end());
    nodes.push_back(joined);
  }
  return nodes;
}

std::set<Words> classes_of(const Clustering& clustering) {
  std::set<Words> classes;
  for (const auto& members : clustering.members()) {
    Words words;
    for (const WordId word : members) words.emplace(clustering.vocabulary().word(word));
    classes.insert(words);
  }
  return classes;
}

void expect_same(const Clustering& clustering, const reference::ConstrainedBrown& expected) {
  const auto& merges = clustering.tree()->merges;
  ASSERT_GE(merges.size(), expected.merges.size());
  const std::size_t inside_units = merges.size() - expected.merges.size();
  const std::vector<Words> nodes = nodes_of(clustering);
  for (std::size_t i = 0; i < inside_units; ++i) ASSERT_EQ(merges[i].ami_bits, 0.0);
  for (std::size_t i = 0; i < expected.merges.size(); ++i) {
    const TreeMerge& merge = merges[inside_units + i];
    const std::set<Words> found = {nodes[merge.left], nodes[merge.right]};
    ASSERT_EQ(found, (std::set<Words>{expected.merges[i].left, expected.merges[i].right})) << "merge " << i;
    ASSERT_EQ(merge.ami_bits, expected.merges[i].ami_bits) << "merge " << i;
  }
  ASSERT_EQ(classes_of(clustering), std::set<Words>(expected.classes.begin(), expected.classes.end()));
}

/// How a comparison ended.
enum class Outcome { same, stuck, refused };

Outcome compare(const Lines& lines, const BrownOptions& options) {
  const Counts counts = reference::count_lines(lines);
  const reference::ConstrainedBrown expected = reference::naive_constrained_brown(lines, options);
  try {
    const ClusterResult result = cluster_brown(counts, options, {.threads = 1});
    EXPECT_FALSE(expected.stuck);
    if (!expected.stuck) expect_same(result.clustering, expected);
    return Outcome::same;
  } catch (const UsageError& error) {  // cannot be kept, or fewer units than classes
    if (!expected.stuck) {
      EXPECT_NE(std::string(error.what()).find("may part"), std::string::npos) << error.what();
    }
    return expected.stuck ? Outcome::stuck : Outcome::refused;
  } catch (const InputError&) {
    return Outcome::refused;  // they contradict each other
  }
}

TEST(ConstrainedBrown, LineEndsGiveTheMergesOfTheSlowTwin) {
  base::Rng rng(31);
  for (int round = 0; round < 400; ++round) {
    const auto words = 2 + static_cast<std::uint32_t>(rng.below(9));
    const Lines lines = random_lines(rng, words, 10 + static_cast<std::uint32_t>(rng.below(90)));
    BrownOptions options =
        random_options(rng, static_cast<std::uint32_t>(reference::count_lines(lines).vocabulary().size()));
    options.boundaries = true;
    SCOPED_TRACE(round);
    ASSERT_EQ(compare(lines, options), Outcome::same);
    if (HasFatalFailure() || HasNonfatalFailure()) return;
  }
}

TEST(ConstrainedBrown, ConstraintsGiveTheMergesOfTheSlowTwin) {
  base::Rng rng(32);
  int same = 0;
  int stuck = 0;
  for (int round = 0; round < 1200; ++round) {
    const auto words = 4 + static_cast<std::uint32_t>(rng.below(9));
    const Lines lines = random_lines(rng, words, 20 + static_cast<std::uint32_t>(rng.below(90)));
    BrownOptions options = random_options(rng, words / 2);
    options.boundaries = rng.below(2) == 0;
    options.constraints = random_constraints(rng, words);
    if (rng.below(4) == 0) options.order = {1, 0};
    SCOPED_TRACE(round);
    const Outcome outcome = compare(lines, options);
    same += outcome == Outcome::same;
    stuck += outcome == Outcome::stuck;
    if (HasFatalFailure() || HasNonfatalFailure()) return;
  }
  EXPECT_GT(same, 600);
  EXPECT_GT(stuck, 10);
}

Constraints long_constraints() {
  return {"",
          {{Kind::together, "", {"w3", "w90", "w200"}, 1},
           {Kind::apart, "", {"w0", "w1", "w2", "w150", "w151"}, 2},
           {Kind::apart, "", {"w10", "w3", "w250"}, 3},
           {Kind::seed, "a", {"w7", "w120"}, 4},
           {Kind::seed, "b", {"w8", "w230"}, 5},
           {Kind::out, "", {"w5"}, 6}}};
}

// Enough words for threads that score ahead of their turn.
TEST(ConstrainedBrown, ThreadsChangeNothing) {
  base::Rng rng(33);
  for (int round = 0; round < 6; ++round) {
    const Lines lines = random_lines(rng, 300, 6000);
    const Counts counts = reference::count_lines(lines);
    BrownOptions options;
    options.classes = 20;
    options.boundaries = round % 3 != 1;
    if (round % 3 != 0) options.constraints = long_constraints();
    options.check_every = 25;
    const Clustering one = cluster_brown(counts, options, {.threads = 1}).clustering;
    options.check_every = 0;
    EXPECT_EQ(one, cluster_brown(counts, options, {.threads = 3}).clustering);
    EXPECT_EQ(one, cluster_brown(counts, options, {.threads = 2}).clustering);
  }
}

TEST(ConstrainedBrown, KeepsWhatItIsTold) {
  base::Rng rng(34);
  const Counts counts = reference::count_lines(random_lines(rng, 300, 6000));
  BrownOptions options;
  options.classes = 12;
  options.constraints = long_constraints();
  const Clustering clustering = cluster_brown(counts, options, {.threads = 1}).clustering;
  const WordIndex index(clustering.vocabulary());
  const auto class_of = [&](const char* word) { return clustering.class_of(*index.find(word)); };
  EXPECT_EQ(class_of("w3"), class_of("w90"));
  EXPECT_EQ(class_of("w3"), class_of("w200"));
  EXPECT_NE(class_of("w3"), class_of("w10"));
  EXPECT_NE(class_of("w200"), class_of("w250"));
  EXPECT_NE(class_of("w150"), class_of("w1"));
  EXPECT_EQ(class_of("w7"), class_of("w120"));
  EXPECT_NE(class_of("w7"), class_of("w8"));
  EXPECT_EQ(class_of("w8"), class_of("w230"));
  EXPECT_FALSE(index.find("w5"));
  EXPECT_EQ(clustering.class_count(), 12U);
  EXPECT_EQ(clustering.tree()->merges.size() + 1, clustering.word_count());
}

// What is reported is the AMI of the words, as `firth evaluate` computes it.
TEST(ConstrainedBrown, ReportsTheAmiOfTheWords) {
  base::Rng rng(35);
  const Counts counts = reference::count_lines(random_lines(rng, 60, 2000));
  for (const bool boundaries : {false, true}) {
    BrownOptions options;
    options.classes = 8;
    options.boundaries = boundaries;
    options.constraints.items = {{Kind::together, "", {"w3", "w9"}, 1}};
    const ClusterResult result = cluster_brown(counts, options, {.threads = 1});
    EXPECT_NEAR(result.ami_bits, average_mutual_information(counts, result.clustering.classes()), 1e-9);
  }
}

TEST(ConstrainedBrown, ConstraintsThatSayNothingChangeNothing) {
  base::Rng rng(36);
  const Counts counts = reference::count_lines(random_lines(rng, 100, 3000));
  BrownOptions options;
  options.classes = 10;
  for (const BrownMarginals marginals : {BrownMarginals::bigram, BrownMarginals::unigram}) {
    options.marginals = marginals;
    options.constraints = {};
    const ClusterResult plain = cluster_brown(counts, options, {.threads = 1});
    options.constraints.items = {{Kind::apart, "", {"nowhere", "w3"}, 1},
                                 {Kind::together, "", {"w4", "never"}, 2}};
    const ClusterResult same = cluster_brown(counts, options, {.threads = 1});
    EXPECT_EQ(plain.clustering, same.clustering);
    EXPECT_EQ(plain.ami_bits, same.ami_bits);
  }
}

TEST(ConstrainedBrown, ContinuesFromACheckpoint) {
  const testing::TempFolder folder;
  base::Rng rng(37);
  const Counts counts = reference::count_lines(random_lines(rng, 300, 6000));
  BrownOptions options;
  options.classes = 20;
  options.boundaries = true;
  options.constraints = long_constraints();
  const ClusterResult whole = cluster_brown(counts, options, {.threads = 1});
  options.checkpoint_file = folder.file("checkpoint");
  std::stop_source stop;
  options.on_event = [&](const BrownEvent& event) {
    if (event.merges == 150) stop.request_stop();
  };
  RunOptions run{.threads = 1};
  run.stop = stop.get_token();
  EXPECT_THROW((void)cluster_brown(counts, options, run), Cancelled);
  options.on_event = {};
  options.resume = true;
  EXPECT_EQ(cluster_brown(counts, options, {.threads = 1}).clustering, whole.clustering);
  options.constraints.items.pop_back();
  EXPECT_THROW((void)cluster_brown(counts, options, {.threads = 1}), FormatError);
}

TEST(ConstrainedBrown, RefusesWhatCannotBeKept) {
  const Counts counts = reference::count_lines({{"a", "b", "c", "d"}, {"a", "c", "b", "d", "e"}});
  BrownOptions options;
  options.classes = 2;
  options.constraints.items = {{Kind::apart, "", {"a", "b", "c"}, 1}};
  EXPECT_THROW((void)cluster_brown(counts, options, {}), UsageError);
  options.constraints.items = {
      {Kind::seed, "x", {"a"}, 1}, {Kind::seed, "y", {"b"}, 2}, {Kind::seed, "z", {"c"}, 3}};
  EXPECT_THROW((void)cluster_brown(counts, options, {}), UsageError);
  options.constraints.items = {{Kind::together, "", {"a", "b"}, 1}, {Kind::apart, "", {"a", "b"}, 2}};
  EXPECT_THROW((void)cluster_brown(counts, options, {}), InputError);
  options.constraints = {};
  options.boundaries = true;
  options.variant = BrownVariant::allsame;
  EXPECT_THROW((void)cluster_brown(counts, options, {}), UsageError);
}

}  // namespace
}  // namespace firth
