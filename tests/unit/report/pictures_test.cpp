// Pictures: what is in them, and that no word can break them.
#include "firth/pictures.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "firth/error.hpp"

namespace firth {
namespace {

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

Clustering four_classes() {
  const Vocabulary words =
      Vocabulary::from_words({{"<the>", 9}, {"a&b", 8}, {"cat", 7}, {"dog", 6}, {"ran", 5}, {"\xff", 1}});
  MergeTree tree{.kind = TreeLeaves::classes, .leaves = 4, .merges = {{0, 1, 1.5}, {2, 3, 1.0}, {4, 5, 0.0}}};
  return {words, std::vector<ClassId>{0, 1, 2, 2, 3, 3}, std::move(tree)};
}

TEST(TreePicture, HasALineOfWordsPerClassAndThreeLinesPerMerge) {
  const std::string svg = tree_svg(four_classes(), {.title = "A <title>"});
  EXPECT_EQ(times(svg, "<line"), 3 * 3 + 1u);
  EXPECT_EQ(times(svg, "<tspan"), 6u);
  EXPECT_NE(svg.find("A &lt;title&gt;"), std::string::npos);
  EXPECT_NE(svg.find("&lt;the&gt;"), std::string::npos);
  EXPECT_NE(svg.find("a&amp;b"), std::string::npos);
  EXPECT_EQ(svg.find('\xff'), std::string::npos);
}

TEST(TreePicture, IsCutWhereItIsAsked) {
  EXPECT_EQ(times(tree_svg(four_classes(), {.classes = 2}), "<line"), 3 + 1u);
  EXPECT_EQ(times(tree_svg(four_classes(), {.classes = 1}), "<line"), 1u);
  EXPECT_EQ(times(tree_svg(four_classes(), {.words = 1}), "<tspan"), 4u);
}

TEST(TreePicture, OfAForestHasAStemPerRoot) {
  const Clustering all = four_classes();
  MergeTree tree = *all.tree();
  tree.merges.pop_back();
  const Clustering forest(all.vocabulary(), all.classes(), tree);
  EXPECT_EQ(times(tree_svg(forest, {.classes = 1}), "<line"), 2u);
}

TEST(TreePicture, NeedsATree) {
  const Clustering all = four_classes();
  EXPECT_THROW((void)tree_svg(Clustering(all.vocabulary(), all.classes()), {}), UsageError);
  EXPECT_THROW((void)tree_svg(all, {.classes = 0}), UsageError);
}

TEST(SizesPicture, HasAPointPerClass) {
  EXPECT_EQ(times(sizes_svg(four_classes(), "sizes"), "<circle"), 4u);
}

TEST(CurvePicture, LeavesOutWhatCannotBeDrawn) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<ChartPoint> points = {{0, 1}, {1, 1}, {2, nan}, {3, 1}};
  EXPECT_EQ(times(curve_svg(points, {.log_x = true}), "<circle"), 2u);
  EXPECT_EQ(curve_svg(points, {}).find("nan"), std::string::npos);
  EXPECT_THROW((void)curve_svg({}, {}), UsageError);
}

}  // namespace
}  // namespace firth
