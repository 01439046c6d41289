// Numbers for the spans of a sentence.
#pragma once

#include <cstddef>

namespace firth::parser {

/// Spans [begin, end) of `length` words, begin < end, numbered 0 .. size() - 1 by begin, then end.
class SpanTable {
 public:
  explicit SpanTable(std::size_t length = 0) : length_(length) {}

  std::size_t length() const noexcept { return length_; }
  std::size_t size() const noexcept { return length_ * (length_ + 1) / 2; }
  std::size_t operator()(std::size_t begin, std::size_t end) const noexcept {
    return begin * (2 * length_ - begin + 1) / 2 + (end - begin - 1);
  }

 private:
  std::size_t length_;
};

}  // namespace firth::parser
