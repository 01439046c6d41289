#include "cluster/exchange/kernel.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/simd.hpp"

// Notation: n = count of a class pair, k = count the unit would add, h(x) = x ln x,
// f(n,k) = h(n+k) - h(n). A context seen once costs one addition per lane: f(n,1) is stored beside n.
namespace firth::exchange {
namespace {

/// Below this ratio k/n the logarithm's series is used: differences of large h lose their digits.
constexpr float kSeriesRatio = 1.0F / 16;

/// ln x for finite x >= 1, relative error about 1e-7: 2 artanh((m-1)/(m+1)) of the mantissa m.
inline float fast_log(float x) {
  const auto bits = std::bit_cast<std::int32_t>(x);
  const std::int32_t exponent = (bits - 0x3f3504f3) >> 23;
  const float mantissa = std::bit_cast<float>(bits - (exponent << 23)) - 1.0F;
  const float s = mantissa / (2.0F + mantissa);
  const float z = s * s;
  const float tail = z * (0.66666667F + z * (0.4F + z * (0.28571429F + z * 0.22222222F)));
  return static_cast<float>(exponent) * 0.69314718F + s * (2.0F + tail);
}

/// f(n,k) for any n >= 0 and k >= 1.
inline float grown(float n, float k) {
  const float log_n = fast_log(std::max(n, 1.0F));
  const float t = k / std::max(n, 1.0F);
  const float series = k * (log_n + 1.0F + t * (0.5F - t * (1.0F / 6 - t * (1.0F / 12 - t * 0.05F))));
  const float direct = (n + k) * fast_log(n + k) - n * log_n;
  return t < kSeriesRatio ? series : direct;
}

/// Rows that are as long as this are worth fetching ahead: each begins in a page of its own.
constexpr std::size_t kLongRow = 1024;

/// Fetches the beginning of what comes next.
template <typename T>
inline void prefetch_row(const T* row, Lanes lanes) {
  constexpr std::size_t kLines = 6;
  constexpr std::size_t kStep = base::kCacheLine / sizeof(T);
  const std::size_t end = std::min(lanes.end, lanes.begin + kLines * kStep);
  for (std::size_t lane = lanes.begin; lane < end; lane += kStep) __builtin_prefetch(row + lane);
}

FIRTH_CLONES void add_once(const PairMatrix& matrix, std::span<const ClassId> contexts, Lanes lanes,
                           float* __restrict scores) {
  std::size_t i = 0;
  for (; i + 4 <= contexts.size(); i += 4) {
    const float* __restrict a = matrix.step_row(contexts[i]);
    const float* __restrict b = matrix.step_row(contexts[i + 1]);
    const float* __restrict c = matrix.step_row(contexts[i + 2]);
    const float* __restrict d = matrix.step_row(contexts[i + 3]);
    const std::size_t ahead = matrix.stride() < kLongRow ? 0 : std::min(i + 8, contexts.size());
    for (std::size_t next = i + 4; next < ahead; ++next) prefetch_row(matrix.step_row(contexts[next]), lanes);
    for (std::size_t lane = lanes.begin; lane < lanes.end; ++lane) {
      scores[lane] += (a[lane] + b[lane]) + (c[lane] + d[lane]);
    }
  }
  for (; i < contexts.size(); ++i) {
    const float* __restrict a = matrix.step_row(contexts[i]);
    for (std::size_t lane = lanes.begin; lane < lanes.end; ++lane) scores[lane] += a[lane];
  }
}

/// Signed numbers become floats in one instruction.
inline float as_float(Cell n) {
  return static_cast<float>(static_cast<std::int32_t>(n));
}
inline float as_float(WideCell n) {
  return static_cast<float>(static_cast<std::int64_t>(n));
}

/// A context seen k times, 2 <= k <= kFittedCount.
struct FewTimes {
  float k;
  const float* steps;
  const ExcessFit* excess;
};

template <std::size_t kDegree, typename AnyCell>
inline void add_few_loop(const AnyCell* __restrict cells, const FewTimes& context, Lanes lanes,
                         float* __restrict scores) {
  const float* __restrict steps = context.steps;
  const ExcessFit fit = *context.excess;
  for (std::size_t lane = lanes.begin; lane < lanes.end; ++lane) {
    const float n = std::min(as_float(cells[lane]), fit.largest);
    float numerator = fit.numerator[kDegree - 1];
    float denominator = fit.denominator[kDegree] * n + fit.denominator[kDegree - 1];
    for (std::size_t i = kDegree - 1; i-- > 0;) {
      numerator = numerator * n + fit.numerator[i];
      denominator = denominator * n + fit.denominator[i];
    }
    scores[lane] += context.k * steps[lane] + numerator / denominator;
  }
}

template <typename AnyCell>
inline void add_few_by_degree(const AnyCell* cells, const FewTimes& context, Lanes lanes, float* scores) {
  if (context.excess->degree == 3) {
    add_few_loop<3>(cells, context, lanes, scores);
  } else if (context.excess->degree == 4) {
    add_few_loop<4>(cells, context, lanes, scores);
  } else {
    add_few_loop<5>(cells, context, lanes, scores);
  }
}

FIRTH_CLONES void add_few(const Cell* cells, const FewTimes& context, Lanes lanes, float* scores) {
  add_few_by_degree(cells, context, lanes, scores);
}

FIRTH_CLONES void add_few_wide(const WideCell* cells, const FewTimes& context, Lanes lanes, float* scores) {
  add_few_by_degree(cells, context, lanes, scores);
}

template <typename AnyCell>
inline void add_many_loop(const AnyCell* __restrict cells, float k, Lanes lanes, float* __restrict scores) {
  for (std::size_t lane = lanes.begin; lane < lanes.end; ++lane)
    scores[lane] += grown(as_float(cells[lane]), k);
}

FIRTH_CLONES void add_many(const Cell* cells, float k, Lanes lanes, float* scores) {
  add_many_loop(cells, k, lanes, scores);
}

FIRTH_CLONES void add_many_wide(const WideCell* cells, float k, Lanes lanes, float* scores) {
  add_many_loop(cells, k, lanes, scores);
}

/// Subtracts f(n,k) of the marginals. They are large against most units, where four terms of the series do;
/// blocks with a class too small for that take the long way.
FIRTH_CLONES void subtract_marginals(const MarginalRow& row, float k, Lanes lanes, float* __restrict scores) {
  const float* __restrict values = row.values.data();
  const float* __restrict slope = row.slopes.data();
  const float* __restrict inverse = row.inverses.data();
  const bool all_large = k * row.largest_inverse < kSeriesRatio;
  for (std::size_t block = lanes.begin; block < lanes.end; block += kLaneBlock) {
    std::int32_t largest = 0;  // floats that are not negative, compared as integers: that vectorises
    if (!all_large)
      for (std::size_t lane = block; lane < block + kLaneBlock; ++lane)
        largest = std::max(largest, std::bit_cast<std::int32_t>(inverse[lane]));
    if (k * std::bit_cast<float>(largest) < kSeriesRatio) {
      for (std::size_t lane = block; lane < block + kLaneBlock; ++lane) {
        const float t = k * inverse[lane];
        scores[lane] -= k * (slope[lane] + t * (0.5F - t * (1.0F / 6 - t * (1.0F / 12))));
      }
    } else {
      for (std::size_t lane = block; lane < block + kLaneBlock; ++lane)
        scores[lane] -= grown(values[lane], k);
    }
  }
}

void add_contexts(const PairMatrix& matrix, const ContextList& contexts, const Tables& tables, Lanes lanes,
                  float* scores) {
  add_once(matrix, contexts.once(), lanes, scores);
  const std::span<const Context> often = contexts.often();
  const bool is_long = matrix.stride() >= kLongRow && !matrix.is_wide();
  for (std::size_t i = 0; i < often.size(); ++i) {
    const Context& context = often[i];
    const ClassId c = context.other;
    if (is_long && i + 1 < often.size()) {
      prefetch_row(matrix.row(often[i + 1].other), lanes);
      prefetch_row(matrix.step_row(often[i + 1].other), lanes);
    }
    const auto k = static_cast<float>(context.count);
    if (context.count <= kFittedCount) {
      const FewTimes few = {k, matrix.step_row(c), &tables.excess(context.count)};
      if (matrix.is_wide()) {
        add_few_wide(matrix.wide_row(c), few, lanes, scores);
      } else {
        add_few(matrix.row(c), few, lanes, scores);
      }
    } else if (matrix.is_wide()) {
      add_many_wide(matrix.wide_row(c), k, lanes, scores);
    } else {
      add_many(matrix.row(c), k, lanes, scores);
    }
  }
}

/// Lanes whose cells the unit touches twice: pairs with its own class, and pairs of a class with itself.
class Corrections {
 public:
  Corrections(const State& state, UnitId unit, const Contexts& contexts, Lanes lanes, float* scores)
      : state_(state),
        contexts_(contexts),
        lanes_(lanes),
        scores_(scores),
        unit_(unit),
        home_(state.class_of()[unit]) {}

