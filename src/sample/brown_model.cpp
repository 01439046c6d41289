#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/rng.hpp"
#include "firth/error.hpp"
#include "firth/sample.hpp"
#include "sample/syllables.hpp"

namespace firth {
namespace {

constexpr std::uint32_t kMaxClasses = 1u << 14;
// This much of every transition is uniform: every class can follow every other.
constexpr double kUniformShare = 0.02;
constexpr int kMaxIterations = 5000;
constexpr double kTolerance = 1e-14;

double exponential(base::Rng& rng) {
  return -std::log(1.0 - rng.uniform());
}

void normalise(std::span<double> weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
}

/// At least one word per class, the others in shares that differ by up to an order of magnitude.
std::vector<std::uint32_t> draw_class_sizes(const BrownModelOptions& options, base::Rng& rng) {
  std::vector<double> shares(options.classes);
  for (double& share : shares) share = 0.2 + exponential(rng);
  normalise(shares);
  std::vector<std::uint32_t> sizes(options.classes);
  std::uint32_t left = options.words;
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    sizes[c] = 1 + static_cast<std::uint32_t>(shares[c] * (options.words - options.classes));
    left -= sizes[c];
  }
  for (std::size_t c = 0; left > 0; c = (c + 1) % sizes.size(), --left) ++sizes[c];
  return sizes;
}

/// Rows of powers of exponential draws: for contrast 1 exactly Dirichlet(1, ..., 1), for more of it sparser.
std::vector<double> draw_transitions(const BrownModelOptions& options, base::Rng& rng) {
  const std::size_t classes = options.classes;
  std::vector<double> matrix(classes * classes);
  for (std::size_t from = 0; from < classes; ++from) {
    const std::span row = std::span(matrix).subspan(from * classes, classes);
    for (double& weight : row) weight = std::pow(exponential(rng), options.contrast) + 1e-300;
    normalise(row);
    for (double& p : row) p = (1 - kUniformShare) * p + kUniformShare / static_cast<double>(classes);
    normalise(row);
  }
  return matrix;
}

/// The distribution that the transitions leave unchanged, by the power method; the uniform share of every row
/// makes it converge.
std::vector<double> stationary(std::span<const double> matrix, std::size_t classes) {
  std::vector<double> p(classes, 1.0 / static_cast<double>(classes));
  std::vector<double> next(classes);
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    std::fill(next.begin(), next.end(), 0.0);
    for (std::size_t from = 0; from < classes; ++from) {
      const std::span row = matrix.subspan(from * classes, classes);
      for (std::size_t to = 0; to < classes; ++to) next[to] += p[from] * row[to];
    }
    normalise(next);
    double change = 0;
    for (std::size_t c = 0; c < classes; ++c) change += std::abs(next[c] - p[c]);
    p.swap(next);
    if (change < kTolerance) break;
  }
  return p;
}

}  // namespace

void validate(const BrownModelOptions& options) {
  if (options.classes < 1 || options.classes > kMaxClasses) {
    throw UsageError(fmt::format("{} classes are not between 1 and {}", options.classes, kMaxClasses),
                     "ask for another number", "BrownModelOptions::classes");
  }
  if (options.words < options.classes) {
    throw UsageError(fmt::format("{} words cannot make {} classes", options.words, options.classes),
                     "ask for as many words as classes, or more", "BrownModelOptions::words");
  }
  if (!(options.zipf >= 0 && options.zipf <= 10))
    throw UsageError("the Zipf exponent must be from 0 to 10", "", "BrownModelOptions::zipf");
  if (!(options.contrast >= 0 && options.contrast <= 20))
    throw UsageError("the contrast must be from 0 to 20", "", "BrownModelOptions::contrast");
  if (options.sentence_length < 1 || options.sentence_length > 1'000'000) {
    throw UsageError("the sentence length must be from 1 to 1000000", "",
                     "BrownModelOptions::sentence_length");
  }
}

BrownModel::BrownModel(const BrownModelOptions& options, std::uint64_t seed) : options_(options) {
  validate(options);
  base::Rng rng(seed);
  const std::vector<std::uint32_t> sizes = draw_class_sizes(options, rng);
  for (ClassId id = 0; id < sizes.size(); ++id) {
    const std::string last = sample::ending(id, options.classes);
    const std::size_t first = emissions_.size();
    for (std::uint32_t rank = 0; rank < sizes[id]; ++rank) {
      words_.push_back(sample::stem(rank) + last);
      classes_.push_back(id);
      emissions_.push_back(std::pow(rank + 1.0, -options.zipf));
    }
    normalise(std::span(emissions_).subspan(first));
  }
  transitions_ = draw_transitions(options, rng);
  class_probabilities_ = stationary(transitions_, options.classes);
}

}  // namespace firth
