#include "cluster/exchange/overlap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "cluster/exchange/search_context.hpp"
#include "reference/random_data.hpp"

namespace firth::exchange {
namespace {

/// Bigrams of every unit's class, over the units of `class_of` that are in it.
Count bigrams_of_class(const Problem& problem, const std::vector<bool>& members) {
  Count sum = 0;
  for (UnitId unit = 0; unit < members.size(); ++unit) {
    if (members[unit]) sum += Count{problem.out(unit)} + problem.in(unit);
  }
  return sum;
}

std::vector<bool> alike(const std::vector<ClassId>& one, const std::vector<ClassId>& other, UnitId unit) {
  std::vector<bool> members(one.size());
  for (UnitId u = 0; u < one.size(); ++u) members[u] = one[u] == one[unit] && other[u] == other[unit];
  return members;
}

TEST(Overlap, KeepsTheLargestClassesOfUnitsThatBothPartitionsPutTogether) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    base::Rng rng(seed);
    const std::size_t words = 4 + rng.below(30);
    const Counts counts = reference::random_counts(rng, words, 20 + rng.below(400));
    const auto classes = static_cast<ClassId>(1 + rng.below(4));
    const auto one = reference::random_classes(rng, words, classes);
    const auto other = reference::random_classes(rng, words, classes);
    const RunOptions run{.threads = 1};
    const SearchProblem search_problem(counts, {{{}, false}}, 1, 20, run);
    const auto most = static_cast<ClassId>(1 + rng.below(12));
    const Overlap overlap = overlap_of(search_problem, one, other, most);
    ASSERT_GE(overlap.classes, 1U);
    ASSERT_LE(overlap.classes, most);
    Count smallest_kept = counts.bigrams().total() * 2;
    Count largest_left = 0;
    for (UnitId unit = 0; unit < words; ++unit) {
      const std::vector<bool> members = alike(one, other, unit);
      const bool kept = overlap.class_of[unit] < overlap.classes;
      for (UnitId u = 0; kept && u < words; ++u) {
        ASSERT_EQ(overlap.class_of[u] == overlap.class_of[unit], members[u]) << "seed " << seed;
      }
      const Count bigrams = bigrams_of_class(search_problem.problem(), members);
      if (kept) smallest_kept = std::min(smallest_kept, bigrams);
      if (!kept) largest_left = std::max(largest_left, bigrams);
      const auto& unplaced = overlap.unplaced;
      EXPECT_EQ(std::find(unplaced.begin(), unplaced.end(), unit) == unplaced.end(), kept);
    }
    EXPECT_GE(smallest_kept, largest_left) << "seed " << seed;
    EXPECT_TRUE(std::is_sorted(overlap.unplaced.begin(), overlap.unplaced.end()));
  }
}

TEST(Overlap, ConstrainedUnitsKeepTheirClassesOrNothingIsMade) {
  base::Rng rng(1);
  const Counts counts = reference::random_counts(rng, 20, 400);
  const auto word = [&](WordId rank) { return std::string(counts.vocabulary().word(rank)); };
  const Constraints constraints{"", {{Constraint::Kind::apart, "", {word(17), word(18), word(19)}, 1}}};
  const RunOptions run{.threads = 1};
  const SearchProblem search_problem(counts, {{constraints, false}}, 3, 4, run);
  std::vector<ClassId> one(20, 0);
  one[17] = 1;
  one[18] = 2;
  const Overlap three = overlap_of(search_problem, one, one, 3);
  EXPECT_EQ(three.classes, 3U);
  EXPECT_TRUE(three.unplaced.empty());
  EXPECT_EQ(overlap_of(search_problem, one, one, 2).classes, 0U);
}

TEST(Overlap, LineEndsStayAloneInClassZero) {
  base::Rng rng(2);
  const Counts counts = reference::random_counts(rng, 20, 400);
  const RunOptions run{.threads = 1};
  const SearchProblem search_problem(counts, {{{}, true}}, 3, 4, run);
  std::vector<ClassId> one(21);
  for (UnitId unit = 0; unit < 20; ++unit) one[unit] = 1 + unit % 6;
  one.back() = 0;
  const Overlap overlap = overlap_of(search_problem, one, one, 4);
  EXPECT_EQ(overlap.classes, 4U);
  EXPECT_EQ(overlap.class_of.back(), 0U);
  EXPECT_EQ(std::count(overlap.class_of.begin(), overlap.class_of.end(), 0U), 1);
}

}  // namespace
}  // namespace firth::exchange
