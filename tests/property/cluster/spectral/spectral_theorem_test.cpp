// Lemmas 5.1 and 5.2, Theorem 5.2 and Appendix C of Stratos et al. 2014, on random models.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "base/rng.hpp"
#include "firth/spectral.hpp"
#include "reference/naive_spectral.hpp"

namespace firth {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using reference::BrownModel;

/// The exact matrices of section 5: B, u, v and Omega, for pairs whose first word has the model's start.
struct Population {
  explicit Population(const BrownModel& model) : classes(model.classes) {
    const auto n = static_cast<Index>(model.classes.size());
    emission = MatrixXd::Zero(n, model.start.size());
    for (Index x = 0; x < n; ++x) emission(x, model.classes[static_cast<std::size_t>(x)]) = model.emission(x);
    pairs = emission * model.start.asDiagonal() * (emission * model.transition).transpose();
    u = emission * model.start;
    v = emission * model.transition * model.start;
    omega = scaled(pairs);
    second = (emission * model.transition * model.start.asDiagonal().toDenseMatrix().cwiseSqrt());
    second = v.cwiseSqrt().cwiseInverse().asDiagonal() * second;
    singular = Eigen::JacobiSVD<MatrixXd>(omega).singularValues();
  }
  MatrixXd scaled(const MatrixXd& matrix) const {
    return u.cwiseSqrt().cwiseInverse().asDiagonal() * matrix * v.cwiseSqrt().cwiseInverse().asDiagonal();
  }
  double sigma() const { return singular(emission.cols() - 1); }
  /// The largest error of Omega, relative to sigma, that Theorem 5.2 allows.
  double allowed() const { return 0.07 * std::sqrt((emission.rowwise().maxCoeff()).minCoeff()); }

  std::vector<ClassId> classes;
  MatrixXd emission;  // O
  MatrixXd pairs;     // B
  VectorXd u, v;
  MatrixXd omega;
  MatrixXd second;  // A~
  VectorXd singular;
};

double norm(const MatrixXd& matrix) {
  return Eigen::JacobiSVD<MatrixXd>(matrix).singularValues()(0);
}

/// Figure 4, steps 2 and 3.
MatrixXd embedding(const MatrixXd& omega, Index classes) {
  const Eigen::JacobiSVD<MatrixXd> svd(omega, Eigen::ComputeThinU);
  return svd.matrixU().leftCols(classes).rowwise().normalized();
}

/// Whether every word is nearer to all words of its class than to any other word.
bool separates(const MatrixXd& rows, const std::vector<ClassId>& classes) {
  for (Index x = 0; x < rows.rows(); ++x) {
    double inside = 0;
    double outside = 10;
    for (Index y = 0; y < rows.rows(); ++y) {
      const double distance = (rows.row(x) - rows.row(y)).norm();
      const bool same = classes[static_cast<std::size_t>(x)] == classes[static_cast<std::size_t>(y)];
      (same ? inside : outside) = same ? std::max(inside, distance) : std::min(outside, distance);
    }
    if (inside >= outside) return false;
  }
  return true;
}

TEST(SpectralTheorems, Lemmas51And52) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Population exact(reference::random_model(30, 2 + seed % 5, 0.3, seed));
    const MatrixXd root = exact.emission.cwiseSqrt();
    const MatrixXd identity = MatrixXd::Identity(root.cols(), root.cols());
    EXPECT_LT((exact.omega - root * exact.second.transpose()).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((root.transpose() * root - identity).cwiseAbs().maxCoeff(), 1e-12);
  }
}

/// Any Omega^ as far from Omega as the theorem allows: noise in all directions, and noise of rank one.
TEST(SpectralTheorems, Theorem52DistancesSeparateUnderItsCondition) {
  base::Rng rng(1);
  std::size_t failed_beyond = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Population exact(reference::random_model(24, 2 + seed % 4, 0.4, seed));
    const auto n = static_cast<Index>(exact.classes.size());
    if (exact.sigma() < 1e-3) continue;
    const Index rank = seed % 2 == 0 ? n : 1;
    const MatrixXd noise = MatrixXd::NullaryExpr(n, rank, [&] { return rng.uniform() - 0.5; }) *
                           MatrixXd::NullaryExpr(rank, n, [&] { return rng.uniform() - 0.5; });
    const MatrixXd unit = noise / norm(noise);
    const double most = exact.allowed() * exact.sigma();
    EXPECT_TRUE(separates(embedding(exact.omega + most * unit, exact.emission.cols()), exact.classes))
        << seed;
    if (!separates(embedding(exact.omega + 100 * most * unit, exact.emission.cols()), exact.classes))
      ++failed_beyond;
  }
  EXPECT_GT(failed_beyond, 10U);  // the condition says something
}

