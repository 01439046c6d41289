// Which words of a text are held out.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace firth::counts {

/// Blocks of words that follow each other, spread over the text. Neighbouring lines are alike, so words that are held out
/// one by one would be too easy to predict. How long a text is, is not known before it was read: blocks
/// get longer with the text before them, a short text has many short ones, a long text long ones.
class HeldOutBlocks {
 public:
  /// Of every 1 / share blocks, one is held out; `seed` says which.
  HeldOutBlocks(double share, std::uint64_t seed);

  bool contains(std::uint64_t position) const;

  /// Calls use(begin, end) for what is held out of the words first .. last - 1.
  void for_each_within(std::uint64_t first, std::uint64_t last,
                       const std::function<void(std::uint64_t begin, std::uint64_t end)>& use) const;

 private:
  struct Range {
    std::uint64_t begin;
    std::uint64_t end;
  };
  std::vector<Range>::const_iterator first_behind(std::uint64_t position) const;

  std::vector<Range> ranges_;
};

}  // namespace firth::counts
