#include "cluster/points/centroids.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "linalg/matrix.hpp"

namespace firth::points {
namespace {

constexpr std::size_t kPanel = 256;  // rows that are multiplied at a time; fixed, so that sums are

double weight_of(std::span<const double> weights, std::size_t row) {
  return weights.empty() ? 1.0 : weights[row];
}

double squared_distance(const ScaledRows& rows, std::size_t row, const float* mean) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.rows.columns; ++i) {
    const double difference = static_cast<double>(rows.at(row, i)) - static_cast<double>(mean[i]);
    sum += difference * difference;
  }
  return sum;
}

/// -|mean|^2 / 2 of every class: with it, the nearest mean has the largest dot product.
std::vector<float> offsets_of(const Centroids& centroids) {
  std::vector<float> offsets;
  for (std::size_t c = 0; c < centroids.size(); ++c) {
    double square = 0;
    for (const float value : std::span(centroids.view().row(c), centroids.dimensions))
      square += static_cast<double>(value) * static_cast<double>(value);
    offsets.push_back(static_cast<float>(-square / 2));
  }
  return offsets;
}

/// The two classes with the largest scores of those that weigh something; kNoClass for the second if there is only
/// one.
std::pair<ClassId, ClassId> best_two(std::span<const float> scores, std::span<const double> weights) {
  ClassId best = kNoClass;
  ClassId second = kNoClass;
  for (ClassId c = 0; c < scores.size(); ++c) {
    if (weights[c] == 0) continue;
    if (best == kNoClass || scores[c] > scores[best]) {
      second = best;
      best = c;
    } else if (second == kNoClass || scores[c] > scores[second]) {
      second = c;
    }
  }
  return {best, second};
}

/// Dot products of a panel of rows with all means.
class Panel {
 public:
  Panel(const ScaledRows& rows, const Centroids& centroids)
      : rows_(rows), centroids_(centroids), products_(kPanel, centroids.size()) {}

  void multiply(std::size_t begin, std::size_t height) {
    const auto block = rows_.rows.block(begin, height, 0, rows_.rows.columns);
    linalg::multiply_by_transposed<float>(1, block, centroids_.view(), 0,
                                          products_.view().block(0, height, 0, centroids_.size()));
  }

  /// Scores of row begin + i.
  std::span<const float> scores(std::size_t begin, std::size_t i, std::span<const float> offsets) {
    float* row = products_.row(i);
    const float scale = rows_.scale(begin + i);
    for (std::size_t c = 0; c < offsets.size(); ++c) row[c] = scale * row[c] + offsets[c];
    return {row, offsets.size()};
  }

 private:
  const ScaledRows& rows_;
  const Centroids& centroids_;
  linalg::Matrix<float> products_;
};

}  // namespace

Centroids centroids(const ScaledRows& rows, std::span<const ClassId> classes, std::span<const double> weights,
                    ClassId count) {
  const std::size_t columns = rows.rows.columns;
  Centroids result{columns, std::vector<float>(count * columns), std::vector<double>(count)};
  std::vector<double> sums(count * columns);
  for (std::size_t i = 0; i < rows.rows.rows; ++i) {
    if (classes[i] == kNoClass) continue;
    const double weight = weight_of(weights, i);
    result.weights[classes[i]] += weight;
    double* sum = sums.data() + classes[i] * columns;
    for (std::size_t j = 0; j < columns; ++j) sum[j] += weight * static_cast<double>(rows.at(i, j));
  }
  for (ClassId c = 0; c < count; ++c) {
    if (result.weights[c] == 0) continue;
    for (std::size_t j = 0; j < columns; ++j)
      result.means[c * columns + j] = static_cast<float>(sums[c * columns + j] / result.weights[c]);
  }
  return result;
}

double sum_of_squares(const ScaledRows& rows, std::span<const ClassId> classes,
                      std::span<const double> weights, const Centroids& centroids) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.rows.rows; ++i)
    sum += weight_of(weights, i) * squared_distance(rows, i, centroids.view().row(classes[i]));
  return sum;
}

std::vector<NearestClass> nearest(const ScaledRows& rows, const Centroids& centroids, const RunOptions& run) {
  const linalg::SingleThreadedBlas one_thread;
  const std::vector<float> offsets = offsets_of(centroids);
  std::vector<NearestClass> result(rows.rows.rows);
  base::parallel_for(rows.rows.rows, kPanel, run.threads, [&](std::size_t begin, std::size_t end) {
    run.check_stop();
    Panel panel(rows, centroids);
    panel.multiply(begin, end - begin);
    for (std::size_t i = begin; i < end; ++i) {
      const auto [best, second] = best_two(panel.scores(begin, i - begin, offsets), centroids.weights);
      const double distance = std::sqrt(squared_distance(rows, i, centroids.view().row(best)));
      const double next = second == kNoClass
                              ? std::numeric_limits<double>::infinity()
                              : std::sqrt(squared_distance(rows, i, centroids.view().row(second)));
      result[i] = {best, distance, next - distance};
    }
  });
  return result;
}

}  // namespace firth::points
