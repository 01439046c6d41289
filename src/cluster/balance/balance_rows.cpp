#include "cluster/balance/balance_rows.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "cluster/balance/balancer.hpp"

namespace firth::balance {
namespace {

constexpr int kMaxRounds = 10;
constexpr int kPassesPerRound = 4;

/// The means of classes, held fixed while rows move: gains of rows do not depend on each other.
class RowModel : public BalanceModel {
 public:
  RowModel(const WeightedRows& rows, std::vector<ClassId> classes, ClassId count)
      : rows_(rows),
        class_of_(std::move(classes)),
        means_(count * columns()),
        squares_(count),
        members_(count) {
    for (const ClassId c : class_of_) ++members_[c];
    find_means();
  }

  std::span<const ClassId> class_of() const override { return class_of_; }

  void gains(std::size_t unit, unsigned, std::span<float> result) override {
    // A class keeps its last row.
    if (members_[class_of_[unit]] == 1)
      return std::fill(result.begin(), result.end(), -std::numeric_limits<float>::infinity());
    const double own = value(unit, class_of_[unit]);
    for (ClassId c = 0; c < result.size(); ++c) result[c] = static_cast<float>(value(unit, c) - own);
  }
  bool fixed(std::size_t) const override { return false; }
  bool allows(std::size_t unit, ClassId) const override { return members_[class_of_[unit]] > 1; }
  void move(std::size_t unit, ClassId target) override {
    --members_[class_of_[unit]];
    ++members_[target];
    class_of_[unit] = target;
  }

  bool move_if_better(std::size_t unit, ClassId target) override {
    if (members_[class_of_[unit]] == 1 || !(value(unit, target) > value(unit, class_of_[unit]))) return false;
    move(unit, target);
    return true;
  }

  bool swap_if_better(std::size_t unit, std::size_t other) override {
    const ClassId home = class_of_[unit];
    const ClassId target = class_of_[other];
    const double gain = value(unit, target) - value(unit, home) + value(other, home) - value(other, target);
    if (!(gain > 0)) return false;
    std::swap(class_of_[unit], class_of_[other]);
    return true;
  }

  /// Means of the classes as they are; the weighted sum of squares, up to the squares of the rows themselves.
  double find_means() {
    const std::size_t count = squares_.size();
    std::vector<double> sums(means_.size());
    std::vector<double> weights(count);
    for (std::size_t i = 0; i < class_of_.size(); ++i) {
      weights[class_of_[i]] += weight(i);
      double* sum = sums.data() + class_of_[i] * columns();
      const double factor = weight(i) * scale(i);
      for (std::size_t j = 0; j < columns(); ++j)
        sum[j] += factor * static_cast<double>(rows_.rows.row(i)[j]);
    }
    double objective = 0;
    for (std::size_t c = 0; c < count; ++c) {
      squares_[c] = 0;
      if (weights[c] == 0) continue;
      for (std::size_t j = 0; j < columns(); ++j) {
        const double mean = sums[c * columns() + j] / weights[c];
        means_[c * columns() + j] = static_cast<float>(mean);
        squares_[c] += mean * mean;
      }
      objective -= weights[c] * squares_[c];
    }
    return objective;
  }

 private:
  std::size_t columns() const { return rows_.rows.columns; }
  double weight(std::size_t row) const { return rows_.weights.empty() ? 1 : rows_.weights[row]; }
  double scale(std::size_t row) const {
    return rows_.scales.empty() ? 1 : static_cast<double>(rows_.scales[row]);
  }

  /// Minus the weighted squared distance from a mean, up to what is the same for all means.
  double value(std::size_t row, ClassId c) const {
    constexpr std::size_t kLanes = 8;
    const float* x = rows_.rows.row(row);
    const float* mean = means_.data() + c * columns();
    float lanes[kLanes] = {};
    const std::size_t whole = columns() / kLanes * kLanes;
    for (std::size_t j = 0; j < whole; j += kLanes)
      for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += x[j + lane] * mean[j + lane];
    double dot = 0;
    for (const float lane : lanes) dot += static_cast<double>(lane);
    for (std::size_t j = whole; j < columns(); ++j)
      dot += static_cast<double>(x[j]) * static_cast<double>(mean[j]);
    return weight(row) * (2 * scale(row) * dot - squares_[c]);
  }

  const WeightedRows& rows_;
  std::vector<ClassId> class_of_;
  std::vector<float> means_;
  std::vector<double> squares_;  // of the means
  std::vector<std::uint64_t> members_;
};

}  // namespace

std::vector<ClassId> balanced_rows(const WeightedRows& rows, std::vector<ClassId> classes, ClassId count,
                                   const ClassSizes& limits, const RunOptions& run) {
  RowModel model(rows, std::move(classes), count);
  std::vector<ClassId> best;
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kMaxRounds; ++round) {
    balance(model, {rows.sizes, 0, count, limits, kPassesPerRound}, run);
    const double squares = model.find_means();
    if (!(squares < least)) break;
    least = squares;
    best.assign(model.class_of().begin(), model.class_of().end());
  }
  return best;
}

}  // namespace firth::balance
