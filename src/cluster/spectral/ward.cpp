#include "cluster/spectral/ward.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/stage.hpp"
#include "cluster/spectral/kernel.hpp"
#include "linalg/matrix.hpp"

namespace firth::spectral {
namespace {

using linalg::Matrix;
using linalg::View;

// Words whose dot products with all sums are made by one matrix product.
constexpr std::size_t kBatch = 192;
// Sums in one piece of that product.
constexpr std::size_t kPieceSlots = 256;

/// Rows of an odd number of lanes: columns of the cost matrix then spread over all cache sets.
std::size_t slots_for(std::size_t clusters) {
  return ((clusters + kLanes - 1) / kLanes | 1) * kLanes;
}

/// What happened to the sums since the dot products of a batch were made.
struct Event {
  bool entered;  ///< word `from` of the batch took slot `to`; else slot `from` was added to slot `to`
  std::uint32_t from;
  std::uint32_t to;
};

/// S_k, w_k and |mu_k|^2 of the clusters, by slot.
template <typename T>
class ClusterSums {
 public:
  ClusterSums(std::size_t clusters, std::size_t slots, std::size_t dim)
      : sums_(clusters, dim), weight_(slots, T{1}), mean_square_(slots, T{0}) {
    sums_.fill(0);
  }

  /// Of `count` clusters from slot `first` on.
  View<const T> rows(std::size_t first, std::size_t count) const {
    return {sums_.row(first), count, sums_.columns(), sums_.stride()};
  }
  const T* weights() const { return weight_.data(); }
  T weight(std::size_t slot) const { return weight_[slot]; }
  const T* mean_squares() const { return mean_square_.data(); }

  void set(std::size_t slot, const T* vector, const NewWord<T>& word) {
    for (std::size_t j = 0; j < sums_.columns(); ++j) sums_(slot, j) = word.weight * vector[j];
    weight_[slot] = word.weight;
    mean_square_[slot] = word.square;
  }

  void add(std::size_t to, std::size_t from) {
    weight_[to] += weight_[from];
    T* target = sums_.row(to);
    const T* source = sums_.row(from);
    for (std::size_t j = 0; j < sums_.columns(); ++j) target[j] += source[j];
    mean_square_[to] = mean_square(target, sums_.columns(), weight_[to]);
  }

 private:
  static T mean_square(const T* sum, std::size_t dim, T weight) {
    double lanes[kLanes] = {};
    std::size_t j = 0;
    for (; j + kLanes <= dim; j += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        lanes[lane] += static_cast<double>(sum[j + lane]) * static_cast<double>(sum[j + lane]);
      }
    }
    double square = 0;
    for (const double lane : lanes) square += lane;
    for (; j < dim; ++j) square += static_cast<double>(sum[j]) * static_cast<double>(sum[j]);
    return static_cast<T>(square / (static_cast<double>(weight) * static_cast<double>(weight)));
  }

  Matrix<T> sums_;
  std::vector<T> weight_;
  std::vector<T> mean_square_;
};

/// The cheapest partner of every cluster among the older ones, as far as it is known.
template <typename T>
class NearestOlder {
 public:
  explicit NearestOlder(std::size_t slots)
      : costs_(slots, slots),
        stamp_(slots, kEmptySlot),
        bound_(slots, std::numeric_limits<T>::infinity()),
        nearest_(slots, 0),
        tight_(slots, 1) {
    costs_.fill(0);
  }

  std::size_t slots() const { return stamp_.size(); }
  const std::uint32_t* stamps() const { return stamp_.data(); }
  /// Costs of a cluster's merges with older ones, to be filled before make_youngest().
  T* row(std::size_t slot) { return costs_.row(slot); }
  std::span<const T> costs() const { return {costs_.row(0), slots() * slots()}; }
  T cost(std::uint32_t young) const { return bound_[young]; }
  std::uint32_t partner(std::uint32_t young) const { return nearest_[young]; }
  std::uint64_t searches() const { return searches_; }

  void make_youngest(std::uint32_t slot) {
    stamp_[slot] = clock_++;
    tighten(slot);
  }