  void apply() const {
    own_class();
    diagonal();
  }

 private:
  std::int64_t h(Count x) const { return state_.tables().h(x); }
  bool wanted(ClassId lane) const { return lane >= lanes_.begin && lane < lanes_.end; }
  void correct(ClassId lane, std::int64_t change) const {
    scores_[lane] += static_cast<float>(state_.tables().nats(change));
  }

  // The unit leaves `home_`: N(B,home) loses l_B before it gains r_home, N(home,B) loses r_B.
  void own_class() const {
    const auto shift = [&](ClassId lane, Count n, Count leaving, Count k) {
      correct(lane, h(n - leaving + k) - h(n - leaving) - h(n + k) + h(n));
    };
    if (const Count k = contexts_.right.count(home_); k > 0) {
      for (const ClassId lane : contexts_.left.present()) {
        if (lane != home_ && wanted(lane))
          shift(lane, state_.counts().pair(lane, home_), contexts_.left.count(lane), k);
      }
    }
    if (const Count k = contexts_.left.count(home_); k > 0) {
      for (const ClassId lane : contexts_.right.present()) {
        if (lane != home_ && wanted(lane))
          shift(lane, state_.counts().pair(home_, lane), contexts_.right.count(lane), k);
      }
    }
  }

  // N(B,B) takes r_B, l_B and N(x,x) together, while the contexts were added one by one.
  void diagonal() const {
    const Count self = state_.problem().self(unit_);
    const auto correct_lane = [&](ClassId lane) {
      const Count d = state_.counts().pair(lane, lane);
      const Count p = contexts_.right.count(lane);
      const Count q = contexts_.left.count(lane);
      correct(lane, h(d + p + q + self) - h(d + p) - h(d + q) + h(d));
    };
    if (self > 0) {
      const auto end = static_cast<ClassId>(std::min<std::size_t>(lanes_.end, state_.classes()));
      for (auto lane = static_cast<ClassId>(lanes_.begin); lane < end; ++lane) correct_lane(lane);
      return;
    }
    for (const ClassId lane : contexts_.right.present()) {
      if (contexts_.left.count(lane) > 0 && wanted(lane)) correct_lane(lane);
    }
  }

