#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "cluster/codes/leaf_order.hpp"
#include "firth/codes.hpp"
#include "firth/error.hpp"

namespace firth {
namespace codes {
namespace {

/// Consecutive places in the order of the leaves.
struct Range {
  std::size_t begin;
  std::size_t end;

  [[nodiscard]] std::size_t size() const { return end - begin; }
};

/// branch^digits, or the largest number if that is more.
std::uint64_t code_count(std::uint64_t branch, std::uint32_t digits) {
  std::uint64_t count = 1;
  for (std::uint32_t i = 0; i < digits; ++i) {
    if (count > std::numeric_limits<std::uint64_t>::max() / branch)
      return std::numeric_limits<std::uint64_t>::max();
    count *= branch;
  }
  return count;
}

class Coder {
 public:
  Coder(const LeafOrder& order, Codes& codes) : order_(order), codes_(codes) {}

  void run() {
    codes_.digits.resize(order_.words.size() * codes_.depth);
    encode({0, order_.words.size()}, 0);
  }

 private:
  void encode(Range range, std::uint32_t level) {
    if (level == codes_.depth || range.size() == 0) return;
    std::uint32_t digit = 0;
    for (const Range& group : groups_of(range, code_count(codes_.branch, codes_.depth - level - 1))) {
      for (std::size_t i = group.begin; i < group.end; ++i)
        codes_.digits[std::size_t{order_.words[i]} * codes_.depth + level] = digit;
      encode(group, level + 1);
      ++digit;
    }
  }

  /// At most `branch` groups of at most `capacity` words each, from left to right.
  [[nodiscard]] std::vector<Range> groups_of(Range range, std::uint64_t capacity) const {
    std::vector<Range> groups = {range};
    while (split_largest(groups, capacity)) continue;
    if (groups.size() > codes_.branch) groups = packed(groups, capacity);
    if (groups.size() > codes_.branch) groups = chunks(range, capacity);
    while (groups.size() < codes_.branch && split_largest(groups, 1)) continue;
    return groups;
  }

  /// Splits the largest group (of equals the first) if it has more than `limit` words.
  bool split_largest(std::vector<Range>& groups, std::uint64_t limit) const {
    const auto largest = std::max_element(groups.begin(), groups.end(),
                                          [](const Range& a, const Range& b) { return a.size() < b.size(); });
    if (largest->size() <= limit) return false;
    const std::size_t at = parting(*largest);
    const Range right = {at, largest->end};
    largest->end = at;
    groups.insert(largest + 1, right);
    return true;
  }

  /// Where the words of a range part first; of equally high places the one nearest to its middle.
  [[nodiscard]] std::size_t parting(Range range) const {
    const std::size_t middle = range.begin + range.size() / 2;
    const auto off = [&](std::size_t i) { return i < middle ? middle - i : i - middle; };
    std::size_t best = range.begin + 1;
    for (std::size_t i = range.begin + 2; i < range.end; ++i) {
      const std::uint32_t gap = order_.gaps[i];
      if (gap < order_.gaps[best] || (gap == order_.gaps[best] && off(i) < off(best))) best = i;
    }
    return best;
  }

  /// Neighbouring groups put together as long as they fit.
  static std::vector<Range> packed(const std::vector<Range>& groups, std::uint64_t capacity) {
    std::vector<Range> result = {groups.front()};
    for (std::size_t i = 1; i < groups.size(); ++i) {
      if (result.back().size() + groups[i].size() <= capacity) {
        result.back().end = groups[i].end;
      } else {
        result.push_back(groups[i]);
      }
    }
    return result;
  }

  static std::vector<Range> chunks(Range range, std::uint64_t capacity) {
    std::vector<Range> result;
    for (std::size_t begin = range.begin; begin < range.end; begin += capacity)
      result.push_back({begin, std::min<std::size_t>(range.end, begin + capacity)});
    return result;
  }

  const LeafOrder& order_;
  Codes& codes_;
};

}  // namespace
}  // namespace codes

void validate(const CodeOptions& options) {
  if (options.branch < 2 || options.branch > (1u << 31)) {
    throw UsageError(fmt::format("digits with {} values", options.branch), "take from 2 to 2147483648",
                     "CodeOptions::branch");
  }
  if (options.depth < 1 || options.depth > 64) {
    throw UsageError(fmt::format("codes of {} digits", options.depth), "take from 1 to 64",
                     "CodeOptions::depth");
  }
}

Codes make_codes(const Clustering& clustering, const CodeOptions& options) {
  validate(options);
  if (codes::code_count(options.branch, options.depth) < clustering.word_count()) {
    throw UsageError(fmt::format("{} digits of {} values make fewer codes than there are words ({})",
                                 options.depth, options.branch, clustering.word_count()),
                     "take more digits, or digits of more values", "CodeOptions::depth");
  }
  Codes result{clustering.vocabulary(), options.branch, options.depth, {}};
  const codes::LeafOrder order = codes::leaf_order(clustering);
  codes::Coder(order, result).run();
  return result;
}

}  // namespace firth
