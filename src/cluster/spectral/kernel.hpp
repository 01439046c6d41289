// The inner loops of windowed Ward clustering: one row of merge costs at a time.
//
// Notation: w_k the weight of cluster k (its number of words where words weigh 1), S_k the weighted sum of
// its vectors, mu_k = S_k / w_k; d(a,b) = w_a w_b / (w_a + w_b) |mu_a - mu_b|^2, eq. (2) of Stratos et al.
// 2014. Every pair of clusters is kept once, in the row of the cluster that came about later ("younger"): row
// a holds d(a,k) for every k with stamp[k] < stamp[a]. Nothing is ever written to the rows of other clusters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace firth::spectral {

/// Row lengths are multiples of this; what is beyond the last slot is never active.
inline constexpr std::size_t kLanes = 16;

/// The stamp of an empty slot: younger than all, so that it belongs to no row.
inline constexpr std::uint32_t kEmptySlot = std::numeric_limits<std::uint32_t>::max();

/// The clusters of the window as arrays over slots; `slots` is a multiple of kLanes.
template <typename T>
struct WindowView {
  std::size_t slots;
  const std::uint32_t* stamp;
  const T* weight;
  const T* mean_square;  ///< |mu_k|^2
};

/// A word that enters: its weight, squared length, and dot products with all S_k.
template <typename T>
struct NewWord {
  T weight;
  T square;
  const T* dots;
};

/// row[k] = d(word, k) for every slot; empty slots get garbage.
void word_costs(const WindowView<float>& window, const NewWord<float>& word, float* row);
void word_costs(const WindowView<double>& window, const NewWord<double>& word, double* row);

/// Two clusters that become one, and what was known of their costs.
template <typename T>
struct MergedPair {
  T weight_a;
  T weight_c;
  T cost;            ///< d(a,c)
  const T* costs_a;  ///< d(a,k) for every slot k
  const T* costs_c;
};

/// row[k] = d(a + c, k) by Lance and Williams:
/// ((w_a+w_k) d(a,k) + (w_c+w_k) d(c,k) - w_k d(a,c)) / (w_a+w_c+w_k).
void merged_costs(const WindowView<float>& window, const MergedPair<float>& pair, float* row);
void merged_costs(const WindowView<double>& window, const MergedPair<double>& pair, double* row);

/// d(k, slot) for every slot k, from wherever the pair is kept. `costs` is the whole matrix.
void gather_costs(const WindowView<float>& window, std::span<const float> costs, std::size_t slot,
                  float* out);
void gather_costs(const WindowView<double>& window, std::span<const double> costs, std::size_t slot,
                  double* out);

/// The cheapest partner.
template <typename T>
struct Nearest {
  T cost;
  std::uint32_t slot;
};

/// The cheapest entry of a row among slots with stamp < limit; the first of equals. Infinity if there is
/// none.
Nearest<float> cheapest(std::size_t slots, const std::uint32_t* stamp, std::uint32_t limit, const float* row);
Nearest<double> cheapest(std::size_t slots, const std::uint32_t* stamp, std::uint32_t limit,
                         const double* row);

}  // namespace firth::spectral
