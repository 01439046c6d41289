#include "cluster/spectral/kernel.hpp"

#include <algorithm>

#include "base/simd.hpp"

namespace firth::spectral {
namespace {

template <typename T>
inline __attribute__((always_inline)) void word_costs_body(const WindowView<T>& window,
                                                           const NewWord<T>& word, T* __restrict row) {
  const T* __restrict weight = window.weight;
  const T* __restrict square = window.mean_square;
  const T* __restrict dots = word.dots;
  for (std::size_t k = 0; k < window.slots; ++k) {
    // |mu_k - x|^2 = |mu_k|^2 - 2 mu_k.x + |x|^2; rounding may take it below 0.
    const T distance = square[k] - 2 * dots[k] / weight[k] + word.square;
    const T cost = weight[k] * word.weight / (weight[k] + word.weight) * distance;
    row[k] = cost > 0 ? cost : T{0};
  }
}

template <typename T>
inline __attribute__((always_inline)) void merged_costs_body(const WindowView<T>& window,
                                                             const MergedPair<T>& pair, T* __restrict row) {
  const T* __restrict weight = window.weight;
  const T* __restrict a = pair.costs_a;
  const T* __restrict c = pair.costs_c;
  const T sum = pair.weight_a + pair.weight_c;
  for (std::size_t k = 0; k < window.slots; ++k) {
    const T top =
        (pair.weight_a + weight[k]) * a[k] + (pair.weight_c + weight[k]) * c[k] - weight[k] * pair.cost;
    const T cost = top / (sum + weight[k]);
    row[k] = cost > 0 ? cost : T{0};
  }
}

template <typename T>
inline __attribute__((always_inline)) void gather_body(const WindowView<T>& window, const T* costs,
                                                       std::size_t slot, T* __restrict out) {
  const std::uint32_t own = window.stamp[slot];
  const T* row = costs + slot * window.slots;
  for (std::size_t k = 0; k < window.slots; ++k) {
    const T* place = window.stamp[k] < own ? row + k : costs + k * window.slots + slot;
    out[k] = *place;
  }
}

template <typename T>
inline __attribute__((always_inline)) Nearest<T> cheapest_body(std::size_t slots, const std::uint32_t* stamp,
                                                               std::uint32_t limit, const T* row) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  T best[kLanes];
  std::fill_n(best, kLanes, kInfinity);
  for (std::size_t k = 0; k < slots; k += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const T cost = stamp[k + lane] < limit ? row[k + lane] : kInfinity;
      best[lane] = cost < best[lane] ? cost : best[lane];
    }
  }
  const T lowest = *std::min_element(best, best + kLanes);
  if (lowest == kInfinity) return {kInfinity, 0};
  std::size_t found = 0;
  while (!(row[found] == lowest && stamp[found] < limit)) ++found;
  return {lowest, static_cast<std::uint32_t>(found)};
}

}  // namespace

FIRTH_CLONES void word_costs(const WindowView<float>& window, const NewWord<float>& word, float* row) {
  word_costs_body(window, word, row);
}

FIRTH_CLONES void word_costs(const WindowView<double>& window, const NewWord<double>& word, double* row) {
  word_costs_body(window, word, row);
}

FIRTH_CLONES void merged_costs(const WindowView<float>& window, const MergedPair<float>& pair, float* row) {
  merged_costs_body(window, pair, row);
}

FIRTH_CLONES void merged_costs(const WindowView<double>& window, const MergedPair<double>& pair,
                               double* row) {
  merged_costs_body(window, pair, row);
}

FIRTH_CLONES void gather_costs(const WindowView<float>& window, std::span<const float> costs,
                               std::size_t slot, float* out) {
  gather_body(window, costs.data(), slot, out);
}

FIRTH_CLONES void gather_costs(const WindowView<double>& window, std::span<const double> costs,
                               std::size_t slot, double* out) {
  gather_body(window, costs.data(), slot, out);
}

FIRTH_CLONES Nearest<float> cheapest(std::size_t slots, const std::uint32_t* stamp, std::uint32_t limit,
                                     const float* row) {
  return cheapest_body(slots, stamp, limit, row);
}

FIRTH_CLONES Nearest<double> cheapest(std::size_t slots, const std::uint32_t* stamp, std::uint32_t limit,
                                      const double* row) {
  return cheapest_body(slots, stamp, limit, row);
}

}  // namespace firth::spectral
