#include "base/fixed_log.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"

namespace firth::base {
namespace {

constexpr std::size_t kGrain = std::size_t{1} << 13;

long double exact_h(Count x) {
  const auto value = static_cast<long double>(x);
  return x == 0 ? 0.0L : value * std::log(value);
}

int shift_for(Count total) {
  const long double largest =
      4.0L * exact_h(std::max<Count>(total, 4)) + 8.0L * static_cast<long double>(total);
  return std::min(61 - static_cast<int>(std::ceil(std::log2(largest))), 48);
}

}  // namespace

FixedLog::FixedLog(Count total, std::size_t table_size, unsigned threads)
    : shift_(shift_for(total)),
      step_(std::ldexp(1.0, -shift_)),
      table_(static_cast<std::size_t>(std::min<Count>(total + 1, std::max<std::size_t>(table_size, 2)))) {
  parallel_for(table_.size(), kGrain, threads, [this](std::size_t begin, std::size_t end) {
    for (std::size_t x = begin; x < end; ++x) table_[x] = compute_h(x);
  });
}

std::int64_t FixedLog::compute_h(Count x) const {
  return std::llround(std::ldexp(exact_h(x), shift_));
}

std::int64_t FixedLog::ln(Count x) const {
  return x == 0 ? 0 : std::llround(std::ldexp(std::log(static_cast<long double>(x)), shift_));
}

}  // namespace firth::base
