// Word vectors and the spectral method on several ranks: the bits of one process.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/rng.hpp"
#include "firth/embed.hpp"
#include "firth/error.hpp"
#include "firth/spectral.hpp"
#include "firth/world.hpp"
#include "linalg/tall.hpp"
#include "linalg/truncated_svd.hpp"
#include "reference/planted_text.hpp"
#include "reference/random_data.hpp"

namespace firth {
namespace {

constexpr unsigned kSizes[] = {1, 2, 3, 5, 8};

/// Every rank of every world gets what one process gets.
void expect_same_vectors(const Counts& counts, const EmbedOptions& options) {
  const WordVectors wanted = embed_words(counts, options, {.threads = 1, .seed = 3});
  for (const unsigned size : kSizes) {
    run_on_threads(size, [&](World& world) {
      RunOptions run{.threads = 1 + world.rank() % 2, .seed = 3};
      run.world = &world;
      const WordVectors found = embed_words(counts, options, run);
      EXPECT_EQ(found.values, wanted.values) << size << " ranks";
      EXPECT_EQ(found.svd.singular_values, wanted.svd.singular_values);
      EXPECT_EQ(found.svd.residuals, wanted.svd.residuals);
    });
  }
}

TEST(SpectralOnRanks, VectorsOfFewWordsAreThoseOfOneProcess) {
  base::Rng rng(1);
  EmbedOptions options{.dimensions = 5, .context = {-1, 1}};
  expect_same_vectors(reference::random_counts(rng, 300, 4000), options);  // all eigenvalues
  options.scale = CountScale::ppmi;
  expect_same_vectors(reference::random_counts(rng, 2600, 20000), options);  // two groups of rows
}

TEST(SpectralOnRanks, VectorsOfManyWordsAreThoseOfOneProcess) {
  base::Rng rng(2);
  expect_same_vectors(reference::random_counts(rng, 9000, 60000),
                      EmbedOptions{.dimensions = 4, .context = {-1, 1}, .tolerance = 1e-3});
}

TEST(SpectralOnRanks, ClassesAreThoseOfOneProcess) {
  const Counts counts = reference::planted_text(3, 8, 150, 20000).counts;
  SpectralOptions options{.classes = 8};
  options.context = {-1, 1};
  const SpectralResult wanted = cluster_spectral(counts, options, {.threads = 1, .seed = 3});
  for (const unsigned size : kSizes) {
    run_on_threads(size, [&](World& world) {
      RunOptions run{.threads = 1, .seed = 3};
      run.world = &world;
      const SpectralResult found = cluster_spectral(counts, options, run);
      EXPECT_EQ(found.clustering, wanted.clustering);
      EXPECT_EQ(found.ami_bits, wanted.ami_bits);
      EXPECT_EQ(found.searches_per_merge, wanted.searches_per_merge);
      EXPECT_EQ(found.vectors.values, wanted.vectors.values);
    });
  }
}

TEST(SpectralOnRanks, RowsAreDealtWithoutGapsAndMemoryFalls) {
  for (const std::size_t rows : {1UL, 2048UL, 2049UL, 32768UL, 32769UL, 1000000UL}) {
    run_on_threads(5, [&](World& world) {
      const base::Ranks ranks(&world);
      std::size_t next = 0;
      for (unsigned r = 0; r < ranks.size(); ++r) {
        EXPECT_EQ(linalg::tall_rows(rows, ranks, r).begin, next);
        next = linalg::tall_rows(rows, ranks, r).end;
      }
      EXPECT_EQ(next, rows);
    });
  }
  const linalg::SvdOptions options{.rank = 200};
  const std::uint64_t alone = linalg::svd_bytes(1000000, options, 4);
  run_on_threads(4, [&](World& world) {
    // A quarter of the basis, and the result.
    const std::uint64_t shared = linalg::svd_bytes(1000000, options, 4, base::Ranks(&world));
    EXPECT_LT(shared, alone / 2);
    EXPECT_GT(shared, alone / 4);
  });
}

}  // namespace
}  // namespace firth
