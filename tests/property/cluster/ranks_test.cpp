// Methods that are not shared among ranks are done by every rank.
#include <gtest/gtest.h>

#include "firth/choose.hpp"
#include "firth/cluster.hpp"
#include "firth/world.hpp"
#include "reference/planted_text.hpp"

namespace firth {
namespace {

template <typename Use>
void on_three_ranks(const Use& use) {
  run_on_threads(3, [&](World& world) {
    RunOptions run{.threads = 1, .seed = 5};
    run.world = &world;
    use(run);
  });
}

TEST(MethodsOnRanks, EveryMethodGivesTheResultOfOneProcess) {
  const Counts counts = reference::planted_text(4, 6, 10, 2000).counts;
  SpectralOptions spectral{.classes = 6};
  spectral.context = {-1, 1};
  for (const ClusterMethod& method :
       {ClusterMethod(BrownOptions{.classes = 6}),
        ClusterMethod(PosOptions{.classes = 6, .restarts = 2, .skip_weight = 0}), ClusterMethod(spectral),
        ClusterMethod(Svd2Options{.classes = 6})}) {
    const ClusterResult wanted = cluster(counts, method, {.threads = 1, .seed = 5});
    on_three_ranks([&](const RunOptions& run) {
      const ClusterResult found = cluster(counts, method, run);
      EXPECT_EQ(found.clustering, wanted.clustering);
      EXPECT_EQ(found.ami_bits, wanted.ami_bits);
    });
  }
}

TEST(MethodsOnRanks, ChoosesTheSameNumberOfClasses) {
  const Counts counts = reference::planted_text(5, 10, 40, 9000).counts;
  const ClassChoice wanted = choose_classes(counts, {}, {.threads = 1, .seed = 5});
  on_three_ranks(
      [&](const RunOptions& run) { EXPECT_EQ(choose_classes(counts, {}, run).classes, wanted.classes); });
}

}  // namespace
}  // namespace firth
