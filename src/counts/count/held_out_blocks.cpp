#include "counts/count/held_out_blocks.hpp"

#include <algorithm>
#include <cmath>

#include "base/rng.hpp"

namespace firth::counts {
namespace {

constexpr std::uint64_t kShortest = 50;  // words: two or three lines
constexpr std::uint64_t kGrowth = 20;    // a block is at least as long as the text before it, divided by this
constexpr std::uint64_t kLongestText = std::uint64_t{1} << 60;

}  // namespace

HeldOutBlocks::HeldOutBlocks(double share, std::uint64_t seed) {
  if (share <= 0) return;
  const double phase = base::Rng(seed).uniform();
  std::uint64_t begin = 0;
  for (int block = 0; begin < kLongestText; ++block) {
    const std::uint64_t end = begin + std::max(kShortest, begin / kGrowth);
    const bool held_out = std::floor((block + 1) * share + phase) > std::floor(block * share + phase);
    if (held_out) ranges_.push_back({begin, end});
    begin = end;
  }
}

std::vector<HeldOutBlocks::Range>::const_iterator HeldOutBlocks::first_behind(std::uint64_t position) const {
  return std::upper_bound(ranges_.begin(), ranges_.end(), position,
                          [](std::uint64_t place, const Range& range) { return place < range.end; });
}

bool HeldOutBlocks::contains(std::uint64_t position) const {
  const auto range = first_behind(position);
  return range != ranges_.end() && range->begin <= position;
}

void HeldOutBlocks::for_each_within(
    std::uint64_t first, std::uint64_t last,
    const std::function<void(std::uint64_t begin, std::uint64_t end)>& use) const {
  for (auto range = first_behind(first); range != ranges_.end() && range->begin < last; ++range)
    use(std::max(range->begin, first), std::min(range->end, last));
}

}  // namespace firth::counts
