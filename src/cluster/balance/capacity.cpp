#include "cluster/balance/capacity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "firth/error.hpp"

namespace firth::balance {
namespace {

/// Units so large that each needs a class of its own, largest first: those above the average of what is left.
std::vector<std::size_t> giants(std::span<const std::uint64_t> sizes, std::uint64_t total, ClassId classes) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  std::size_t count = 0;
  std::uint64_t left = total;
  while (count + 1 < classes && count < order.size()) {
    const std::uint64_t size = sizes[order[count]];
    if (size <= (left + (classes - count) - 1) / (classes - count)) break;
    left -= size;
    ++count;
  }
  order.resize(count);
  return order;
}

}  // namespace

Capacity::Capacity(std::vector<std::uint64_t> sizes, std::span<const ClassId> class_of, ClassId first,
                   ClassId classes)
    : sizes_(std::move(sizes)),
      loads_(classes, 0),
      max_(classes, std::numeric_limits<std::uint64_t>::max()),
      first_(first) {
  for (std::size_t unit = 0; unit < sizes_.size(); ++unit) loads_[class_of[unit]] += sizes_[unit];
}

bool Capacity::any_too_large() const {
  for (ClassId c = first_; c < classes(); ++c)
    if (too_large(c)) return true;
  return false;
}

void Capacity::limit(const ClassSizes& sizes, double slack, std::span<const ClassId> class_of) {
  if (sizes.equal) {
    limit_evenly(slack, class_of);
  } else {
    limit_all(sizes.max);
  }
}

void Capacity::limit_all(std::uint64_t max) {
  std::fill(max_.begin() + first_, max_.end(), max);
  const std::uint64_t total = std::accumulate(loads_.begin() + first_, loads_.end(), std::uint64_t{0});
  const std::uint64_t classes = loads_.size() - first_;
  if (max < (total + classes - 1) / classes) {
    throw UsageError(fmt::format("{} classes of size {} at most cannot hold {}", classes, max, total),
                     "allow larger classes, or ask for more", "ClassSizes::max");
  }
  const auto largest = *std::max_element(sizes_.begin(), sizes_.end());
  if (largest > max) {
    throw UsageError(fmt::format("a single word has size {}, classes may have {}", largest, max),
                     "allow larger classes", "ClassSizes::max");
  }
}

void Capacity::limit_evenly(double slack, std::span<const ClassId> class_of) {
  const ClassId classes = this->classes() - first_;
  std::uint64_t left = std::accumulate(loads_.begin() + first_, loads_.end(), std::uint64_t{0});
  std::vector<bool> taken(loads_.size(), false);
  pins_.clear();
  ClassId open = classes;
  for (const std::size_t giant : giants(sizes_, left, classes)) {
    ClassId home = class_of[giant];
    if (home < first_) continue;
    if (taken[home]) {  // by a larger one: any other class will do
      home = first_;
      while (taken[home]) ++home;
    }
    taken[home] = true;
    pins_.push_back({giant, home});
    max_[home] = sizes_[giant];
    left -= sizes_[giant];
    --open;
  }
  // The classes that are largest now get what the division leaves over.
  std::vector<ClassId> order;
  for (ClassId c = first_; c < loads_.size(); ++c)
    if (!taken[c]) order.push_back(c);
  std::stable_sort(order.begin(), order.end(), [&](ClassId a, ClassId b) { return loads_[a] > loads_[b]; });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint64_t share = left / open + (i < left % open ? 1 : 0);
    max_[order[i]] = share + static_cast<std::uint64_t>(slack * static_cast<double>(share));
  }
}

}  // namespace firth::balance
