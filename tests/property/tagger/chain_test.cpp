// Sums and searches over chains of tags against all sequences, one by one.
#include "tagger/chain.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <map>

#include "base/rng.hpp"
#include "reference/naive_tagger.hpp"
#include "tagger/chain_decoder.hpp"

namespace firth::tagger {
namespace {

TagSet random_tags(base::Rng& rng) {
  switch (rng.below(3)) {
    case 0:
      return TagSet(TagScheme::plain, {"A", "B", "C"});
    case 1:
      return TagSet(TagScheme::bio, {"X", "Y"});
    default:
      return TagSet(TagScheme::bilou, {"X"});
  }
}

template <typename Number>
std::vector<Number> random_numbers(base::Rng& rng, std::size_t size, double scale) {
  std::vector<Number> numbers(size);
  for (Number& number : numbers) number = static_cast<Number>(std::round((rng.uniform() - 0.5) * scale));
  return numbers;
}

template <typename Number>
double score_of(const std::vector<TagId>& sequence, const std::vector<Number>& local,
                const std::vector<Number>& transitions, std::size_t tags) {
  double sum = 0;
  std::size_t before = tags;
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    sum += static_cast<double>(local[i * tags + sequence[i]]);
    sum += static_cast<double>(transitions[before * tags + sequence[i]]);
    before = sequence[i];
  }
  return sum;
}

TEST(ChainProperty, ProbabilitiesAreSumsOverAllSequences) {
  base::Rng rng(1);
  for (int round = 0; round < 300; ++round) {
    const TagSet tags = random_tags(rng);
    const std::size_t length = 1 + rng.below(5);
    const auto local = random_numbers<float>(rng, length * tags.size(), 8);
    const auto transitions = random_numbers<float>(rng, (tags.size() + 1) * tags.size(), 4);
    double total = 0;
    std::map<std::pair<std::size_t, std::size_t>, double> single;
    std::map<std::array<std::size_t, 3>, double> pairs;
    reference::for_each_sequence(tags, length, [&](const std::vector<TagId>& sequence) {
      const double weight = std::exp(score_of(sequence, local, transitions, tags.size()));
      total += weight;
      for (std::size_t i = 0; i < length; ++i) single[{i, sequence[i]}] += weight;
      for (std::size_t i = 1; i < length; ++i) pairs[{i, sequence[i - 1], sequence[i]}] += weight;
    });
    Chain chain(tags);
    chain.run(local, transitions);
    for (std::size_t i = 0; i < length; ++i) {
      for (std::size_t t = 0; t < tags.size(); ++t) {
        EXPECT_NEAR(chain.probability(i, t), (single[{i, t}] / total), 1e-6);
        for (std::size_t before = 0; i > 0 && before < tags.size(); ++before) {
          EXPECT_NEAR(chain.pair_probability(i, before, t), (pairs[{i, before, t}] / total), 1e-6);
        }
      }
    }
  }
}

TEST(ChainProperty, TheDecoderFindsTheBestSequence) {
  base::Rng rng(2);
  ChainDecoder decoder;
  std::vector<TagId> found;
  for (int round = 0; round < 1000; ++round) {
    const TagSet tags = random_tags(rng);
    const std::size_t length = 1 + rng.below(5);
    const auto local = random_numbers<Score>(rng, length * tags.size(), 9);
    const auto steps = random_numbers<std::int32_t>(rng, (tags.size() + 1) * tags.size(), 9);
    const std::vector<Score> transitions(steps.begin(), steps.end());
    double best = -1e9;
    reference::for_each_sequence(tags, length, [&](const std::vector<TagId>& sequence) {
      best = std::max(best, score_of(sequence, local, transitions, tags.size()));
    });
    decoder.decode({tags, length, local}, steps, found);
    EXPECT_EQ(score_of(found, local, transitions, tags.size()), best);
  }
}

TEST(ChainProperty, LargeScoresDoNotOverflow) {
  const TagSet tags(TagScheme::bilou, {"X"});
  std::vector<float> local(20 * tags.size(), 0);
  for (std::size_t i = 0; i < 20; ++i) local[i * tags.size()] = i % 2 == 0 ? 1000.0F : -1000.0F;
  const std::vector<float> transitions((tags.size() + 1) * tags.size(), -500.0F);
  Chain chain(tags);
  chain.run(local, transitions);
  for (std::size_t i = 0; i < 20; ++i) {
    double sum = 0;
    for (std::size_t t = 0; t < tags.size(); ++t) sum += chain.probability(i, t);
    EXPECT_NEAR(sum, 1, 1e-9);
  }
}

TEST(ChainProperty, TheExponentialIsThatOfTheLibrary) {
  for (double x = -79.5; x < 80; x += 0.37) EXPECT_NEAR(smooth_exp(x) / std::exp(x), 1, 1e-8) << x;
  EXPECT_EQ(smooth_exp(0), 1);
  EXPECT_EQ(smooth_exp(500), smooth_exp(80));
}

}  // namespace
}  // namespace firth::tagger
