#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/rng.hpp"
#include "firth/cluster.hpp"
#include "firth/error.hpp"
#include "reference/random_data.hpp"

namespace firth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ClusterMethods, EveryAlternativeIsListedOnce) {
  std::set<std::size_t> alternatives;
  std::set<std::string_view> names;
  for (const ClusterMethodInfo& method : cluster_methods()) {
    alternatives.insert(method.defaults.index());
    names.insert(method.name);
    EXPECT_EQ(method_name(method.defaults), method.name);
    EXPECT_EQ(cluster_method(method.name).index(), method.defaults.index());
    EXPECT_NO_THROW(validate(method.defaults)) << method.name;
  }
  EXPECT_EQ(alternatives.size(), std::variant_size_v<ClusterMethod>);
  EXPECT_EQ(names.size(), cluster_methods().size());
}

TEST(ClusterMethods, UnknownNamesAreToldTheKnownOnes) {
  try {
    (void)cluster_method("kmeans");
    ADD_FAILURE();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("there is no method 'kmeans'; choose one of auto, exchange, brown"));
  }
}

TEST(ClusterMethods, SayWhichDistancesTheyNeed) {
  EXPECT_THAT(required_distances(cluster_method("brown")), ElementsAre(1));
  EXPECT_THAT(required_distances(cluster_method("pos")), ElementsAre(1, 2));
  EXPECT_THAT(required_distances(PosOptions{.skip_weight = 0}), ElementsAre(1));
  EXPECT_THAT(required_distances(SpectralOptions{.context = {-3}}), ElementsAre(1, 3));
}

TEST(ClusterMethods, GiveWhatTheirOwnFunctionsGive) {
  base::Rng rng(4);
  const Counts counts = reference::random_counts(rng, 40, 600);
  EXPECT_EQ(cluster(counts, BrownOptions{.classes = 5}).clustering,
            cluster_brown(counts, {.classes = 5}).clustering);
  EXPECT_EQ(cluster(counts, Svd2Options{.classes = 5}).clustering,
            cluster_svd2(counts, {.classes = 5}).clustering);
}

// The field tells a program which option to mend; the text is the same for every method.
TEST(ClusterMethods, NameTheFieldAtFault) {
  base::Rng rng(4);
  const Counts counts = reference::random_counts(rng, 5, 60);
  for (const ClusterMethodInfo& info : cluster_methods()) {
    ClusterMethod method = info.defaults;
    if (auto* spectral = std::get_if<SpectralOptions>(&method)) spectral->context = {-1, 1};
    set_classes(method, 0);
    try {
      (void)cluster(counts, method);
      ADD_FAILURE() << info.name;
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), HasSubstr("0 classes are asked for")) << info.name;
      EXPECT_THAT(error.field(), ::testing::EndsWith("Options::classes")) << info.name;
    }
    set_classes(method, 6);
    try {
      (void)cluster(counts, method);
      ADD_FAILURE() << info.name;
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), HasSubstr("6 classes are asked for, but there are only 5 words"))
          << info.name;
    }
  }
}

}  // namespace
}  // namespace firth
