#include "tagger/chain.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "base/simd.hpp"

namespace firth::tagger {
namespace {

/// to[t] += factor * row[t].
FIRTH_CLONES_SHORT
void add_scaled(double factor, std::span<const double> row, std::span<double> to) {
  const double* const __restrict from = row.data();
  double* const __restrict sum = to.data();
  for (std::size_t t = 0; t < row.size(); ++t) sum[t] += factor * from[t];
}

}  // namespace

// 2^n e^r with |r| <= ln 2 / 2; e^r by its series up to r^8.
double smooth_exp(double x) {
  constexpr double kMax = 80;
  constexpr double kLog2 = 0.6931471805599453;
  const double bounded = std::clamp(x, -kMax, kMax);
  const double n = std::floor(bounded / kLog2 + 0.5);
  const double r = bounded - n * kLog2;
  double sum = 1;
  for (int term = 8; term > 0; --term) sum = 1 + sum * r / term;
  constexpr std::int64_t kBias = 1023;
  return sum * std::bit_cast<double>((static_cast<std::int64_t>(n) + kBias) << 52U);
}

void Chain::prepare(std::span<const float> local, std::span<const float> transitions) {
  const std::size_t tags = tags_.size();
  length_ = local.size() / tags;
  local_.resize(local.size());
  for (std::size_t i = 0; i < length_; ++i) {
    const std::span<const float> row = local.subspan(i * tags, tags);
    const float most = *std::max_element(row.begin(), row.end());
    for (std::size_t t = 0; t < tags; ++t) local_[i * tags + t] = smooth_exp(row[t] - most);
  }
  const std::size_t last = (length_ - 1) * tags;
  for (std::size_t t = 0; t < tags; ++t) {
    if (!tags_.may_end(static_cast<TagId>(t))) local_[last + t] = 0;
  }
  steps_.resize(transitions.size());
  back_steps_.resize(tags * tags);
  for (std::size_t before = 0; before <= tags; ++before) {
    const std::span<const std::uint8_t> followers = tags_.followers(before);
    for (std::size_t t = 0; t < tags; ++t) {
      const std::size_t at = before * tags + t;
      steps_[at] = followers[t] != 0 ? smooth_exp(transitions[at]) : 0;
      if (before < tags) back_steps_[t * tags + before] = steps_[at];
    }
  }
}

void Chain::run_forward() {
  const std::size_t tags = tags_.size();
  forward_.assign(length_ * tags, 0);
  sums_.resize(length_);
  for (std::size_t i = 0; i < length_; ++i) {
    const std::span<double> row = std::span(forward_).subspan(i * tags, tags);
    if (i == 0) {
      std::copy_n(steps_.end() - static_cast<std::ptrdiff_t>(tags), tags, row.begin());
    } else {
      for (std::size_t before = 0; before < tags; ++before) {
        const double weight = forward_[(i - 1) * tags + before];
        if (weight > 0) add_scaled(weight, std::span(steps_).subspan(before * tags, tags), row);
      }
    }
    double sum = 0;
    for (std::size_t t = 0; t < tags; ++t) {
      row[t] *= local_[i * tags + t];
      sum += row[t];
    }
    sums_[i] = sum;
    for (double& value : row) value /= sum;
  }
}

void Chain::run_backward() {
  const std::size_t tags = tags_.size();
  backward_.assign(length_ * tags, 0);
  std::fill_n(backward_.end() - static_cast<std::ptrdiff_t>(tags), tags, 1.0);
  for (std::size_t i = length_ - 1; i > 0; --i) {
    const std::span<double> row = std::span(backward_).subspan((i - 1) * tags, tags);
    for (std::size_t t = 0; t < tags; ++t) {
      const double weight = backward_[i * tags + t] * local_[i * tags + t] / sums_[i];
      if (weight > 0) add_scaled(weight, std::span(back_steps_).subspan(t * tags, tags), row);
    }
  }
}

void Chain::run(std::span<const float> local, std::span<const float> transitions) {
  prepare(local, transitions);
  run_forward();
  run_backward();
}

}  // namespace firth::tagger
