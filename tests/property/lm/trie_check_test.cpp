// The check of a model's arrays against one that looks at each number on its own.
#include "lm/trie_check.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "base/internals.hpp"
#include "base/rng.hpp"
#include "firth/class_lm.hpp"
#include "lm/model.hpp"

namespace firth::lm {
namespace {

TrieStorage random_trie(base::Rng& rng) {
  std::string text;
  for (std::uint64_t n = 2 + rng.below(20); n > 0; --n) {
    for (std::uint64_t k = 1 + rng.below(8); k > 0; --k) text += fmt::format("w{} ", rng.below(9));
    text += '\n';
  }
  const int order = 1 + static_cast<int>(rng.below(4));
  const LanguageModel model =
      train_word_lm(Inputs::from_text(text), VocabularyOptions{}, {.order = order}, {});
  const TrieArrays& a = base::internals(model).first().trie.arrays();
  const std::span<const double> p = a.probabilities.values();
  const std::span<const double> backoffs = a.backoffs.values();
  return {{a.level_begin.begin(), a.level_begin.end()},
          {a.symbols.begin(), a.symbols.end()},
          {p.begin(), p.end()},
          {a.links.begin(), a.links.end()},
          {backoffs.begin(), backoffs.end()},
          {a.first_child.begin(), a.first_child.end()}};
}

bool entry_is_right(const TrieArrays& a, std::uint64_t entry, std::uint64_t first, std::size_t level) {
  const double p = a.probabilities[entry];
  const std::uint64_t link = a.links[entry];
  return p >= 0 && p <= 1 + 1e-9 && link <= first && (level == 1 || link > 0);
}

bool children_are_right(const TrieArrays& a, std::size_t node, std::size_t symbols) {
  if (a.first_child[node] > a.first_child[node + 1] || a.first_child[node + 1] > a.symbols.size())
    return false;
  for (std::uint64_t e = a.first_child[node]; e < a.first_child[node + 1]; ++e) {
    if (a.symbols[e] >= symbols || (node == kRoot && a.symbols[e] != e)) return false;
    if (e > a.first_child[node] && a.symbols[e] <= a.symbols[e - 1]) return false;
  }
  return true;
}

/// Sizes of arrays are those of a trie.
bool naive_is_right(const TrieArrays& a, std::size_t symbols) {
  for (std::size_t node = 0; node + 1 < a.first_child.size(); ++node) {
    if (!children_are_right(a, node, symbols)) return false;
    if (!(a.backoffs[node] >= 0) || !std::isfinite(a.backoffs[node])) return false;
  }
  for (std::size_t level = 1; level < a.level_begin.size(); ++level) {
    const std::uint64_t first = a.level_begin[level - 1];
    if (a.first_child[level == 1 ? 0 : 1 + a.level_begin[level - 2]] != first) return false;
    for (std::uint64_t e = first; e < a.level_begin[level]; ++e) {
      if (!entry_is_right(a, e, first, level)) return false;
    }
  }
  return a.first_child.back() == a.symbols.size();
}

double strange_number(base::Rng& rng) {
  constexpr std::array<double, 6> kStrange = {-0.5,
                                              1.5,
                                              0.25,
                                              -0.0,
                                              std::numeric_limits<double>::infinity(),
                                              std::numeric_limits<double>::quiet_NaN()};
  return kStrange[rng.below(kStrange.size())];
}

void damage(TrieStorage& trie, base::Rng& rng) {
  const auto change = [&](auto& values) {
    auto& value = values[rng.below(values.size())];
    if (rng.below(2) == 0) {
      value = values[rng.below(values.size())];
    } else {
      rng.below(2) == 0 ? ++value : --value;
    }
  };
  switch (rng.below(5)) {
    case 0:
      return change(trie.symbols);
    case 1:
      return change(trie.links);
    case 2:
      return change(trie.first_child);
    case 3:
      trie.probabilities[rng.below(trie.probabilities.size())] = strange_number(rng);
      return;
    default:
      trie.backoffs[rng.below(trie.backoffs.size())] = strange_number(rng);
  }
}

TEST(TrieCheck, AgreesWithTheNaiveTwin) {
  base::Rng rng(5);
  int right = 0;
  int wrong = 0;
  for (int round = 0; round < 200; ++round) {
    const TrieStorage whole = random_trie(rng);
    const std::size_t symbols = whole.level_begin[1];
    ASSERT_EQ(problem_of(whole.arrays(), symbols), nullptr);
    for (int i = 0; i < 40; ++i) {
      TrieStorage trie = whole;
      damage(trie, rng);
      const bool is_right = naive_is_right(trie.arrays(), symbols);
      ASSERT_EQ(problem_of(trie.arrays(), symbols) == nullptr, is_right) << round << " " << i;
      ++(is_right ? right : wrong);
    }
  }
  EXPECT_GT(right, 100);
  EXPECT_GT(wrong, 1000);
}

TEST(TrieCheck, SizesMustFit) {
  base::Rng rng(6);
  const TrieStorage whole = random_trie(rng);
  const std::size_t symbols = whole.level_begin[1];
  TrieStorage trie = whole;
  trie.links.pop_back();
  EXPECT_NE(problem_of(trie.arrays(), symbols), nullptr);
  trie = whole;
  trie.backoffs.push_back(1);
  EXPECT_NE(problem_of(trie.arrays(), symbols), nullptr);
  EXPECT_NE(problem_of(whole.arrays(), symbols + 1), nullptr);
  EXPECT_NE(problem_of({}, symbols), nullptr);
}

/// The arrays of a quantised trie that are not those of any trie.
struct Quantized {
  explicit Quantized(const TrieStorage& trie)
      : of_symbols(trie.probabilities.begin(),
                   trie.probabilities.begin() + static_cast<std::ptrdiff_t>(trie.level_begin[1])),
        table{0, 0.25, 1},
        codes(trie.symbols.size() - trie.level_begin[1], 2),
        backoffs(trie.backoffs.begin(), trie.backoffs.end()) {}

