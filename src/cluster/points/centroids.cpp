#include "cluster/points/centroids.hpp"

#include <algorithm>
#include <limits>

#include "base/parallel.hpp"

namespace firth::points {
namespace {

constexpr std::size_t kRowsPerPiece = 256;

double weight_of(std::span<const double> weights, std::size_t row) {
  return weights.empty() ? 1.0 : weights[row];
}

double squared_distance(const float* a, const float* b, std::size_t size) {
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    sum += difference * difference;
  }
  return sum;
}

}  // namespace

Centroids centroids(linalg::View<const float> rows, std::span<const ClassId> classes,
                    std::span<const double> weights, ClassId count) {
  Centroids result{rows.columns, std::vector<float>(count * rows.columns), std::vector<double>(count)};
  std::vector<double> sums(count * rows.columns);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    if (classes[i] == kNoClass) continue;
    const double weight = weight_of(weights, i);
    result.weights[classes[i]] += weight;
    double* sum = sums.data() + classes[i] * rows.columns;
    for (std::size_t j = 0; j < rows.columns; ++j) sum[j] += weight * static_cast<double>(rows.row(i)[j]);
  }
  for (ClassId c = 0; c < count; ++c) {
    if (result.weights[c] == 0) continue;
    for (std::size_t j = 0; j < rows.columns; ++j) {
      result.means[c * rows.columns + j] = static_cast<float>(sums[c * rows.columns + j] / result.weights[c]);
    }
  }
  return result;
}

double sum_of_squares(linalg::View<const float> rows, std::span<const ClassId> classes,
                      std::span<const double> weights, const Centroids& centroids) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const float* mean = centroids.means.data() + classes[i] * rows.columns;
    sum += weight_of(weights, i) * squared_distance(rows.row(i), mean, rows.columns);
  }
  return sum;
}

std::vector<ClassId> nearest(linalg::View<const float> rows, const Centroids& centroids,
                             const RunOptions& run) {
  std::vector<ClassId> result(rows.rows, kNoClass);
  base::parallel_for(rows.rows, kRowsPerPiece, run.threads, [&](std::size_t begin, std::size_t end) {
    run.check_stop();
    for (std::size_t i = begin; i < end; ++i) {
      double least = std::numeric_limits<double>::infinity();
      for (ClassId c = 0; c < centroids.size(); ++c) {
        if (centroids.weights[c] == 0) continue;
        const double distance = squared_distance(rows.row(i), centroids.view().row(c), rows.columns);
        if (distance >= least) continue;
        least = distance;
        result[i] = c;
      }
    }
  });
  return result;
}

}  // namespace firth::points
