#include "cluster/brown/checkpoint.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cluster/brown/order.hpp"
#include "firth/brown.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"
#include "reference/brown_corpus.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

using NodePairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

constexpr BrownVariant kVariants[] = {BrownVariant::plain, BrownVariant::allsame, BrownVariant::resort};

Counts some_counts(std::uint64_t seed, std::uint32_t words, std::uint32_t tokens) {
  base::Rng rng(seed);
  return reference::skewed_counts(rng, {.words = words, .tokens = tokens});
}

Counts few_words() {
  return count_text(
      Inputs::from_text("the dog chased the cats . the cats ran . Alice likes cats . Alice likes sports ."),
      {});
}

class BrownCheckpoint : public ::testing::Test {
 protected:
  /// With a checkpoint in the folder; `resume` goes on from it.
  BrownOptions kept(BrownOptions options, bool resume = false) const {
    options.checkpoint_file = file();
    options.resume = resume;
    return options;
  }

  std::string file() const { return folder_.file("checkpoint"); }

  /// Stops a run after a given number of events.
  void interrupt(const Counts& counts, BrownOptions options, std::uint64_t events) const {
    std::stop_source source;
    options.on_event = [&](const BrownEvent& event) {
      if (event.words + event.merges >= events) source.request_stop();
    };
    EXPECT_THROW(cluster_brown(counts, options, {.stop = source.get_token()}), Cancelled);
  }

  const firth::testing::TempFolder folder_;
};

// From every point of a run, for every variant: the rest is the same.
TEST_F(BrownCheckpoint, InterruptedRunsEndTheSame) {
  const Counts counts = some_counts(5, 90, 1500);
  const std::uint64_t events = 2 * counts.vocabulary().size() - 1;
  for (const BrownVariant variant : kVariants) {
    const BrownOptions options{.classes = 12, .variant = variant, .resort_every = 3};
    const MergeTree whole = *cluster_brown(counts, options, {}).clustering.tree();
    for (std::uint64_t at = 1; at < events; at += 13) {
      interrupt(counts, kept(options), at);
      EXPECT_EQ(*cluster_brown(counts, kept(options, true), {}).clustering.tree(), whole) << at;
    }
  }
}

TEST_F(BrownCheckpoint, HasAllMergesOfAFinishedRun) {
  const Counts counts = some_counts(5, 40, 600);
  BrownOptions options = kept({.classes = 12});
  options.checkpoint_seconds = 0;
  const MergeTree whole = *cluster_brown(counts, options, {}).clustering.tree();
  ASSERT_TRUE(std::filesystem::exists(file()));
  std::uint64_t merges = 0;
  options.resume = true;
  options.on_event = [&](const BrownEvent& event) { merges = event.merges; };
  EXPECT_EQ(*cluster_brown(counts, options, {}).clustering.tree(), whole);
  EXPECT_EQ(merges, whole.merges.size());
}

// The file is whole and its checksums are right, but no run can have made these merges.
TEST_F(BrownCheckpoint, ImpossibleMergesAreRefused) {
  const Counts counts = few_words();
  const auto words = static_cast<std::uint32_t>(counts.vocabulary().size());
  for (const BrownVariant variant : kVariants) {
    const BrownOptions options = kept({.classes = 3, .variant = variant}, true);
    const auto order = brown::entry_order(counts, options);
    const auto print = brown::fingerprint(counts, options, order);
    for (const NodePairs& merges :
         {NodePairs{{0, 0}}, NodePairs{{0, words - 1}}, NodePairs{{0, words}}, NodePairs{{0, words + 7}},
          NodePairs{{0, UINT32_MAX}}, NodePairs{{0, 1}, {1, 2}}, NodePairs{{0, 1}, {words + 1, 2}}}) {
      if (variant == BrownVariant::allsame && merges == NodePairs{{0, words - 1}}) continue;  // may be right
      brown::save_checkpoint(file(), {order, merges}, print);
      EXPECT_THROW(cluster_brown(counts, options, {}), FormatError)
          << static_cast<int>(variant) << ", " << merges.back().first << " " << merges.back().second;
    }
  }
}

// With check_every, sums are checked while merges are repeated, too.
TEST_F(BrownCheckpoint, ResumedRunsCanBeChecked) {
  const Counts counts = some_counts(8, 60, 900);
  for (const BrownVariant variant : {BrownVariant::plain, BrownVariant::allsame}) {
    BrownOptions options{.classes = 10, .variant = variant};
    const MergeTree whole = *cluster_brown(counts, options, {}).clustering.tree();
    interrupt(counts, kept(options), 70);
    options.check_every = 3;
    EXPECT_EQ(*cluster_brown(counts, kept(options, true), {}).clustering.tree(), whole);
  }
}

TEST_F(BrownCheckpoint, ForeignAndDamagedFilesAreRefused) {
  const Counts counts = few_words();
  interrupt(counts, kept({.classes = 3}), 12);
  EXPECT_THROW(cluster_brown(counts, kept({.classes = 4}, true), {}), FormatError);
  const std::string content = firth::testing::read_file(file());
  for (std::size_t i = 0; i < content.size(); i += 5) {
    std::string damaged = content;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x20);
    folder_.write("checkpoint", damaged);
    EXPECT_THROW(cluster_brown(counts, kept({.classes = 3}, true), {}), FormatError) << i;
  }
  folder_.write("checkpoint", content.substr(0, content.size() / 2));
  EXPECT_THROW(cluster_brown(counts, kept({.classes = 3}, true), {}), FormatError);
}

TEST_F(BrownCheckpoint, ThatCannotBeWrittenDoesNotEndTheRun) {
  const Counts counts = some_counts(7, 30, 400);
  BrownOptions options{.classes = 5};
  const ClusterResult whole = cluster_brown(counts, options, {});
  options.checkpoint_file = "/dev/full";
  options.checkpoint_seconds = 0;
  EXPECT_EQ(*cluster_brown(counts, options, {}).clustering.tree(), *whole.clustering.tree());
}

}  // namespace
}  // namespace firth
