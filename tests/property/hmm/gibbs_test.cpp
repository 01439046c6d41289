// The Gibbs sampler against the exact posterior over states, found by enumeration.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/rng.hpp"
#include "hmm/estimate.hpp"
#include "reference/naive_hmm.hpp"

namespace firth::hmm {
namespace {

/// One factor per draw: how often this outcome came before, over how often anything did (the Polya urn).
class Urns {
 public:
  double draw(std::size_t urn, std::size_t outcome, double outcomes, double prior) {
    const double p = (seen_[{urn, outcome}]++ + prior) / (drawn_[urn]++ + outcomes * prior);
    return p;
  }

 private:
  std::map<std::pair<std::size_t, std::size_t>, double> seen_;
  std::map<std::size_t, double> drawn_;
};

/// ln p(text, states) with all parameters integrated out, token by token.
double exact_log_joint(const Text& text, const HmmOptions& options, std::span<const std::uint32_t> states) {
  Urns transitions;
  Urns emissions;
  double sum = 0;
  std::size_t token = 0;
  const std::size_t outside = options.states;
  for (const std::uint64_t end : text.ends) {
    std::size_t before = outside;
    for (; token < end; ++token) {
      sum += std::log(transitions.draw(
          before, states[token], options.states + (before == outside ? 0.0 : 1.0), options.transition_prior));
      sum += std::log(emissions.draw(states[token], text.words[token],
                                     static_cast<double>(text.vocabulary.size()), options.emission_prior));
      before = states[token];
    }
    sum += std::log(transitions.draw(before, outside, options.states + 1.0, options.transition_prior));
  }
  return sum;
}

TEST(Gibbs, VisitsStatesAsOftenAsThePosteriorSays) {
  base::Rng rng(41);
  std::size_t compared = 0;
  for (int round = 0; round < 4; ++round) {
    Text text;
    text.vocabulary = Vocabulary::from_words({{"a", 3}, {"b", 2}});
    for (const std::size_t length : {3U, 2U}) {
      for (std::size_t i = 0; i < length; ++i) text.words.push_back(static_cast<WordId>(rng.below(2)));
      text.ends.push_back(text.words.size());
    }
    const HmmOptions options{.algorithm = HmmAlgorithm::gibbs,
                             .states = 2U + static_cast<std::uint32_t>(round % 2),
                             .iterations = 60000,
                             .transition_prior = 0.3 + 0.5 * round,
                             .emission_prior = 0.2 + 0.3 * round};
    // States have no names, so what can be compared is how probable the visited sequences are.
    std::map<long, double> exact;
    double total = 0;
    const auto key = [](double log_joint) { return std::lround(log_joint * 1e6); };
    reference::for_each_path(options.states, text.words.size(), [&](std::span<const std::uint32_t> path) {
      const double log_joint = exact_log_joint(text, options, path);
      exact[key(log_joint)] += std::exp(log_joint);
      total += std::exp(log_joint);
    });
    TrainingCheckpoint none(text, options, {});
    const HmmResult result = run_gibbs(text, options, {0, 7 + static_cast<std::uint64_t>(round), none}, {});
    std::map<long, double> visited;
    for (const double log_joint : result.objective) visited[key(log_joint)] += 1.0 / options.iterations;
    for (const auto& [value, share] : visited) ASSERT_TRUE(exact.contains(value)) << "round " << round;
    for (const auto& [value, weight] : exact) {
      EXPECT_NEAR(visited[value], weight / total, 0.012) << "round " << round;
      ++compared;
    }
  }
  EXPECT_GT(compared, 20U);
}

}  // namespace
}  // namespace firth::hmm
