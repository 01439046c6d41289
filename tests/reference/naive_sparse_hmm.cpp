#include "reference/naive_sparse_hmm.hpp"

#include <cmath>
#include <map>
#include <utility>

#include "reference/naive_hmm.hpp"

namespace firth::reference {
namespace {

using Rows = std::vector<std::vector<double>>;  // token, state

struct Point {
  double value = 0;
  Rows probabilities;
};

std::size_t token_count(const Sentences& sentences) {
  std::size_t tokens = 0;
  for (const auto& sentence : sentences) tokens += sentence.size();
  return tokens;
}

Point evaluate(const HmmModel& model, const Sentences& sentences, const Rows& penalties) {
  Point point{0, Rows(penalties.size(), std::vector<double>(model.states))};
  std::size_t first = 0;
  for (const auto& sentence : sentences) {
    double sum = 0;
    for_each_path(model.states, sentence.size(), [&](std::span<const std::uint32_t> path) {
      double p = joint_probability(model, sentence, path);
      for (std::size_t t = 0; t < path.size(); ++t) p *= std::exp(-penalties[first + t][path[t]]);
      for (std::size_t t = 0; t < path.size(); ++t) point.probabilities[first + t][path[t]] += p;
      sum += p;
    });
    for (std::size_t t = 0; t < sentence.size(); ++t) {
      for (double& p : point.probabilities[first + t]) p /= sum;
    }
    point.value += std::log(sum);
    first += sentence.size();
  }
  return point;
}

/// The corner of the polytope that the gradient points to: all of sigma on the likeliest token of each word and state.
Rows best_corner(const Sentences& sentences, const Rows& probabilities, double sigma) {
  Rows corner(probabilities.size(), std::vector<double>(probabilities[0].size()));
  std::map<std::pair<WordId, std::size_t>, std::size_t> likeliest;
  std::size_t token = 0;
  for (const auto& sentence : sentences) {
    for (const WordId word : sentence) {
      for (std::size_t state = 0; state < probabilities[token].size(); ++state) {
        const auto [place, is_new] = likeliest.try_emplace({word, state}, token);
        if (probabilities[token][state] > probabilities[place->second][state]) place->second = token;
      }
      ++token;
    }
  }
  for (const auto& [key, best] : likeliest) corner[best][key.second] = sigma;
  return corner;
}

Rows between(const Rows& a, const Rows& b, double share) {
  Rows result = a;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < a[i].size(); ++k) result[i][k] += share * (b[i][k] - a[i][k]);
  }
  return result;
}

}  // namespace

SparseMinimum solve_sparse(const HmmModel& model, const Sentences& sentences, double sigma,
                           std::size_t iterations) {
  Rows penalties(token_count(sentences), std::vector<double>(model.states));
  SparseMinimum found;
  for (std::size_t i = 0; i < iterations; ++i) {
    const Point point = evaluate(model, sentences, penalties);
    const Rows corner = best_corner(sentences, point.probabilities, sigma);
    found = {point.value, 0};
    for (std::size_t t = 0; t < penalties.size(); ++t) {
      for (std::size_t k = 0; k < model.states; ++k) {
        found.gap += point.probabilities[t][k] * (corner[t][k] - penalties[t][k]);
      }
    }
    double low = 0;
    double high = 1;
    for (int halving = 0; halving < 40; ++halving) {
      const double left = low + (high - low) / 3;
      const double right = high - (high - low) / 3;
      const bool falls = evaluate(model, sentences, between(penalties, corner, left)).value >
                         evaluate(model, sentences, between(penalties, corner, right)).value;
      (falls ? low : high) = falls ? left : right;
    }
    penalties = between(penalties, corner, low);
  }
  return found;
}

}  // namespace firth::reference