  /// `young` becomes part of `old`, which make_youngest() will follow for.
  void remove(std::uint32_t young, std::uint32_t old) {
    stamp_[young] = kEmptySlot;
    bound_[young] = std::numeric_limits<T>::infinity();
    for (std::size_t k = 0; k < slots(); ++k) {
      if (nearest_[k] == old || nearest_[k] == young) tight_[k] = 0;
    }
  }

  /// The younger cluster of the cheapest pair. Rows only ever lose partners (a cluster that changes becomes the
  /// youngest and takes its pairs along), so an old bound is still a lower bound, and a row is searched again
  /// only when it looks like the cheapest.
  std::uint32_t cheapest_row() {
    for (;;) {
      const Nearest<T> row = cheapest(slots(), stamp_.data(), kEmptySlot, bound_.data());
      if (tight_[row.slot] != 0) return row.slot;
      ++searches_;
      tighten(row.slot);
    }
  }

 private:
  void tighten(std::uint32_t slot) {
    const Nearest<T> found = cheapest(slots(), stamp_.data(), stamp_[slot], costs_.row(slot));
    bound_[slot] = found.cost;
    nearest_[slot] = found.slot;
    tight_[slot] = 1;
  }

  Matrix<T> costs_;
  std::vector<std::uint32_t> stamp_;
  std::vector<T> bound_;  ///< of the cheapest cost
  std::vector<std::uint32_t> nearest_;
  std::vector<char> tight_;  ///< whether the bound is the cost with the nearest
  std::uint32_t clock_ = 0;
  std::uint64_t searches_ = 0;
};

template <typename T>
class Window {
 public:
  Window(const WardInput<T>& input, const RunOptions& run)
      : input_(input),
        run_(run),
        words_(input.vectors.rows),
        limit_(std::min(input.window, words_)),
        nearest_(slots_for(limit_ + 1)),
        sums_(limit_ + 1, nearest_.slots(), input.vectors.columns),
        node_(nearest_.slots(), 0),
        pair_costs_{std::vector<T>(nearest_.slots()), std::vector<T>(nearest_.slots())},
        scaled_(input.scales.empty() ? 0 : kBatch, input.vectors.columns) {
    for (std::size_t slot = 0; slot <= limit_; ++slot)
      free_.push_back(static_cast<std::uint32_t>(limit_ - slot));
    merges_.reserve(words_ > 0 ? words_ - 1 : 0);
  }

  std::vector<WardMerge> cluster(WardStats* stats) {
    base::Stage stage(run_, "clustering", "words", words_);
    for (std::size_t begin = 0; begin < words_; begin += kBatch) {
      run_.check_stop();
      enter_batch(begin, std::min(words_, begin + kBatch));
      stage.advance(begin);
    }
    while (merges_.size() + 1 < words_) {
      if (merges_.size() % 256 == 0) run_.check_stop();
      merge_cheapest();
    }
    stage.end();
    if (stats != nullptr) {
      stats->searches = nearest_.searches();
      stats->searches_per_merge =
          merges_.empty() ? 0 : static_cast<double>(stats->searches) / static_cast<double>(merges_.size());
    }
    return std::move(merges_);
  }

 private:
  WindowView<T> view() const {
    return {nearest_.slots(), nearest_.stamps(), sums_.weights(), sums_.mean_squares()};
  }
  T word_weight(std::size_t word) const {
    return input_.weights.empty() ? T{1} : static_cast<T>(input_.weights[word]);
  }

  /// The rows from `begin` on times their scales, valid until the next call.
  View<const T> scaled(std::size_t begin, View<const T> rows) {
    if (input_.scales.empty()) return rows;
    for (std::size_t i = 0; i < rows.rows; ++i)
      for (std::size_t j = 0; j < rows.columns; ++j)
        scaled_(i, j) = input_.scales[begin + i] * rows.row(i)[j];
    return std::as_const(scaled_).view().block(0, rows.rows, 0, rows.columns);
  }

