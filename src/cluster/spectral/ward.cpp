#include "cluster/spectral/ward.hpp"

#include <algorithm>

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

template <typename T>
class Window {
 public:
  Window(const WardInput<T>& input, const RunOptions& run)
      : input_(input),
        run_(run),
        words_(input.vectors.rows),
        limit_(std::min(input.window, words_)),
        slots_(slots_for(limit_ + 1)),
        costs_(slots_, slots_),
        sums_(limit_ + 1, input.vectors.columns),
        stamp_(slots_, kEmptySlot),
        weight_(slots_, T{1}),
        mean_square_(slots_, T{0}),
        bound_(slots_, std::numeric_limits<T>::infinity()),
        nearest_(slots_, 0),
        tight_(slots_, 1),
        node_(slots_, 0),
        costs_a_(slots_),
        costs_c_(slots_) {
    costs_.fill(0);
    sums_.fill(0);
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
      stats->searches = searches_;
      stats->searches_per_merge =
          merges_.empty() ? 0 : static_cast<double>(searches_) / static_cast<double>(merges_.size());
    }
    return std::move(merges_);
  }

 private:
  WindowView<T> view() const { return {slots_, stamp_.data(), weight_.data(), mean_square_.data()}; }
  T word_weight(std::size_t word) const {
    return input_.weights.empty() ? T{1} : static_cast<T>(input_.weights[word]);
  }

  void enter_batch(std::size_t begin, std::size_t end) {
    const std::size_t dim = input_.vectors.columns;
    const View<const T> batch = input_.vectors.block(begin, end - begin, 0, dim);
    Matrix<T> dots(end - begin, slots_);
    dots.fill(0);
    base::parallel_for(limit_ + 1, kPieceSlots, run_.threads, [&](std::size_t first, std::size_t last) {
      const View<const T> sums = {sums_.row(first), last - first, dim, sums_.stride()};
      linalg::multiply_by_transposed<T>(1, batch, sums, 0,
                                        dots.view().block(0, batch.rows, first, last - first));
    });
    Matrix<T> among(batch.rows, batch.rows);
    linalg::multiply_by_transposed<T>(1, batch, batch, 0, among.view());
    events_.clear();
    for (std::size_t i = 0; i < batch.rows; ++i) {
      replay(among.row(i), begin, dots.row(i));
      enter(begin, i, {word_weight(begin + i), among(i, i), dots.row(i)});
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

  void enter(std::size_t batch_begin, std::size_t index, const NewWord<T>& word) {
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    const T* vector = input_.vectors.row(batch_begin + index);
    for (std::size_t j = 0; j < sums_.columns(); ++j) sums_(slot, j) = word.weight * vector[j];
    word_costs(view(), word, costs_.row(slot));
    weight_[slot] = word.weight;
    mean_square_[slot] = word.square;
    node_[slot] = static_cast<std::uint32_t>(batch_begin + index);
    events_.push_back({true, static_cast<std::uint32_t>(index), slot});
    make_youngest(slot);
  }

  void make_youngest(std::uint32_t slot) {
    stamp_[slot] = clock_++;
    tighten(slot);
  }

  void tighten(std::uint32_t slot) {
    const Nearest<T> found = cheapest(slots_, stamp_.data(), stamp_[slot], costs_.row(slot));
    bound_[slot] = found.cost;
    nearest_[slot] = found.slot;
    tight_[slot] = 1;
  }

  /// Rows only ever lose partners (a cluster that changes becomes the youngest and takes its pairs along), so
  /// an old bound is still a lower bound, and a row is searched again only when it looks like the cheapest.
  std::uint32_t cheapest_row() {
    for (;;) {
      const Nearest<T> row = cheapest(slots_, stamp_.data(), kEmptySlot, bound_.data());
      if (tight_[row.slot] != 0) return row.slot;
      ++searches_;
      tighten(row.slot);
    }
  }

  void merge_cheapest() {
    const std::uint32_t young = cheapest_row();
    const std::uint32_t old = nearest_[young];
    const MergedPair<T> pair = {weight_[old], weight_[young], bound_[young], costs_a_.data(),
                                costs_c_.data()};
    const std::span<const T> costs(costs_.row(0), slots_ * slots_);
    gather_costs(view(), costs, old, costs_a_.data());
    gather_costs(view(), costs, young, costs_c_.data());
    merges_.push_back({node_[old], node_[young], static_cast<double>(pair.cost)});

    stamp_[young] = kEmptySlot;
    bound_[young] = std::numeric_limits<T>::infinity();
    free_.push_back(young);
    for (std::size_t k = 0; k < slots_; ++k) {
      if (nearest_[k] == old || nearest_[k] == young) tight_[k] = 0;
    }
    merged_costs(view(), pair, costs_.row(old));
    weight_[old] += weight_[young];
    add_sums(old, young);
    node_[old] = static_cast<std::uint32_t>(words_ + merges_.size() - 1);
    events_.push_back({false, young, old});
    make_youngest(old);
  }

  void add_sums(std::uint32_t to, std::uint32_t from) {
    T* target = sums_.row(to);
    const T* source = sums_.row(from);
    for (std::size_t j = 0; j < sums_.columns(); ++j) target[j] += source[j];
    mean_square_[to] = mean_square(target, sums_.columns(), weight_[to]);
  }

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

  const WardInput<T>& input_;
  const RunOptions& run_;
  std::size_t words_;
  std::size_t limit_;
  std::size_t slots_;
  Matrix<T> costs_;
  Matrix<T> sums_;
  std::vector<std::uint32_t> stamp_;
  std::vector<T> weight_;
  std::vector<T> mean_square_;
  std::vector<T> bound_;
  std::vector<std::uint32_t> nearest_;
  std::vector<char> tight_;
  std::vector<std::uint32_t> node_;
  std::vector<T> costs_a_;
  std::vector<T> costs_c_;
  std::vector<std::uint32_t> free_;
  std::vector<Event> events_;
  std::vector<WardMerge> merges_;
  std::uint32_t clock_ = 0;
  std::uint64_t searches_ = 0;
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
