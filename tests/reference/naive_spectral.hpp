// The spectral method as the paper writes it, with dense matrices and no tricks.
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <span>
#include <vector>

#include "firth/counts.hpp"

namespace firth::reference {

/// Omega of Figure 4 and Appendix A: one block of columns for each offset.
Eigen::MatrixXd naive_omega(const Counts& counts, std::span<const int> context, double kappa);

struct NaiveWardMerge {
  std::uint32_t left;  ///< the node with the earlier first word
  std::uint32_t right;
  double cost;
  double runner_up;  ///< cost of the second cheapest pair: how clear the choice was
};

/// Figure 5 by looking at every pair of clusters at every step, from means that are computed anew. Weights
/// empty: 1.
std::vector<NaiveWardMerge> naive_windowed_ward(const Eigen::MatrixXd& vectors,
                                                std::span<const double> weights, std::size_t window);

/// A class-based model as in Section 4 of the paper: every word belongs to one class.
struct BrownModel {
  std::vector<ClassId> classes;  ///< of each word
  Eigen::VectorXd emission;      ///< o(x | C(x))
  Eigen::MatrixXd transition;    ///< t(c' | c) in row c', column c
  Eigen::VectorXd start;         ///< distribution of the first class
};

/// `peak` in [0, 1]: how much of the transitions follows a permutation; 0 = random, 1 = certain.
BrownModel random_model(std::size_t words, std::size_t classes, double peak, std::uint64_t seed);

/// Counts at the given distances of a stream of `tokens` words drawn from the model. Words keep their order
/// by frequency; `truth` gets the class of each.
Counts sample_counts(const BrownModel& model, std::size_t tokens, std::vector<int> distances,
                     std::uint64_t seed, std::vector<ClassId>* truth);

/// The counts of an infinite text: probabilities of pairs at each distance times a number so large that
/// rounding does not show.
Counts population_counts(const BrownModel& model, std::vector<int> distances, std::vector<ClassId>* truth);

/// Words that are not in the majority class of their cluster or not in the largest cluster of their class: 0
/// means that clusters are the true classes.
std::size_t misplaced(std::span<const ClassId> found, std::span<const ClassId> truth);

}  // namespace firth::reference
