#include "reference/naive_svd2.hpp"

#include <algorithm>
#include <set>

namespace firth::reference {
namespace {

void normalise(Eigen::MatrixXd& rows, Eigen::Index width) {
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    for (Eigen::Index begin = 0; begin < rows.cols(); begin += width) {
      const double length = rows.row(i).segment(begin, width).norm();
      if (length > 1e-9) rows.row(i).segment(begin, width) /= length;
    }
  }
}

Eigen::MatrixXd both_sides(const Counts& counts, std::span<const ClassId> column_of, std::size_t columns,
                           std::size_t rank, const Svd2Options& options) {
  const Eigen::MatrixXd left = naive_descriptors(counts, true, column_of, columns, rank, options);
  const Eigen::MatrixXd right = naive_descriptors(counts, false, column_of, columns, rank, options);
  Eigen::MatrixXd points(left.rows(), 2 * static_cast<Eigen::Index>(rank));
  points << left, right;
  if (options.unit_length) normalise(points, static_cast<Eigen::Index>(rank));
  return points;
}

}  // namespace

Eigen::MatrixXd naive_descriptors(const Counts& counts, bool left, std::span<const ClassId> column_of,
                                  std::size_t columns, std::size_t rank, const Svd2Options& options) {
  const auto words = static_cast<Eigen::Index>(counts.vocabulary().size());
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(words, static_cast<Eigen::Index>(columns));
  for (WordId a = 0; a < counts.vocabulary().size(); ++a) {
    const auto rights = counts.bigrams().right_words(a);
    const auto found = counts.bigrams().right_counts(a);
    for (std::size_t i = 0; i < rights.size(); ++i) {
      const WordId row = left ? rights[i] : a;
      const ClassId column = column_of[left ? a : rights[i]];
      if (column < columns) matrix(row, column) += static_cast<double>(found[i]);
    }
  }
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(matrix, Eigen::ComputeThinU);
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(words, static_cast<Eigen::Index>(rank));
  const Eigen::VectorXd values = svd.singularValues();
  for (Eigen::Index i = 0; i < std::min<Eigen::Index>(static_cast<Eigen::Index>(rank), values.size()); ++i) {
    if (values(i) <= 1e-6 * values(0)) break;
    result.col(i) = svd.matrixU().col(i) * (options.scale ? values(i) : 1);
  }
  // A word without contexts is at the origin, not at the rounding errors around it.
  for (Eigen::Index i = 0; i < words; ++i) {
    if (matrix.row(i).isZero(0)) result.row(i).setZero();
  }
  return result;
}

NaiveKmeans naive_kmeans(const Eigen::MatrixXd& points, Eigen::Index width, std::span<const double> weights,
                         std::size_t clusters, bool unit) {
  NaiveKmeans result;
  Eigen::MatrixXd centroids = points.topRows(static_cast<Eigen::Index>(clusters));
  for (int iteration = 0; iteration < 200; ++iteration) {
    if (unit) normalise(centroids, width);
    std::vector<ClassId> next;
    for (Eigen::Index i = 0; i < points.rows(); ++i) {
      double best = -1e300;
      double second = -1e300;
      ClassId choice = 0;
      for (Eigen::Index c = 0; c < centroids.rows(); ++c) {
        const double score = unit ? points.row(i).dot(centroids.row(c))
                                  : -(points.row(i) - centroids.row(c)).squaredNorm() / 2;
        if (score > best) {
          second = best;
          best = score;
          choice = static_cast<ClassId>(c);
        } else {
          second = std::max(second, score);
        }
      }
      if (clusters > 1) result.min_margin = std::min(result.min_margin, best - second);
      next.push_back(choice);
    }
    if (next == result.cluster_of) break;
    result.cluster_of = next;
    for (Eigen::Index c = 0; c < centroids.rows(); ++c) {
      Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(points.cols());
      double total = 0;
      for (Eigen::Index i = 0; i < points.rows(); ++i) {
        if (next[static_cast<std::size_t>(i)] != static_cast<ClassId>(c)) continue;
        const double weight = weights.empty() ? 1 : weights[static_cast<std::size_t>(i)];
        sum += weight * points.row(i);
        total += weight;
      }
      if (total > 0) centroids.row(c) = sum / total;
    }
  }
  const std::set<ClassId> used(result.cluster_of.begin(), result.cluster_of.end());
  result.all_used = used.size() == clusters;
  return result;
}

NaiveKmeans naive_svd2(const Counts& counts, const Svd2Options& options) {
  const std::size_t words = counts.vocabulary().size();
  std::vector<double> weights;
  if (options.weighted) {
    for (const Count count : counts.vocabulary().counts()) weights.push_back(static_cast<double>(count));
  }
  std::vector<ClassId> columns;
  for (ClassId w = 0; w < words; ++w) columns.push_back(w);
  std::size_t contexts = std::min(options.context_words, words);
  std::size_t rank = std::min(options.rank1, contexts);
  Eigen::MatrixXd points = both_sides(counts, columns, contexts, rank, options);
  double margin = 1e300;
  bool all_used = true;
  if (options.second_pass) {
    contexts = std::min(options.clusters1, words);
    const NaiveKmeans first =
        naive_kmeans(points, static_cast<Eigen::Index>(rank), weights, contexts, options.unit_length);
    margin = first.min_margin;
    all_used = first.all_used;
    rank = std::min(options.rank2, contexts);
    points = both_sides(counts, first.cluster_of, contexts, rank, options);
  }
  NaiveKmeans last =
      naive_kmeans(points, static_cast<Eigen::Index>(rank), weights, options.classes, options.unit_length);
  last.min_margin = std::min(last.min_margin, margin);
  last.all_used = last.all_used && all_used;
  return last;
}

}  // namespace firth::reference
