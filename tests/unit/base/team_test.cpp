#include <gtest/gtest.h>

#include <stdexcept>
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

}  // namespace
}  // namespace firth::base
