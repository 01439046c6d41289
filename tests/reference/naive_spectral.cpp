#include "reference/naive_spectral.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "base/rng.hpp"

namespace firth::reference {
namespace {

Eigen::MatrixXd dense(const PairCounts& pairs) {
  const auto n = static_cast<Eigen::Index>(pairs.rows());
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
  for (WordId left = 0; left < pairs.rows(); ++left) {
    for (std::size_t i = 0; i < pairs.right_words(left).size(); ++i) {
      matrix(left, pairs.right_words(left)[i]) = static_cast<double>(pairs.right_counts(left)[i]);
    }
  }
  return matrix;
}

double inverse_root(double value) {
  return value > 0 ? 1 / std::sqrt(value) : 0.0;
}

struct NaiveCluster {
  std::uint32_t node;
  std::uint32_t first_word;
  std::vector<std::size_t> words;
};

Eigen::VectorXd mean_of(const NaiveCluster& cluster, const Eigen::MatrixXd& vectors,
                        std::span<const double> weights, double* total) {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(vectors.cols());
  *total = 0;
  for (const std::size_t word : cluster.words) {
    const double weight = weights.empty() ? 1.0 : weights[word];
    sum += weight * vectors.row(static_cast<Eigen::Index>(word)).transpose();
    *total += weight;
  }
  return sum / *total;
}

double ward_cost(const NaiveCluster& a, const NaiveCluster& b, const Eigen::MatrixXd& vectors,
                 std::span<const double> weights) {
  double weight_a = 0;
  double weight_b = 0;
  const Eigen::VectorXd difference =
      mean_of(a, vectors, weights, &weight_a) - mean_of(b, vectors, weights, &weight_b);
  return weight_a * weight_b / (weight_a + weight_b) * difference.squaredNorm();
}

Eigen::VectorXd random_distribution(base::Rng& rng, Eigen::Index size, double power) {
  Eigen::VectorXd values(size);
  for (Eigen::Index i = 0; i < size; ++i) values(i) = std::pow(-std::log(1 - rng.uniform()), power) + 1e-3;
  return values / values.sum();
}

std::size_t draw(base::Rng& rng, const std::vector<double>& cumulative) {
  const double u = rng.uniform() * cumulative.back();
  const auto found = std::upper_bound(cumulative.begin(), cumulative.end(), u);
  return static_cast<std::size_t>(std::min(found, cumulative.end() - 1) - cumulative.begin());
}

std::vector<double> cumulative_sums(const Eigen::VectorXd& values) {
  std::vector<double> sums(static_cast<std::size_t>(values.size()));
  std::partial_sum(values.begin(), values.end(), sums.begin());
  return sums;
}

/// Words renamed by falling count, and what they were called before.
Vocabulary ranked_vocabulary(const std::vector<Count>& counts, std::vector<WordId>* rank) {
  std::vector<std::pair<std::string, Count>> named;
  for (std::size_t i = 0; i < counts.size(); ++i) named.emplace_back(fmt::format("w{:06}", i), counts[i]);
  Vocabulary vocabulary = Vocabulary::from_words(named);
  const WordIndex index(vocabulary);
  rank->resize(counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) (*rank)[i] = *index.find(named[i].first);
  return vocabulary;
}

void set_truth(const BrownModel& model, const std::vector<WordId>& rank, std::vector<ClassId>* truth) {
  truth->resize(rank.size());
  for (std::size_t word = 0; word < rank.size(); ++word) (*truth)[rank[word]] = model.classes[word];
}

}  // namespace

Eigen::MatrixXd naive_omega(const Counts& counts, std::span<const int> context, double kappa) {
  const auto n = static_cast<Eigen::Index>(counts.vocabulary().size());
  Eigen::MatrixXd omega(n, n * static_cast<Eigen::Index>(context.size()));
  Eigen::Index column = 0;
  for (const int offset : context) {
    Eigen::MatrixXd b = dense(counts.pairs_at(std::abs(offset)));
    if (offset < 0) b.transposeInPlace();
    for (Eigen::Index x = 0; x < n; ++x) {
      const double u =
          inverse_root(static_cast<double>(counts.vocabulary().count(static_cast<WordId>(x))) + kappa);
      for (Eigen::Index y = 0; y < n; ++y) {
        omega(x, column + y) = u * b(x, y) * inverse_root(b.col(y).sum() + kappa);
      }
    }
    column += n;
  }
  return omega;
}

std::vector<NaiveWardMerge> naive_windowed_ward(const Eigen::MatrixXd& vectors,
                                                std::span<const double> weights, std::size_t window) {
  const auto n = static_cast<std::size_t>(vectors.rows());
  std::vector<NaiveCluster> clusters;
  std::vector<NaiveWardMerge> merges;
  std::size_t next = 0;
  while (merges.size() + 1 < n) {
    while (next < n && clusters.size() < window + 1) {
      clusters.push_back({static_cast<std::uint32_t>(next), static_cast<std::uint32_t>(next), {next}});
      ++next;
    }
    NaiveWardMerge best{0, 0, std::numeric_limits<double>::infinity(),
                        std::numeric_limits<double>::infinity()};
    std::size_t best_a = 0;
    std::size_t best_b = 0;
    for (std::size_t a = 0; a < clusters.size(); ++a) {
      for (std::size_t b = a + 1; b < clusters.size(); ++b) {
        const double cost = ward_cost(clusters[a], clusters[b], vectors, weights);
        if (cost < best.cost) {
          best.runner_up = best.cost;
          best.cost = cost;
          best_a = a;
          best_b = b;
        } else {
          best.runner_up = std::min(best.runner_up, cost);
        }
      }
    }
    NaiveCluster& a = clusters[best_a];
    NaiveCluster& b = clusters[best_b];
    best.left = a.first_word < b.first_word ? a.node : b.node;
    best.right = a.first_word < b.first_word ? b.node : a.node;
    a.words.insert(a.words.end(), b.words.begin(), b.words.end());
    a.first_word = std::min(a.first_word, b.first_word);
    a.node = static_cast<std::uint32_t>(n + merges.size());
    clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(best_b));
    merges.push_back(best);
  }
  return merges;
}

