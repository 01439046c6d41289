// Crossing brackets against the definition, and trees of any depth.
#include "firth/parseval.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.hpp"

namespace firth {
namespace {

using Span = std::pair<std::size_t, std::size_t>;

/// A random tree over the words begin..end-1, and the spans of its phrases.
std::string random_phrase(base::Rng& rng, std::size_t begin, std::size_t end, std::vector<Span>& spans) {
  if (end - begin == 1 && rng.below(3) > 0) return "(N w" + std::to_string(begin) + ")";
  spans.emplace_back(begin, end);
  std::string text = "(X";
  while (begin < end) {
    const std::size_t child = begin + 1 + static_cast<std::size_t>(rng.below(end - begin));
    text += " " + random_phrase(rng, begin, child, spans);
    begin = child;
  }
  return text + ")";
}

bool cross(const Span& a, const Span& b) {
  return (a.first < b.first && b.first < a.second && a.second < b.second) ||
         (b.first < a.first && a.first < b.second && b.second < a.second);
}

std::size_t crossing_by_definition(const std::vector<Span>& gold, const std::vector<Span>& guess) {
  std::size_t count = 0;
  for (const Span& span : guess) {
    bool any = false;
    for (const Span& right : gold) any = any || cross(span, right);
    count += any ? 1 : 0;
  }
  return count;
}

Tree tree_of(const std::string& text) {
  return parse_trees(text, "tree", TreeLayout::free).front();
}

TEST(ParsevalProperty, CrossingBracketsAreThoseOfTheDefinition) {
  base::Rng rng(11);
  for (int round = 0; round < 3000; ++round) {
    const std::size_t words = 2 + static_cast<std::size_t>(rng.below(12));
    std::vector<Span> gold;
    std::vector<Span> guess;
    const std::string right = "(S (Y " + random_phrase(rng, 0, words, gold) + "))";
    const std::string other = "(S " + random_phrase(rng, 0, words, guess) + ")";
    const ParsevalScore score = score_parse(tree_of(right), tree_of(other), {});
    ASSERT_EQ(score.crossing, crossing_by_definition(gold, guess)) << right << "\n" << other;
  }
}

TEST(ParsevalProperty, DeepTreesTakeTimeInProportionToTheirSize) {
  const auto deep = [](std::size_t depth) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i) text += "(S (D x) ";
    return tree_of(text + "(N a)" + std::string(depth, ')'));
  };
  const Tree tree =
      deep(100'000);  // ten thousand million pairs of phrases: tens of seconds, one pair at a time
  const auto started = std::chrono::steady_clock::now();
  const ParsevalScore score = score_parse(tree, tree, {});
  EXPECT_EQ(score.matched, 100'000U);
  EXPECT_EQ(score.crossing, 0U);
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(10));
}

}  // namespace
}  // namespace firth