  const State& state_;
  const Contexts& contexts_;
  Lanes lanes_;
  float* scores_;
  UnitId unit_;
  ClassId home_;
};

/// Floats in the order of their values, as integers: those can be compared by vector code.
inline std::int32_t order_key(float value) {
  const auto bits = std::bit_cast<std::int32_t>(value);
  return bits ^ ((bits >> 31) & 0x7fffffff);
}

FIRTH_CLONES std::int32_t highest_key(const float* __restrict scores, std::size_t lanes) {
  std::int32_t best = order_key(scores[0]);
  for (std::size_t lane = 0; lane < lanes; ++lane) best = std::max(best, order_key(scores[lane]));
  return best;
}

/// The first lane with this key; there must be one.
FIRTH_CLONES std::size_t find_key(const float* __restrict scores, std::size_t lanes, std::int32_t key) {
  std::size_t block = 0;
  for (; block + kLaneBlock <= lanes; block += kLaneBlock) {
    std::int32_t found = 0;
    for (std::size_t lane = block; lane < block + kLaneBlock; ++lane)
      found |= order_key(scores[lane]) == key ? 1 : 0;
    if (found != 0) break;
  }
  while (order_key(scores[block]) != key) ++block;
  return block;
}

/// exp(x) for -kCutoffTemperatures <= x <= 0, relative error about 3e-6: 2^whole times a polynomial.
inline float fast_exp(float x) {
  const float y = x * 1.44269504F;
  const auto whole = static_cast<std::int32_t>(y - 0.5F);  // the nearest integer, y being negative
  const float f = (y - static_cast<float>(whole)) * 0.69314718F;
  const float p = 1.0F + f * (1.0F + f * (0.5F + f * (1.0F / 6 + f * (1.0F / 24 + f * (1.0F / 120)))));
  return std::bit_cast<float>(std::bit_cast<std::int32_t>(p) + (whole << 23));
}

/// exp((score - best) / temperature) by lane, 0 beyond the cutoff.
FIRTH_CLONES void weigh_classes(std::span<const float> scores, float best, float inverse,
                                float* __restrict weights) {
  const float* __restrict in = scores.data();
  const std::size_t lanes = scores.size();
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const float x = (in[lane] - best) * inverse;
    const float inside = x < -kCutoffTemperatures ? -kCutoffTemperatures : x;
    weights[lane] = x < -kCutoffTemperatures ? 0.0F : fast_exp(inside);
  }
}

}  // namespace