BrownModel random_model(std::size_t words, std::size_t classes, double peak, std::uint64_t seed) {
  base::Rng rng(seed);
  const auto n = static_cast<Eigen::Index>(words);
  const auto m = static_cast<Eigen::Index>(classes);
  BrownModel model{std::vector<ClassId>(words), Eigen::VectorXd(n), Eigen::MatrixXd(m, m),
                   random_distribution(rng, m, 1)};
  std::vector<double> total(classes, 0.0);
  for (std::size_t x = 0; x < words; ++x) {
    model.classes[x] = static_cast<ClassId>(x % classes);
    model.emission(static_cast<Eigen::Index>(x)) = 0.3 - std::log(1 - rng.uniform());
    total[model.classes[x]] += model.emission(static_cast<Eigen::Index>(x));
  }
  for (std::size_t x = 0; x < words; ++x)
    model.emission(static_cast<Eigen::Index>(x)) /= total[model.classes[x]];
  for (Eigen::Index c = 0; c < m; ++c) {
    model.transition.col(c) = (1 - peak) * random_distribution(rng, m, 2);
    model.transition((c + 1) % m, c) += peak;
  }
  return model;
}

Counts sample_counts(const BrownModel& model, std::size_t tokens, std::vector<int> distances,
                     std::uint64_t seed, std::vector<ClassId>* truth) {
  base::Rng rng(seed);
  const auto m = static_cast<std::size_t>(model.start.size());
  std::vector<std::vector<double>> next;
  std::vector<std::vector<std::size_t>> members(m);
  std::vector<std::vector<double>> emit(m);
  for (std::size_t c = 0; c < m; ++c)
    next.push_back(cumulative_sums(model.transition.col(static_cast<Eigen::Index>(c))));
  for (std::size_t x = 0; x < model.classes.size(); ++x) {
    std::vector<double>& sums = emit[model.classes[x]];
    members[model.classes[x]].push_back(x);
    sums.push_back((sums.empty() ? 0.0 : sums.back()) + model.emission(static_cast<Eigen::Index>(x)));
  }
  std::vector<std::size_t> text(tokens);
  std::vector<Count> counts(model.classes.size(), 0);
  std::size_t c = draw(rng, cumulative_sums(model.start));
  for (std::size_t& word : text) {
    word = members[c][draw(rng, emit[c])];
    ++counts[word];
    c = draw(rng, next[c]);
  }
  std::vector<WordId> rank;
  const Vocabulary vocabulary = ranked_vocabulary(counts, &rank);
  std::vector<PairCounts> pairs;
  for (const int distance : distances) {
    std::vector<PairCount> found;
    for (std::size_t i = static_cast<std::size_t>(distance); i < tokens; ++i) {
      found.push_back({rank[text[i - static_cast<std::size_t>(distance)]], rank[text[i]], 1});
    }
    pairs.push_back(PairCounts::from_pairs(counts.size(), std::move(found)));
  }
  set_truth(model, rank, truth);
  return {vocabulary, std::move(distances), std::move(pairs), CountsInfo{.tokens = tokens, .sequences = 1}};
}