  void enter_batch(std::size_t begin, std::size_t end) {
    const View<const T> batch =
        scaled(begin, input_.vectors.block(begin, end - begin, 0, input_.vectors.columns));
    Matrix<T> dots(end - begin, nearest_.slots());
    dots.fill(0);
    base::parallel_for(limit_ + 1, kPieceSlots, run_.threads, [&](std::size_t first, std::size_t last) {
      linalg::multiply_by_transposed<T>(1, batch, sums_.rows(first, last - first), 0,
                                        dots.view().block(0, batch.rows, first, last - first));
    });
    Matrix<T> among(batch.rows, batch.rows);
    linalg::multiply_by_transposed<T>(1, batch, batch, 0, among.view());
    events_.clear();
    for (std::size_t i = 0; i < batch.rows; ++i) {
      replay(among.row(i), begin, dots.row(i));
      const std::uint32_t slot = enter(batch.row(i), {word_weight(begin + i), among(i, i), dots.row(i)});
      node_[slot] = static_cast<std::uint32_t>(begin + i);
      events_.push_back({true, static_cast<std::uint32_t>(i), slot});
      if (begin + i + 1 > limit_) merge_cheapest();
    }
  }

  /// Dot products with sums are additive, so those of a batch, made at its start, are brought up to date
  /// exactly by doing to them what was done to the sums: a few additions in one row that sits in the cache.
  void replay(const T* among, std::size_t batch_begin, T* dots) const {
    for (const Event& event : events_) {
      if (event.entered) {
        dots[event.to] = word_weight(batch_begin + event.from) * among[event.from];
      } else {
        dots[event.to] += dots[event.from];
      }
    }
  }

  /// The slot that the word takes.
  std::uint32_t enter(const T* vector, const NewWord<T>& word) {
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    word_costs(view(), word, nearest_.row(slot));
    sums_.set(slot, vector, word);
    nearest_.make_youngest(slot);
    return slot;
  }

  void merge_cheapest() {
    const std::uint32_t young = nearest_.cheapest_row();
    const std::uint32_t old = nearest_.partner(young);
    const MergedPair<T> pair = {sums_.weight(old), sums_.weight(young), nearest_.cost(young),
                                pair_costs_[0].data(), pair_costs_[1].data()};
    gather_costs(view(), nearest_.costs(), old, pair_costs_[0].data());
    gather_costs(view(), nearest_.costs(), young, pair_costs_[1].data());
    merges_.push_back({node_[old], node_[young], static_cast<double>(pair.cost)});
    nearest_.remove(young, old);
    free_.push_back(young);
    merged_costs(view(), pair, nearest_.row(old));
    sums_.add(old, young);
    node_[old] = static_cast<std::uint32_t>(words_ + merges_.size() - 1);
    events_.push_back({false, young, old});
    nearest_.make_youngest(old);
  }

  const WardInput<T>& input_;
  const RunOptions& run_;
  std::size_t words_;
  std::size_t limit_;
  NearestOlder<T> nearest_;
  ClusterSums<T> sums_;
  std::vector<std::uint32_t> node_;
  std::array<std::vector<T>, 2> pair_costs_;  ///< of the two clusters that merge, by slot
  Matrix<T> scaled_;                          ///< the words of a batch, where they have scales
  std::vector<std::uint32_t> free_;
  std::vector<Event> events_;
  std::vector<WardMerge> merges_;
};

}  // namespace

template <typename T>
std::vector<WardMerge> windowed_ward(const WardInput<T>& input, const RunOptions& run, WardStats* stats) {
  const linalg::SingleThreadedBlas single;
  return Window<T>(input, run).cluster(stats);
}

std::uint64_t ward_bytes(std::size_t words, std::size_t window, std::size_t dim, std::size_t scalar) {
  const std::uint64_t clusters = std::min(words, window) + 1;
  const std::uint64_t slots = slots_for(clusters);
  return slots * slots * scalar + clusters * dim * scalar + kBatch * (slots + kBatch) * scalar +
         words * sizeof(WardMerge);
}

template std::vector<WardMerge> windowed_ward(const WardInput<float>&, const RunOptions&, WardStats*);
template std::vector<WardMerge> windowed_ward(const WardInput<double>&, const RunOptions&, WardStats*);

}  // namespace firth::spectral
