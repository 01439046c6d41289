#include "base/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace firth::base {
namespace {

TEST(ParallelFor, VisitsEveryIndexOnceInTheSamePieces) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{9}, std::size_t{1000}}) {
    for (const unsigned threads : {1u, 2u, 5u}) {
      std::vector<int> seen(size);
      std::atomic<std::size_t> pieces{0};
      parallel_for(size, 7, threads, [&](std::size_t begin, std::size_t end) {
        EXPECT_EQ(begin % 7, 0u);
        EXPECT_LE(end - begin, 7u);
        ++pieces;
        for (std::size_t i = begin; i < end; ++i) ++seen[i];
      });
      EXPECT_EQ(std::accumulate(seen.begin(), seen.end(), std::size_t{0}), size);
      EXPECT_EQ(pieces, (size + 6) / 7);
    }
  }
}

TEST(ParallelFor, PassesExceptionsOn) {
  const auto fail = [](std::size_t begin, std::size_t) {
    if (begin == 50) throw std::runtime_error("piece 50");
  };
  EXPECT_THROW(parallel_for(100, 1, 2, fail), std::runtime_error);
}

TEST(ResolveThreads, ZeroMeansAll) {
  EXPECT_GE(resolve_threads(0), 1u);
  EXPECT_EQ(resolve_threads(3), 3u);
}

}  // namespace
}  // namespace firth::base