Counts population_counts(const BrownModel& model, std::vector<int> distances, std::vector<ClassId>* truth) {
  constexpr double kTokens = 1e17;
  // Stationary, so that one vector u serves every offset.
  Eigen::VectorXd stationary = model.start;
  for (int i = 0; i < 4000; ++i) stationary = (0.5 * (model.transition * stationary + stationary)).eval();
  const std::size_t n = model.classes.size();
  std::vector<Count> counts(n);
  for (std::size_t x = 0; x < n; ++x) {
    counts[x] = static_cast<Count>(
        std::llround(kTokens * model.emission(static_cast<Eigen::Index>(x)) * stationary(model.classes[x])));
  }
  std::vector<WordId> rank;
  const Vocabulary vocabulary = ranked_vocabulary(counts, &rank);
  std::vector<PairCounts> pairs;
  for (const int distance : distances) {
    Eigen::MatrixXd power = Eigen::MatrixXd::Identity(model.transition.rows(), model.transition.cols());
    for (int i = 0; i < distance; ++i) power = (model.transition * power).eval();
    std::vector<PairCount> found;
    for (std::size_t x = 0; x < n; ++x) {
      for (std::size_t y = 0; y < n; ++y) {
        const double p = stationary(model.classes[x]) * model.emission(static_cast<Eigen::Index>(x)) *
                         power(model.classes[y], model.classes[x]) *
                         model.emission(static_cast<Eigen::Index>(y));
        found.push_back({rank[x], rank[y], static_cast<Count>(std::llround(kTokens * p))});
      }
    }
    pairs.push_back(PairCounts::from_pairs(n, std::move(found)));
  }
  set_truth(model, rank, truth);
  return {vocabulary, std::move(distances), std::move(pairs),
          CountsInfo{.tokens = static_cast<Count>(kTokens), .sequences = 1}};
}

std::size_t misplaced(std::span<const ClassId> found, std::span<const ClassId> truth) {
  std::map<ClassId, std::map<ClassId, std::size_t>> by_cluster;
  std::map<ClassId, std::map<ClassId, std::size_t>> by_class;
  for (std::size_t i = 0; i < found.size(); ++i) {
    ++by_cluster[found[i]][truth[i]];
    ++by_class[truth[i]][found[i]];
  }
  const auto most = [](const std::map<ClassId, std::size_t>& shares) {
    return std::max_element(shares.begin(), shares.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
  };
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (most(by_cluster[found[i]]) != truth[i] || most(by_class[truth[i]]) != found[i]) ++wrong;
  }
  return wrong;
}

}  // namespace firth::reference