void score_contexts(const ClassCounts& counts, const Contexts& contexts, UnitMarginals unit, Lanes lanes,
                    float* scores) {
  std::fill(scores + lanes.begin, scores + lanes.end, 0.0F);
  add_contexts(counts.after, contexts.right, *counts.tables, lanes, scores);
  add_contexts(counts.before, contexts.left, *counts.tables, lanes, scores);
  if (unit.out > 0) subtract_marginals(counts.out, static_cast<float>(unit.out), lanes, scores);
  if (unit.in > 0) subtract_marginals(counts.in, static_cast<float>(unit.in), lanes, scores);
}

void correct_scores(const State& state, UnitId unit, const Contexts& contexts, Lanes lanes, float* scores) {
  Corrections(state, unit, contexts, lanes, scores).apply();
  if (state.tables().has_prior()) {
    const auto end = static_cast<ClassId>(std::min<std::size_t>(lanes.end, state.classes()));
    for (auto c = static_cast<ClassId>(lanes.begin); c < end; ++c)
      scores[c] += static_cast<float>(state.tables().nats(state.tables().one_more(state.members(c) + 1)));
  }
  const ClassId home = state.class_of()[unit];
  if (home < lanes.begin || home >= lanes.end) return;
  scores[home] = static_cast<float>(state.tables().nats(state.value(unit, contexts, home)));
}

void score_classes(const State& state, UnitId unit, const Contexts& contexts,
                   base::AlignedVector<float>& scores) {
  const Problem& problem = state.problem();
  scores.resize(state.counts().after.stride());
  score_contexts(state.counts(), contexts, {problem.out(unit), problem.in(unit)}, {0, scores.size()},
                 scores.data());
  correct_scores(state, unit, contexts, {0, scores.size()}, scores.data());
}

ClassId best_class(std::span<const float> scores) {
  const std::int32_t best = highest_key(scores.data(), scores.size());
  return static_cast<ClassId>(find_key(scores.data(), scores.size(), best));
}

// Sums are made block by block in one fixed order, whatever the width of the machine's vectors.
ClassId draw_class(std::span<const float> scores, double temperature, double uniform, DrawScratch& scratch) {
  const std::int32_t key = highest_key(scores.data(), scores.size());
  const auto best = std::bit_cast<float>(key ^ ((key >> 31) & 0x7fffffff));
  const std::size_t blocks = (scores.size() + kLaneBlock - 1) / kLaneBlock;
  scratch.weights.assign(blocks * kLaneBlock, 0);
  scratch.sums.resize(blocks);
  weigh_classes(scores, best, static_cast<float>(1 / temperature), scratch.weights.data());
  double left = 0;
  for (std::size_t block = 0; block < blocks; ++block) {
    float sum = 0;
    for (std::size_t i = 0; i < kLaneBlock; ++i) sum += scratch.weights[block * kLaneBlock + i];
    scratch.sums[block] = sum;
    left += sum;
  }
  left *= uniform;
  std::size_t block = 0;
  while (block + 1 < blocks && left >= scratch.sums[block]) left -= scratch.sums[block++];
  while (scratch.sums[block] == 0) --block;  // rounding may lead past the last class with a weight
  std::size_t last = 0;
  for (std::size_t lane = block * kLaneBlock; lane < (block + 1) * kLaneBlock; ++lane) {
    if (scratch.weights[lane] == 0) continue;
    last = lane;
    left -= scratch.weights[lane];
    if (left < 0) break;
  }
  return static_cast<ClassId>(last);
}

}  // namespace firth::exchange
