#include "base/worker_team.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace firth::base {
namespace {

TEST(WorkerTeam, DoesEveryPieceOnceHoweverManyWorkers) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    WorkerTeam team(threads);
    EXPECT_EQ(team.size(), threads);
    for (int round = 0; round < 300; ++round) {
      std::vector<int> done(100, 0);
      team.run(done.size(), 7, [&](unsigned worker, std::size_t begin, std::size_t end) {
        EXPECT_LT(worker, threads);
        for (std::size_t i = begin; i < end; ++i) ++done[i];
      });
      EXPECT_EQ(done, std::vector<int>(100, 1));
    }
  }
}

TEST(WorkerTeam, RethrowsAndGoesOn) {
  WorkerTeam team(3);
  EXPECT_THROW(team.run(50, 1,
                        [](unsigned, std::size_t begin, std::size_t) {
                          if (begin == 20) throw std::runtime_error("twenty");
                        }),
               std::runtime_error);
  std::atomic<int> sum{0};
  team.run(10, 1, [&](unsigned, std::size_t begin, std::size_t) { sum += static_cast<int>(begin); });
  EXPECT_EQ(sum, 45);
}

TEST(WorkerTeam, HasNothingToDoForNothing) {
  WorkerTeam team(2);
  team.run(0, 4, [](unsigned, std::size_t, std::size_t) { ADD_FAILURE(); });
}

}  // namespace
}  // namespace firth::base
