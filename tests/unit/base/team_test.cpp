#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/parallel.hpp"

namespace firth::base {
namespace {

TEST(Team, SharesEveryPieceOnce) {
  for (const unsigned threads : {1U, 2U, 3U}) {
    Team team(threads);
    for (std::size_t pieces = 0; pieces < 200; ++pieces) {
      std::vector<int> done(pieces, 0);
      team.share(pieces, [&](unsigned thread, std::size_t piece) {
        EXPECT_LT(thread, threads);
        ++done[piece];
      });
      EXPECT_EQ(done, std::vector<int>(pieces, 1));
    }
  }
}

TEST(Team, SharingRethrowsAndGoesOn) {
  Team team(2);
  EXPECT_THROW(team.share(10,
                          [](unsigned, std::size_t piece) {
                            if (piece == 7) throw std::runtime_error("seven");
                          }),
               std::runtime_error);
  std::vector<int> done(10, 0);
  team.share(done.size(), [&](unsigned, std::size_t piece) { ++done[piece]; });
  EXPECT_EQ(done, std::vector<int>(10, 1));
}

TEST(Team, PassesItsTimeUntilThereIsWorkToShare) {
  for (const unsigned threads : {2U, 4U}) {
    std::atomic<int> left{1000};
    std::atomic<bool> stranger{false};
    const auto step = [&](unsigned thread) {
      if (thread == 0 || thread >= threads) stranger = true;
      return left.fetch_sub(1) > 0;
    };
    Team team(threads);  // ends before what its idle task refers to
    team.set_idle_task(step, threads - 1);
    std::vector<int> done(500, 0);
    team.share(done.size(), [&](unsigned, std::size_t piece) { ++done[piece]; });
    EXPECT_EQ(done, std::vector<int>(done.size(), 1));
    while (left > 0) std::this_thread::yield();
    EXPECT_FALSE(stranger);
  }
}

TEST(Team, WakesForItsIdleTask) {
  std::atomic<int> steps{0};
  std::atomic<bool> there_is_work{false};
  Team team(2);  // ends before what its idle task refers to
  team.set_idle_task([&](unsigned) { return there_is_work.exchange(false) && ++steps > 0; }, 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // long enough to fall asleep
  there_is_work = true;
  while (steps == 0) {
    team.wake();
    std::this_thread::yield();
  }
  EXPECT_EQ(steps, 1);
}

TEST(Team, NobodyIsInsideAStepWhenTheIdleTaskHasEnded) {
  Team team(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<int> own(3, 0);
    std::atomic<int> steps{0};
    std::atomic<int> inside{0};
    team.set_idle_task(
        [&](unsigned thread) {
          ++inside;
          ++own[thread];
          ++steps;
          std::this_thread::sleep_for(std::chrono::microseconds(20));
          --inside;
          return true;
        },
        2);
    while (round % 2 == 0 && steps == 0) std::this_thread::yield();
    team.set_idle_task({}, 0);
    EXPECT_EQ(inside, 0);
    EXPECT_EQ(own[1] + own[2], steps);
    EXPECT_EQ(own[0], 0);
  }
}

}  // namespace
}  // namespace firth::base
