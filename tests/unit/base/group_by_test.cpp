#include "base/group_by.hpp"

#include <gmock/gmock.h>

#include <map>

#include "base/rng.hpp"

namespace firth::base {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

TEST(Groups, HaveTheirMembersInOrder) {
  const std::vector<std::uint32_t> keys = {2, 0, 2, ~0U, 2, 3};
  const Groups groups(keys, 4);
  EXPECT_EQ(groups.size(), 4U);
  EXPECT_THAT(groups[0], ElementsAre(1));
  EXPECT_THAT(groups[1], IsEmpty());
  EXPECT_THAT(groups[2], ElementsAre(0, 2, 4));
  EXPECT_THAT(groups[3], ElementsAre(5));
  EXPECT_EQ(Groups({}, 0).size(), 0U);
}

TEST(Groups, AgreeWithAMap) {
  Rng rng(4);
  for (int round = 0; round < 200; ++round) {
    const std::size_t count = rng.below(20);
    std::vector<std::uint32_t> keys(rng.below(100));
    for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(rng.below(25));
    std::map<std::size_t, std::vector<std::uint32_t>> expected;
    for (std::uint32_t i = 0; i < keys.size(); ++i) expected[keys[i]].push_back(i);
    const Groups groups(keys, count);
    for (std::size_t group = 0; group < count; ++group) {
      EXPECT_THAT(groups[group], ElementsAreArray(expected[group]));
    }
  }
}

}  // namespace
}  // namespace firth::base