  TrieArrays arrays(const TrieStorage& trie) const {
    TrieArrays a = trie.arrays();
    a.probabilities = {of_symbols, table, codes};
    a.backoffs = std::span(backoffs);
    return a;
  }

  std::vector<double> of_symbols;
  std::vector<double> table;
  std::vector<std::uint8_t> codes;
  std::vector<float> backoffs;
};

TEST(TrieCheck, LooksAtEveryNumberOfAQuantisedTrie) {
  base::Rng rng(7);
  for (int round = 0; round < 100; ++round) {
    const TrieStorage trie = random_trie(rng);
    const std::size_t symbols = trie.level_begin[1];
    const Quantized whole(trie);
    ASSERT_EQ(problem_of(whole.arrays(trie), symbols), nullptr);
    const auto is_refused = [&](const auto& damage) {
      Quantized damaged = whole;
      damage(damaged);
      return problem_of(damaged.arrays(trie), symbols) != nullptr;
    };
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    const auto any = [&](const auto& values) { return rng.below(values.size()); };
    EXPECT_TRUE(is_refused([&](Quantized& q) { q.of_symbols[any(q.of_symbols)] = kNan; }));
    EXPECT_TRUE(is_refused([&](Quantized& q) { q.table[any(q.table)] = 1.5; }));
    EXPECT_TRUE(is_refused([&](Quantized& q) { q.backoffs[any(q.backoffs)] = -1; }));
    EXPECT_TRUE(is_refused(
        [&](Quantized& q) { q.backoffs[any(q.backoffs)] = std::numeric_limits<float>::infinity(); }));
    EXPECT_TRUE(is_refused([](Quantized& q) { q.backoffs.pop_back(); }));
    EXPECT_TRUE(is_refused([](Quantized& q) { q.of_symbols.pop_back(); }));
    EXPECT_TRUE(is_refused([](Quantized& q) { q.codes.push_back(0); }));
    if (whole.codes.empty()) continue;
    EXPECT_TRUE(is_refused([&](Quantized& q) { q.codes[any(q.codes)] = 3; }));
    EXPECT_TRUE(is_refused([](Quantized& q) {  // the same number of both, but not of symbols
      q.codes.pop_back();
      q.of_symbols.push_back(0.5);
    }));
  }
}

}  // namespace
}  // namespace firth::lm
