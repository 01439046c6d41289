#include "firth/estimate.hpp"

#include <gtest/gtest.h>

#include "base/rng.hpp"
#include "reference/random_data.hpp"

namespace firth {
namespace {

Counts some_counts(std::size_t words) {
  base::Rng rng(1);
  return reference::random_counts(rng, words, 40 * words);
}

ClusterEstimate of(const Counts& counts, const ClusterMethod& method) {
  const auto estimate = estimate_clustering(counts, method);
  EXPECT_TRUE(estimate.has_value());
  return estimate.value_or(ClusterEstimate{});
}

TEST(Estimate, MoreClassesNeedMoreTimeAndMemory) {
  const Counts counts = some_counts(2000);
  for (const ClusterMethod& method :
       {ClusterMethod(AutoOptions{}), ClusterMethod(ExchangeOptions{}), ClusterMethod(BrownOptions{}),
        ClusterMethod(SpectralOptions{.context = {-1, 1}})}) {
    ClusterEstimate before;
    for (const ClassId classes : {10U, 50U, 400U}) {
      ClusterMethod with_classes = method;
      set_classes(with_classes, classes);
      const ClusterEstimate now = of(counts, with_classes);
      EXPECT_GT(now.cpu_seconds, before.cpu_seconds) << method_name(method) << classes;
      EXPECT_GT(now.memory_bytes, before.memory_bytes) << method_name(method) << classes;
      before = now;
    }
  }
}

TEST(Estimate, MoreEffortNeedsMoreTimeAndTwoSearchesAtOnce) {
  const Counts counts = some_counts(500);
  const ClusterEstimate fast = of(counts, AutoOptions{.classes = 20, .effort = SearchEffort::fast});
  const std::uint64_t two_searches = of(counts, AutoOptions{.classes = 20}).memory_bytes;
  double seconds = fast.cpu_seconds;
  for (const SearchEffort effort : {SearchEffort::normal, SearchEffort::high, SearchEffort::max}) {
    const ClusterEstimate now = of(counts, AutoOptions{.classes = 20, .effort = effort});
    EXPECT_GT(now.cpu_seconds, seconds);
    EXPECT_GT(now.memory_bytes, fast.memory_bytes);
    EXPECT_EQ(now.memory_bytes, two_searches);
    const auto alone = estimate_clustering(counts, AutoOptions{.classes = 20, .effort = effort}, 1, 1);
    EXPECT_EQ(alone->memory_bytes, fast.memory_bytes) << "one after the other";
    seconds = now.cpu_seconds;
  }
}

TEST(Estimate, MemoryIsEnoughForTheLimitOfTheRun) {
  const Counts counts = some_counts(300);
  for (const ClusterMethod& method :
       {ClusterMethod(AutoOptions{.classes = 30, .effort = SearchEffort::fast}),
        ClusterMethod(ExchangeOptions{.classes = 30}), ClusterMethod(BrownOptions{.classes = 30})}) {
    RunOptions run;
    run.threads = 1;
    run.memory_bytes = of(counts, method).memory_bytes;
    EXPECT_EQ(cluster(counts, method, run).clustering.class_count(), 30U) << method_name(method);
  }
}

TEST(Estimate, MethodsWithoutOne) {
  const Counts counts = some_counts(100);
  EXPECT_FALSE(
      estimate_clustering(counts, SpectralOptions{.classes = 10}).has_value());  // distance 2 was not counted
  SpectralOptions split{.classes = 10, .context = {-1, 1}};
  split.hierarchy = SpectralHierarchy::divide;
  EXPECT_FALSE(estimate_clustering(counts, split).has_value());
  EXPECT_FALSE(estimate_clustering(counts, BrownOptions{.classes = 10, .variant = BrownVariant::allsame}));
}

}  // namespace
}  // namespace firth
