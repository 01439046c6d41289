// What every clusterer must do, whatever its method.
#include <gtest/gtest.h>

#include <ostream>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "base/rng.hpp"
#include "firth/cluster.hpp"
#include "firth/error.hpp"
#include "reference/naive_ami.hpp"
#include "reference/random_data.hpp"

namespace firth {
namespace {

/// One method under a name.
struct Clusterer {
  std::string name;
  ClusterMethod method;
};

void PrintTo(const Clusterer& clusterer, std::ostream* stream) {
  *stream << clusterer.name;
}

// What else a method can do: one overload for each, so that a new method does not compile without a decision.
struct Variants {
  std::string name;

  std::vector<Clusterer> operator()(const AutoOptions& /*defaults*/) const {
    return {{name + "_fast", AutoOptions{.effort = SearchEffort::fast}},
            {name + "_high", AutoOptions{.effort = SearchEffort::high}},
            {name + "_sizes", AutoOptions{.size_weight = 1.5}}};
  }
  std::vector<Clusterer> operator()(const ExchangeOptions& /*defaults*/) const {
    return {{name + "_frequency", ExchangeOptions{.init = ExchangeInit::frequency}},
            {name + "_random", ExchangeOptions{.init = ExchangeInit::random}}};
  }
  std::vector<Clusterer> operator()(const BrownOptions& /*defaults*/) const {
    return {{name + "_allsame", BrownOptions{.variant = BrownVariant::allsame}},
            {name + "_resort", BrownOptions{.variant = BrownVariant::resort}},
            {name + "_resort_connectivity",
             BrownOptions{.variant = BrownVariant::resort, .resort_by = ResortBy::connectivity}}};
  }
  std::vector<Clusterer> operator()(const SpectralOptions& /*defaults*/) const {
    return {{name + "_full", SpectralOptions{.hierarchy = SpectralHierarchy::full}},
            {name + "_divide", SpectralOptions{.hierarchy = SpectralHierarchy::divide}}};
  }
  std::vector<Clusterer> operator()(const Svd2Options& /*defaults*/) const {
    return {{name + "_one_pass", Svd2Options{.second_pass = false}}};
  }
  std::vector<Clusterer> operator()(const PosOptions& /*defaults*/) const { return {}; }
};

// The texts of this suite are counted at distance 1 only.
void use_neighbours_only(ClusterMethod& method) {
  if (auto* spectral = std::get_if<SpectralOptions>(&method)) spectral->context = {-1, 1};
  if (auto* pos = std::get_if<PosOptions>(&method)) {
    pos->skip_weight = 0;
    pos->restarts = 3;
  }
}

// Every method that the library knows, and its variants.
std::vector<Clusterer> all_clusterers() {
  std::vector<Clusterer> all;
  for (const ClusterMethodInfo& info : cluster_methods()) {
    all.push_back({std::string(info.name), info.defaults});
    for (Clusterer& variant : std::visit(Variants{std::string(info.name)}, info.defaults)) {
      all.push_back(std::move(variant));
    }
  }
  for (Clusterer& one : all) use_neighbours_only(one.method);
  return all;
}

class ClustererTest : public ::testing::TestWithParam<Clusterer> {
 protected:
  static Counts random_text(std::uint64_t seed, std::size_t words, std::size_t tokens) {
    base::Rng rng(seed);
    return reference::random_counts(rng, words, tokens);
  }
  ClusterResult run(const Counts& counts, ClassId classes, const RunOptions& options = {.threads = 1}) const {
    ClusterMethod method = GetParam().method;
    set_classes(method, classes);
    return cluster(counts, method, options);
  }
};

TEST_P(ClustererTest, GivesEveryWordOneOfKClassesAndATree) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Counts counts = random_text(seed, 40, 600);
    const ClusterResult result = run(counts, 7);
    ASSERT_EQ(result.clustering.word_count(), 40U);
    EXPECT_EQ(result.clustering.class_count(), 7U);
    const auto classes = result.clustering.classes();
    EXPECT_EQ(std::set<ClassId>(classes.begin(), classes.end()).size(), 7U);
    ASSERT_TRUE(result.clustering.tree().has_value());
    EXPECT_EQ(result.clustering.bit_strings().size(), 7U);
    EXPECT_NEAR(result.ami_bits, reference::naive_ami(counts, classes, AmiNorm::bigrams), 1e-9);
  }
}

