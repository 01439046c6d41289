#include "cluster/spectral/divide.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "base/stage.hpp"

namespace firth::spectral {
namespace {

constexpr int kMaxRounds = 12;
constexpr std::size_t kRowsAtATime = 1024;
constexpr std::size_t kSumLanes = 8;

struct Part {
  std::vector<std::uint32_t> rows;
  double spread = 0;  ///< weighted sum of squared distances from the mean
};

template <typename T>
double square_distance(const T* x, const std::vector<double>& mean) {
  double lanes[kSumLanes] = {};
  const std::size_t whole = mean.size() / kSumLanes * kSumLanes;
  for (std::size_t j = 0; j < whole; j += kSumLanes) {
    for (std::size_t lane = 0; lane < kSumLanes; ++lane) {
      const double difference = static_cast<double>(x[j + lane]) - mean[j + lane];
      lanes[lane] += difference * difference;
    }
  }
  double sum = 0;
  for (const double lane : lanes) sum += lane;
  for (std::size_t j = whole; j < mean.size(); ++j) {
    const double difference = static_cast<double>(x[j]) - mean[j];
    sum += difference * difference;
  }
  return sum;
}

template <typename T>
class Divider {
 public:
  Divider(const DivideInput<T>& input, const RunOptions& run) : input_(input), run_(run) {}

  Division divide() {
    Part all;
    all.rows.resize(input_.vectors.rows);
    for (std::uint32_t i = 0; i < all.rows.size(); ++i) all.rows[i] = i;
    all.spread = spread(all.rows);
    parts_.push_back(std::move(all));
    // The largest spread first; of equals the one made first.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> splits;
    base::Stage stage(run_, "splitting", "classes", input_.classes);
    while (parts_.size() < input_.classes) {
      const auto widest = static_cast<std::uint32_t>(
          std::max_element(parts_.begin(), parts_.end(), less_splittable) - parts_.begin());
      Part second = split(parts_[widest]);
      parts_.push_back(std::move(second));
      splits.emplace_back(widest, static_cast<std::uint32_t>(parts_.size() - 1));
      stage.advance(parts_.size());
    }
    stage.end();
    return assemble(splits);
  }

 private:
  static bool less_splittable(const Part& a, const Part& b) {
    const bool can_a = a.rows.size() > 1;
    const bool can_b = b.rows.size() > 1;
    return can_a != can_b ? can_b : a.spread < b.spread;
  }

  double weight(std::uint32_t row) const { return input_.weights.empty() ? 1.0 : input_.weights[row]; }
  const T* vector(std::uint32_t row) const { return input_.vectors.row(row); }

  std::vector<double> mean(const std::vector<std::uint32_t>& rows) const {
    std::vector<double> sum(input_.vectors.columns, 0.0);
    double total = 0;
    for (const std::uint32_t row : rows) {
      const T* x = vector(row);
      const double w = weight(row);
      total += w;
      for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += w * static_cast<double>(x[j]);
    }
    for (double& value : sum) value /= total;
    return sum;
  }

  /// Squared distance of each row from a point; by index, so that threads do not matter.
  std::vector<double> distances(const std::vector<std::uint32_t>& rows,
                                const std::vector<double>& point) const {
    std::vector<double> result(rows.size());
    base::parallel_for(rows.size(), kRowsAtATime, run_.threads, [&](std::size_t begin, std::size_t end) {
      run_.check_stop();
      for (std::size_t i = begin; i < end; ++i) result[i] = square_distance(vector(rows[i]), point);
    });
    return result;
  }

  double spread(const std::vector<std::uint32_t>& rows) const {
    const std::vector<double> squares = distances(rows, mean(rows));
    double sum = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) sum += weight(rows[i]) * squares[i];
    return sum;
  }

  std::vector<double> farthest(const std::vector<std::uint32_t>& rows,
                               const std::vector<double>& point) const {
    std::vector<double> squares = distances(rows, point);
    // Weighted, so that one odd rare word does not become a class.
    for (std::size_t i = 0; i < rows.size(); ++i) squares[i] *= weight(rows[i]);
    const auto found =
        static_cast<std::size_t>(std::max_element(squares.begin(), squares.end()) - squares.begin());
    const T* x = vector(rows[found]);
    return std::vector<double>(x, x + input_.vectors.columns);
  }

  /// 2-means on the rows of `part`, which keeps the first half; returns the second.
  Part split(Part& part) const {
    std::vector<double> first = farthest(part.rows, mean(part.rows));
    std::vector<double> second = farthest(part.rows, first);
    std::vector<std::uint32_t> ours;
    std::vector<std::uint32_t> theirs;
    for (int round = 0; round < kMaxRounds; ++round) {
      const std::vector<double> to_first = distances(part.rows, first);
      const std::vector<double> to_second = distances(part.rows, second);
      std::vector<std::uint32_t> now_ours;
      std::vector<std::uint32_t> now_theirs;
      for (std::size_t i = 0; i < part.rows.size(); ++i) {
        (to_first[i] <= to_second[i] ? now_ours : now_theirs).push_back(part.rows[i]);
      }
      if (now_ours.empty() || now_theirs.empty() || now_ours == ours) break;
      ours.swap(now_ours);
      theirs.swap(now_theirs);
      first = mean(ours);
      second = mean(theirs);
    }
    // Rows that all coincide: the first word against the others.
    if (ours.empty() || theirs.empty()) {
      ours.assign(part.rows.begin(), part.rows.begin() + 1);
      theirs.assign(part.rows.begin() + 1, part.rows.end());
    }
    part = {std::move(ours), 0};
    part.spread = spread(part.rows);
    Part other = {std::move(theirs), 0};
    other.spread = spread(other.rows);
    return other;
  }

  Division assemble(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& splits) const {
    Division result;
    result.classes.resize(input_.vectors.rows);
    for (ClassId part = 0; part < parts_.size(); ++part) {
      for (const std::uint32_t row : parts_[part].rows) result.classes[row] = part;
    }
    result.tree.kind = TreeLeaves::classes;
    result.tree.leaves = static_cast<std::uint32_t>(parts_.size());
    std::vector<std::uint32_t> node(parts_.size());
    for (std::uint32_t part = 0; part < parts_.size(); ++part) node[part] = part;
    for (auto split = splits.rbegin(); split != splits.rend(); ++split) {
      result.tree.merges.push_back({node[split->first], node[split->second], 0});
      node[split->first] = static_cast<std::uint32_t>(parts_.size() + result.tree.merges.size() - 1);
    }
    return result;
  }

  const DivideInput<T>& input_;
  const RunOptions& run_;
  std::vector<Part> parts_;
};

}  // namespace

template <typename T>
Division divide(const DivideInput<T>& input, const RunOptions& run) {
  return Divider<T>(input, run).divide();
}

template Division divide(const DivideInput<float>&, const RunOptions&);
template Division divide(const DivideInput<double>&, const RunOptions&);

}  // namespace firth::spectral