/// N sentences of two words each (Appendix C).
MatrixXd sample_pairs(const Population& exact, std::size_t count, base::Rng& rng) {
  std::vector<double> sums;
  const double* cells = exact.pairs.data();
  for (Index i = 0; i < exact.pairs.size(); ++i) sums.push_back((sums.empty() ? 0 : sums.back()) + cells[i]);
  MatrixXd found = MatrixXd::Zero(exact.pairs.rows(), exact.pairs.cols());
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = std::upper_bound(sums.begin(), sums.end(), rng.uniform() * sums.back()) - sums.begin();
    found.data()[std::min<std::ptrdiff_t>(at, found.size() - 1)] += 1;
  }
  return found / static_cast<double>(count);
}

/// The error of Omega^ and what equations 11 and 12 bound it by.
struct OmegaError {
  OmegaError(const Population& exact, const MatrixXd& pairs) {
    const VectorXd u = pairs.rowwise().sum();
    const VectorXd v = pairs.colwise().sum();
    if (u.minCoeff() <= 0 || v.minCoeff() <= 0) return;
    const MatrixXd omega =
        u.cwiseSqrt().cwiseInverse().asDiagonal() * pairs * v.cwiseSqrt().cwiseInverse().asDiagonal();
    error = norm(omega - exact.omega);
    const double e1 = (1 - (u.array() / exact.u.array()).sqrt()).abs().maxCoeff();
    const double e2 = (1 - (v.array() / exact.v.array()).sqrt()).abs().maxCoeff();
    if (e1 + e2 >= 1) return;
    bound =
        ((e1 + e2 + e1 * e2) * exact.singular(0) + norm(exact.scaled(pairs - exact.pairs))) / (1 - e1 - e2);
  }
  double error = 0;
  double bound = 0;  // 0: not defined, too little text
};

/// Equations 11 and 12 hold for every sample; so does the bound of the matrix Bernstein inequality with c' = 2 and
/// delta = 0.05 (n1 and n2 computed), and the error falls as the root of N: 16 times the sentences, a quarter.
TEST(SpectralTheorems, AppendixCBoundsTheErrorOfOmega) {
  base::Rng rng(3);
  double ratio = 0;
  std::size_t bounded = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Population exact(reference::random_model(12, 3, 0.3, seed));
    const MatrixXd lift = exact.pairs.array() / (exact.u * exact.v.transpose()).array();
    const double n12 = std::max(lift.rowwise().sum().maxCoeff(), lift.colwise().sum().maxCoeff());
    std::vector<double> errors;
    for (const std::size_t count : {8000U, 128000U}) {
      const MatrixXd pairs = sample_pairs(exact, count, rng);
      const OmegaError found(exact, pairs);
      ASSERT_GT(found.error, 0);
      errors.push_back(found.error);
      const double words = std::log(12 / 0.05) / static_cast<double>(count);
      const double least = std::sqrt(exact.u.minCoeff() * exact.v.minCoeff());
      const double bernstein =
          2 * (std::sqrt(n12 * words) + words / least) + 2 * exact.singular(0) * (std::sqrt(words) + words);
      EXPECT_LT(norm(exact.scaled(pairs - exact.pairs)), bernstein) << seed;
      if (found.bound == 0) continue;
      EXPECT_LE(found.error, found.bound) << seed;
      ++bounded;
    }
    ratio += std::log(errors[1] / errors[0]) / 12;
  }
  EXPECT_NEAR(std::exp(ratio), 0.25, 0.04);
  EXPECT_GT(bounded, 12U);
}

/// The product on samples that fulfil the condition, and that it is fulfilled from some N on.
TEST(SpectralTheorems, EmbeddingsOfEnoughTextSeparate) {
  std::size_t fulfilled = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const BrownModel model = reference::random_model(8, 2, 0.6, seed);
    std::vector<ClassId> truth;
    std::vector<ClassId> exact_truth;
    const Counts exact = reference::population_counts(model, {1}, &exact_truth);
    const std::vector<int> right = {1};
    const MatrixXd omega = reference::naive_omega(exact, right, 0);
    const double sigma = Eigen::JacobiSVD<MatrixXd>(omega).singularValues()(1);
    const Counts counts = reference::sample_counts(model, 1000000, {1}, seed, &truth);
    if (truth != exact_truth) continue;  // words have other ranks: matrices do not compare
    const double error = norm(reference::naive_omega(counts, right, 0) - omega);
    if (error / sigma > 0.07 * std::sqrt(model.emission.minCoeff())) continue;
    ++fulfilled;
    EmbedOptions options;
    options.dimensions = 2;
    options.context = {1};
    options.kappa = 0;
    const WordVectors vectors = embed_words(counts, options, {});
    MatrixXd rows(8, 2);
    for (WordId x = 0; x < 8; ++x)
      for (std::size_t j = 0; j < 2; ++j) rows(x, static_cast<Index>(j)) = double{vectors.row(x)[j]};
    EXPECT_TRUE(separates(rows, truth)) << seed;
  }
  EXPECT_GE(fulfilled, 2U);
}

}  // namespace
}  // namespace firth
