// Searches that are interrupted, continued, or ended early.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <stop_token>

#include "firth/auto.hpp"
#include "firth/error.hpp"
#include "firth/exchange.hpp"
#include "reference/planted_text.hpp"
#include "reference/random_data.hpp"
#include "support/interruptions.hpp"
#include "support/temp_folder.hpp"
#include "support/warnings.hpp"

namespace firth {
namespace {

using ::testing::HasSubstr;
using testing::StopAt;

Counts some_text(std::uint64_t seed) {
  return reference::planted_text(seed, 10, 30, 8000).counts;
}

ClusterResult search(const Counts& counts, SearchEffort effort, const SearchLimits& with,
                     const RunOptions& run) {
  return cluster_auto(counts, {.classes = 12, .effort = effort, .limits = with}, run);
}

TEST(SearchCheckpoint, AContinuedSearchGivesTheSameResult) {
  const Counts counts = some_text(1);
  for (const SearchEffort effort : {SearchEffort::fast, SearchEffort::normal, SearchEffort::high}) {
    const ClusterResult whole = search(counts, effort, {}, {.threads = 1, .seed = 5});
    int interruptions = 0;
    for (int reports = 1; reports < 400; reports += 7) {
      const testing::TempFolder folder;
      StopAt sink(reports);
      const unsigned threads = 1 + static_cast<unsigned>(reports % 3);
      const RunOptions stopping{.threads = threads, .seed = 5, .progress = &sink, .stop = sink.token()};
      try {
        search(counts, effort, testing::checkpoint_limits(folder.file("run"), false), stopping);
        break;  // more reports than the search makes
      } catch (const Cancelled&) {
        ++interruptions;
      }
      const ClusterResult continued =
          search(counts, effort, testing::checkpoint_limits(folder.file("run"), true),
                 {.threads = 3 - threads % 3, .seed = 5});
      EXPECT_EQ(continued.clustering, whole.clustering) << "stopped at report " << reports;
      EXPECT_EQ(continued.ami_bits, whole.ami_bits);
      EXPECT_TRUE(continued.complete);
    }
    EXPECT_GT(interruptions, 1);
  }
}

TEST(SearchCheckpoint, ThatCannotBeWrittenDoesNotEndTheSearch) {
  const Counts counts = some_text(1);
  testing::Warnings sink;
  const RunOptions run{.threads = 2, .seed = 5, .progress = &sink};
  const ClusterResult result =
      search(counts, SearchEffort::normal, testing::checkpoint_limits("/dev/full", false), run);
  EXPECT_EQ(result.clustering, search(counts, SearchEffort::normal, {}, {.seed = 5}).clustering);
  EXPECT_THAT(sink.messages, ::testing::ElementsAre(HasSubstr("the checkpoint was not written: /dev/full")));
}

TEST(SearchCheckpoint, AContinuedExchangeGivesTheSameResult) {
  const Counts counts = some_text(2);
  base::Rng rng(3);
  ExchangeOptions options{.classes = 9, .init = ExchangeInit::given, .tolerance = 0, .restarts = 3};
  options.start =
      Clustering(counts.vocabulary(), reference::random_classes(rng, counts.vocabulary().size(), 6));
  const ClusterResult whole = cluster_exchange(counts, options, {.threads = 1, .seed = 2});
  int interruptions = 0;
  for (int reports = 1; reports < 200; reports += 3) {
    const testing::TempFolder folder;
    StopAt sink(reports);
    ExchangeOptions kept = options;
    kept.limits = testing::checkpoint_limits(folder.file("run"), false);
    try {
      cluster_exchange(counts, kept, {.threads = 2, .seed = 2, .progress = &sink, .stop = sink.token()});
      break;
    } catch (const Cancelled&) {
      ++interruptions;
    }
    kept.limits.resume = true;
    const ClusterResult continued = cluster_exchange(counts, kept, {.threads = 1, .seed = 2});
    EXPECT_EQ(continued.clustering, whole.clustering) << "stopped at report " << reports;
    EXPECT_EQ(continued.warm_start->kept, whole.warm_start->kept);
    EXPECT_EQ(continued.iterations.size(), whole.iterations.size());
  }
  EXPECT_GT(interruptions, 5);
}

TEST(SearchCheckpoint, AFinishedSearchIsReadBack) {
  const Counts counts = some_text(3);
  const testing::TempFolder folder;
  const ClusterResult whole = search(counts, SearchEffort::normal,
                                     testing::checkpoint_limits(folder.file("run"), false), {.threads = 1});
  const ClusterResult again = search(counts, SearchEffort::normal,
                                     testing::checkpoint_limits(folder.file("run"), true), {.threads = 2});
  EXPECT_EQ(again.clustering, whole.clustering);
}

TEST(SearchCheckpoint, OfAnotherRunIsRefused) {
  const Counts counts = some_text(4);
  const testing::TempFolder folder;
  const SearchLimits write = testing::checkpoint_limits(folder.file("run"), false);
  const SearchLimits read = testing::checkpoint_limits(folder.file("run"), true);
  search(counts, SearchEffort::fast, write, {.threads = 1});
  EXPECT_THROW(search(counts, SearchEffort::fast, read, {.threads = 1, .seed = 77}), FormatError);
  EXPECT_THROW(search(counts, SearchEffort::normal, read, {.threads = 1}), FormatError);
  EXPECT_THROW(search(some_text(5), SearchEffort::fast, read, {.threads = 1}), FormatError);
  EXPECT_THROW(cluster_exchange(counts, {.classes = 12, .limits = read}, {.threads = 1}), FormatError);
  // Any byte of the file that is changed is noticed.
  const std::string bytes = testing::read_file(folder.file("run"));
  for (std::size_t place = 0; place < bytes.size(); place += 1 + bytes.size() / 50) {
    std::string changed = bytes;
    changed[place] = static_cast<char>(changed[place] ^ 0x20);
    if (changed == bytes) continue;
    folder.write("changed", changed);
    try {
      search(counts, SearchEffort::fast, testing::checkpoint_limits(folder.file("changed"), true),
             {.threads = 1});
      // Only the zeros between sections are nobody's.
      EXPECT_EQ(bytes[place], '\0') << place;
    } catch (const FormatError& error) {
      EXPECT_THAT(error.what(), HasSubstr("changed"));
    }
  }
  SearchLimits nothing;
  nothing.resume = true;
  EXPECT_THROW(search(counts, SearchEffort::fast, nothing, {.threads = 1}), UsageError);
}

TEST(AnytimeSearch, EndsEarlyWithTheBestSoFar) {
  const Counts counts = some_text(6);
  for (const int reports : {2, 5, 20}) {
    StopAt sink(reports);
    SearchLimits with;
    with.finish = sink.token();
    const ClusterResult result = search(counts, SearchEffort::max, with, {.threads = 1, .progress = &sink});
    EXPECT_FALSE(result.complete);
    EXPECT_EQ(result.clustering.class_count(), 12U);
    EXPECT_GT(result.ami_bits, 0);
    ASSERT_TRUE(result.clustering.tree().has_value());
  }
  StopAt sink(3);
  ExchangeOptions options{.classes = 12, .tolerance = 0, .restarts = 100};
  options.limits.finish = sink.token();
  const ClusterResult result = cluster_exchange(counts, options, {.threads = 1, .progress = &sink});
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.clustering.class_count(), 12U);
}

TEST(AnytimeSearch, EndsWhenItsTimeIsUp) {
  SearchLimits with;
  with.max_seconds = 0.05;
  const Counts counts = some_text(7);
  // Hundreds of times as long without the limit.
  const ClusterResult result = cluster_exchange(
      counts, {.classes = 12, .tolerance = 0, .restarts = 1000000, .limits = with}, {.threads = 1});
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.clustering.class_count(), 12U);
  with.max_seconds = -1;
  EXPECT_THROW(search(counts, SearchEffort::fast, with, {.threads = 1}), UsageError);
}

