// Brown clustering against its slow twin on random corpora: every merge must be the same.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/rng.hpp"
#include "firth/brown.hpp"
#include "reference/naive_brown.hpp"

namespace firth {
namespace {

struct Shape {
  std::uint32_t words = 10;
  std::uint32_t tokens = 100;
  double self = 0.0;  // share of tokens that repeat the one before
  bool flat = false;  // all words about equally frequent: many ties
};

// A skewed choice of words, each with favourite followers, and line ends here and there.
std::vector<std::uint32_t> random_text(base::Rng& rng, const Shape& shape) {
  std::vector<std::uint32_t> text;
  for (std::uint32_t i = 0; i < shape.tokens; ++i) {
    const double u = rng.uniform();
    auto word = static_cast<std::uint32_t>((shape.flat ? u : u * u * u) * shape.words);
    if (!text.empty() && rng.uniform() < 0.3) word = (text.back() * 7 + word % 3) % shape.words;
    if (!text.empty() && rng.uniform() < shape.self) word = text.back();
    text.push_back(word);
  }
  return text;
}

Counts random_counts(base::Rng& rng, const Shape& shape) {
  const std::vector<std::uint32_t> text = random_text(rng, shape);
  std::vector<Count> counts(shape.words);
  for (const std::uint32_t word : text) ++counts[word];
  std::vector<std::pair<std::string, Count>> named;
  for (std::uint32_t w = 0; w < shape.words; ++w)
    if (counts[w] > 0) named.emplace_back("w" + std::to_string(w), counts[w]);
  const Vocabulary vocabulary = Vocabulary::from_words(named);
  std::vector<WordId> id(shape.words);
  for (WordId w = 0; w < vocabulary.size(); ++w)
    id[std::stoul(std::string(vocabulary.word(w).substr(1)))] = w;
  std::vector<PairCount> pairs;
  for (std::size_t i = 1; i < text.size(); ++i)
    if (rng.uniform() < 0.95) pairs.push_back({id[text[i - 1]], id[text[i]], 1});
  return {vocabulary, PairCounts::from_pairs(vocabulary.size(), std::move(pairs)), {.tokens = text.size()}};
}

BrownOptions random_options(base::Rng& rng, std::uint32_t words) {
  BrownOptions options;
  options.classes = static_cast<ClassId>(1 + rng.below(words));
  options.marginals = rng.below(2) == 0 ? Marginals::bigram : Marginals::unigram;
  const auto variant = rng.below(5);
  if (variant == 3) options.variant = BrownVariant::allsame;
  if (variant == 4) {
    options.variant = BrownVariant::resort;
    options.resort_every = 1 + rng.below(4);
    options.resort_by = static_cast<ResortBy>(rng.below(3));
  }
  if (options.variant != BrownVariant::allsame && rng.below(3) == 0)
    options.window = rng.below(4) == 0 ? kWholeVocabulary : options.classes + 1 + rng.below(words);
  if (rng.below(4) == 0)
    for (WordId word = 0; word < words; word += 1 + static_cast<WordId>(rng.below(4)))
      options.order.insert(
          options.order.begin() + static_cast<std::ptrdiff_t>(rng.below(options.order.size() + 1)), word);
  options.check_every = rng.below(3) == 0 ? 1 : 0;
  return options;
}

void expect_same(const Counts& counts, const BrownOptions& options) {
  const auto expected = reference::naive_brown(counts, options);
  const ClusterResult result = cluster_brown(counts, options, {.threads = 1});
  const auto& merges = result.clustering.tree()->merges;
  ASSERT_EQ(merges.size(), expected.merges.size());
  for (std::size_t i = 0; i < merges.size(); ++i) {
    ASSERT_EQ(merges[i].left, expected.merges[i].left) << "merge " << i;
    ASSERT_EQ(merges[i].right, expected.merges[i].right) << "merge " << i;
    ASSERT_EQ(merges[i].ami_bits, expected.merges[i].ami_bits) << "merge " << i;
  }
}

std::string describe(const Counts& counts, const BrownOptions& options) {
  return testing::PrintToString(counts.vocabulary().size()) + " words, " + std::to_string(options.classes) +
         " classes, window " + std::to_string(options.window) + ", variant " +
         std::to_string(static_cast<int>(options.variant)) + ", marginals " +
         std::to_string(static_cast<int>(options.marginals)) + ", order " +
         std::to_string(options.order.size());
}

TEST(BrownProperty, SameMergesAsTheSlowTwin) {
  base::Rng rng(7);
  for (int round = 0; round < 2000; ++round) {
    const Counts counts = random_counts(rng, {.words = 2 + static_cast<std::uint32_t>(rng.below(11)),
                                              .tokens = 2 + static_cast<std::uint32_t>(rng.below(120)),
                                              .self = rng.below(3) == 0 ? 0.4 : 0.0,
                                              .flat = rng.below(3) == 0});
    const auto words = static_cast<std::uint32_t>(counts.vocabulary().size());
    const BrownOptions options = random_options(rng, words);
    SCOPED_TRACE(std::to_string(round) + ": " + describe(counts, options));
    ASSERT_NO_FATAL_FAILURE(expect_same(counts, options));
  }
}

TEST(BrownProperty, SameMergesAsTheSlowTwinWithMoreWords) {
  base::Rng rng(8);
  for (int round = 0; round < 30; ++round) {
    const Counts counts = random_counts(rng, {.words = 20 + static_cast<std::uint32_t>(rng.below(12)),
                                              .tokens = 200 + static_cast<std::uint32_t>(rng.below(1500)),
                                              .self = rng.below(2) == 0 ? 0.2 : 0.0});
    const BrownOptions options = random_options(rng, static_cast<std::uint32_t>(counts.vocabulary().size()));
    SCOPED_TRACE(std::to_string(round) + ": " + describe(counts, options));
    ASSERT_NO_FATAL_FAILURE(expect_same(counts, options));
  }
}

}  // namespace
}  // namespace firth