TEST_P(ClustererTest, IsTheSameForTheSameSeedAndAnyNumberOfThreads) {
  const Counts counts = random_text(5, 300, 6000);
  const ClusterResult one = run(counts, 12);
  EXPECT_EQ(one.clustering, run(counts, 12).clustering);
  for (const unsigned threads : {2U, 3U, 4U}) {
    EXPECT_EQ(one.clustering, run(counts, 12, {.threads = threads}).clustering) << threads << " threads";
  }
}

TEST_P(ClustererTest, MakesOneClass) {
  const Counts counts = random_text(6, 20, 200);
  const ClusterResult result = run(counts, 1);
  EXPECT_EQ(result.clustering.class_count(), 1U);
  EXPECT_NEAR(result.ami_bits, 0, 1e-9);
}

TEST_P(ClustererTest, MakesAClassOfEveryWord) {
  const Counts counts = random_text(7, 20, 400);
  EXPECT_EQ(run(counts, 20).clustering.class_count(), 20U);
}

TEST_P(ClustererTest, ClustersATextOfOneWord) {
  const Counts counts(Vocabulary::from_words({{"a", 3}}), PairCounts::from_pairs(1, {{0, 0, 2}}), {});
  EXPECT_EQ(run(counts, 1).clustering.class_count(), 1U);
}

TEST_P(ClustererTest, ClustersWordsThatNeverMeet) {
  const Counts counts(Vocabulary::from_words({{"a", 1}, {"b", 1}, {"c", 1}}), PairCounts::from_pairs(3, {}),
                      {});
  if (std::holds_alternative<SpectralOptions>(GetParam().method)) {
    EXPECT_THROW(run(counts, 2), InputError) << "there is nothing to make vectors of";
    return;
  }
  const ClusterResult result = run(counts, 2);
  EXPECT_EQ(result.clustering.class_count(), 2U);
  EXPECT_EQ(result.ami_bits, 0);
}

TEST_P(ClustererTest, RefusesMoreClassesThanWords) {
  EXPECT_THROW(run(random_text(8, 5, 50), 6), UsageError);
  EXPECT_THROW(run(random_text(8, 5, 50), 0), UsageError);
}

TEST_P(ClustererTest, RefusesAnEmptyText) {
  const Counts empty(Vocabulary(), PairCounts::from_pairs(0, {}), {});
  EXPECT_THROW(run(empty, 1), InputError);
}

TEST_P(ClustererTest, StopsOnRequest) {
  const Counts counts = random_text(9, 200, 3000);
  std::stop_source source;
  source.request_stop();
  RunOptions options{.threads = 2};
  options.stop = source.get_token();
  EXPECT_THROW(run(counts, 10, options), Cancelled);
}

/// Asks for a stop once the work has begun.
class StoppingSink : public ProgressSink {
 public:
  explicit StoppingSink(std::stop_source& source) : source_(source) {}
  void begin(std::string_view, std::string_view, std::uint64_t) override { source_.request_stop(); }
  void advance(std::uint64_t, std::string_view) override {}
  void end() override {}
  void warn(std::string_view) override {}

 private:
  std::stop_source& source_;
};

TEST_P(ClustererTest, StopsInTheMiddle) {
  const Counts counts = random_text(10, 3000, 30000);
  std::stop_source source;
  StoppingSink sink(source);
  RunOptions options{.threads = 2};
  options.progress = &sink;
  options.stop = source.get_token();
  EXPECT_THROW(run(counts, 50, options), Cancelled);
}

TEST_P(ClustererTest, RefusesMoreMemoryThanAllowed) {
  const Counts counts = random_text(11, 400, 4000);
  EXPECT_THROW(run(counts, 200, {.threads = 1, .memory_bytes = 10000}), ResourceError);
}

INSTANTIATE_TEST_SUITE_P(Methods, ClustererTest, ::testing::ValuesIn(all_clusterers()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace firth