TEST(AnytimeSearch, AStopIsStillAStop) {
  StopAt sink(3);
  EXPECT_THROW(
      search(some_text(8), SearchEffort::normal, {}, {.threads = 1, .progress = &sink, .stop = sink.token()}),
      Cancelled);
}

/// What a person sees of a search.
class Shown final : public ProgressSink {
 public:
  void begin(std::string_view, std::string_view unit, std::uint64_t total) override {
    units.emplace_back(unit);
    total_ = total;
  }
  void advance(std::uint64_t done, std::string_view note) override {
    if (total_ > 0) max_share = std::max(max_share, static_cast<double>(done) / static_cast<double>(total_));
    if (!note.empty()) notes.emplace_back(note);
  }
  void end() override {}
  void warn(std::string_view) override {}

  std::vector<std::string> units;
  std::vector<std::string> notes;
  double max_share = 0;

 private:
  std::uint64_t total_ = 0;
};

TEST(SearchProgress, ShowsOneAmiThatNeverFalls) {
  const Counts counts = some_text(3);
  for (const unsigned threads : {1U, 3U}) {
    Shown shown;
    const ClusterResult result =
        search(counts, SearchEffort::normal, {}, {.threads = threads, .seed = 2, .progress = &shown});
    ASSERT_GT(shown.notes.size(), 10u);
    double before = 0;
    for (const std::string& note : shown.notes) {
      ASSERT_THAT(note, ::testing::StartsWith("best AMI "));
      const double bits = std::stod(note.substr(std::string_view("best AMI ").size()));
      EXPECT_GT(bits, 0);
      EXPECT_GE(bits, before);
      before = bits;
    }
    EXPECT_LE(before, result.ami_bits + 1e-4);
    EXPECT_THAT(shown.units, ::testing::Contains(""));  // no number of words, of which there are far fewer
  }
}

TEST(SearchProgress, CountsTheTimeThatIsLeft) {
  const Counts counts = reference::planted_text(4, 10, 300, 60000).counts;
  Shown shown;
  const ClusterResult result =
      search(counts, SearchEffort::max, {.max_seconds = 2}, {.threads = 1, .progress = &shown});
  EXPECT_FALSE(result.complete);
  EXPECT_FALSE(shown.notes.empty());
  EXPECT_GT(shown.max_share, 0.9);
}

}  // namespace
}  // namespace firth
