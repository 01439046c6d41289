#include "linalg/spherical_kmeans.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/group_by.hpp"
#include "base/parallel.hpp"
#include "linalg/matrix.hpp"

namespace firth::linalg {
namespace {

constexpr std::size_t kPanel = 256;  // rows that are multiplied at a time; fixed, so that sums are

/// Clusters without points get those that are farthest from their own centroid, of clusters of several.
template <class Distances>
void fill_empty_clusters(std::vector<std::uint32_t>& cluster_of, std::size_t clusters,
                         const Distances& distances) {
  std::vector<std::size_t> size(clusters);
  for (const std::uint32_t c : cluster_of) ++size[c];
  if (std::find(size.begin(), size.end(), std::size_t{0}) == size.end()) return;
  const std::vector<float> distance = distances();
  std::vector<std::uint32_t> order(cluster_of.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return distance[a] > distance[b]; });
  auto next = order.begin();
  for (std::uint32_t c = 0; c < clusters; ++c) {
    if (size[c] > 0) continue;
    while (size[cluster_of[*next]] < 2) ++next;
    --size[cluster_of[*next]];
    cluster_of[*next++] = c;
    size[c] = 1;
  }
}

class SphericalKmeans {
 public:
  SphericalKmeans(const KmeansProblem& problem, const RunOptions& run)
      : problem_(problem),
        run_(run),
        clusters_(problem.seeds.empty() ? problem.start.rows : problem.seeds.size()),
        centroids_(clusters_, problem.points.columns),
        offsets_(clusters_, 0),
        cluster_of_(problem.points.rows, 0),
        score_of_(problem.points.rows, 0) {
    for (std::size_t c = 0; c < clusters_; ++c) {
      const float* first =
          problem.seeds.empty() ? problem.start.row(c) : problem.points.row(problem.seeds[c]);
      std::copy(first, first + problem.points.columns, centroids_.row(c));
      finish_centroid(c);
    }
  }

  KmeansResult run() {
    KmeansResult result;
    while (!result.converged && result.iterations < problem_.max_iterations) {
      run_.check_stop();
      const std::size_t moved = assign();
      result.objective.push_back(objective());
      result.converged = result.iterations > 0 && (moved == 0 || falls(result.objective));
      if (!result.converged) update();
      ++result.iterations;
    }
    fill_empty_clusters(cluster_of_, clusters_, [&] { return distances(); });
    result.cluster_of = std::move(cluster_of_);
    return result;
  }

 private:
  /// Brings every block to length 1; where distances are Euclidean, keeps |c|^2 / 2 instead.
  void finish_centroid(std::size_t c) {
    const std::size_t width = problem_.points.columns / problem_.blocks;
    float* row = centroids_.row(c);
    double all = 0;
    for (std::size_t block = 0; block < problem_.blocks; ++block) {
      float* part = row + block * width;
      double squares = 0;
      for (std::size_t i = 0; i < width; ++i) squares += double{part[i]} * double{part[i]};
      all += squares;
      if (!problem_.unit || squares == 0) continue;
      const double scale = 1 / std::sqrt(squares);
      for (std::size_t i = 0; i < width; ++i) part[i] = static_cast<float>(part[i] * scale);
    }
    offsets_[c] = problem_.unit ? 0.0F : static_cast<float>(-all / 2);
  }

  /// Every point to its nearest centroid; returns how many changed.
  std::size_t assign() {
    const std::size_t rows = problem_.points.rows;
    const std::size_t panels = (rows + kPanel - 1) / kPanel;
    std::vector<std::size_t> moved(panels);
    base::parallel_for(panels, 1, run_.threads, [&](std::size_t begin, std::size_t end) {
      Matrix<float> products(kPanel, clusters_);
      for (std::size_t panel = begin; panel < end; ++panel) moved[panel] = assign_panel(panel, products);
    });
    return std::accumulate(moved.begin(), moved.end(), std::size_t{0});
  }

  std::size_t assign_panel(std::size_t panel, Matrix<float>& products) {
    const std::size_t begin = panel * kPanel;
    const std::size_t height = std::min(kPanel, problem_.points.rows - begin);
    const View<const float> rows = problem_.points.block(begin, height, 0, problem_.points.columns);
    multiply_by_transposed<float>(1, rows, std::as_const(centroids_).view(), 0,
                                  products.view().block(0, height, 0, clusters_));
    std::size_t moved = 0;
    for (std::size_t i = 0; i < height; ++i) {
      float* scores = products.row(i);
      for (std::size_t c = 0; c < clusters_; ++c) scores[c] += offsets_[c];
      const auto best = static_cast<std::uint32_t>(std::max_element(scores, scores + clusters_) - scores);
      moved += cluster_of_[begin + i] != best ? 1 : 0;
      cluster_of_[begin + i] = best;
      score_of_[begin + i] = scores[best];
    }
    return moved;
  }

  double weight(std::size_t point) const { return problem_.weights.empty() ? 1 : problem_.weights[point]; }

  /// Only rounding makes it fall: then points go to and fro between centroids that are as near.
  static bool falls(const std::vector<double>& objective) {
    return objective.size() > 1 && objective.back() < objective[objective.size() - 2];
  }

  double objective() const {
    double sum = 0;
    for (std::size_t i = 0; i < score_of_.size(); ++i) sum += weight(i) * double{score_of_[i]};
    return sum;
  }

  /// A cluster is summed up by one thread, in order of its points.
  void update() {
    const base::Groups by_cluster(cluster_of_, clusters_);
    base::parallel_for(clusters_, 1, run_.threads, [&](std::size_t first, std::size_t last) {
      for (std::size_t c = first; c < last; ++c) move_centroid(c, by_cluster[c]);
    });
  }

  void move_centroid(std::size_t c, std::span<const std::uint32_t> points) {
    std::vector<double> sum(problem_.points.columns);
    double total = 0;
    for (const std::uint32_t point : points) {
      const float* row = problem_.points.row(point);
      const double w = weight(point);
      total += w;
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += w * double{row[i]};
    }
    if (total <= 0) return;
    for (std::size_t i = 0; i < sum.size(); ++i) centroids_(c, i) = static_cast<float>(sum[i] / total);
    finish_centroid(c);
  }

  /// How far each point is from its centroid.
  std::vector<float> distances() const {
    std::vector<float> distances(score_of_.size());
    for (std::size_t i = 0; i < distances.size(); ++i) {
      const float* row = problem_.points.row(i);
      const float square =
          problem_.unit ? 0 : std::inner_product(row, row + problem_.points.columns, row, 0.0F) / 2;
      distances[i] = square - score_of_[i];
    }
    return distances;
  }

  const KmeansProblem& problem_;
  const RunOptions& run_;
  std::size_t clusters_;
  Matrix<float> centroids_;
  std::vector<float> offsets_;  // added to the dot products of each centroid
  std::vector<std::uint32_t> cluster_of_;
  std::vector<float> score_of_;  // of each point with its centroid
};

}  // namespace

KmeansResult spherical_kmeans(const KmeansProblem& problem, const RunOptions& run) {
  const SingleThreadedBlas one_thread;
  return SphericalKmeans(problem, run).run();
}

std::uint64_t kmeans_bytes(std::size_t points, std::size_t columns, std::size_t clusters) {
  const std::uint64_t panels =
      kPanel * clusters * sizeof(float) * 64;  // one per thread, for 64 threads at most
  return clusters * columns * sizeof(float) + panels + points * 16;
}

}  // namespace firth::linalg
