// Words that are sorted by spelling, and gone through from any place.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "firth/types.hpp"

namespace firth::counts {

/// A word of a run. No word comes twice in one run, but the same word may be in several, under different ids.
struct RunWord {
  std::string_view word;
  Count count = 0;
  std::uint64_t id = 0;
};

/// Goes through words in rising order of their bytes.
class WordCursor {
 public:
  virtual ~WordCursor() = default;
  /// The next word; its spelling is there until the next call. False at the end.
  virtual bool next(RunWord& word) = 0;
};

class WordRun {
 public:
  virtual ~WordRun() = default;
  /// Words from `from` on, and before `to` unless that is empty. Any thread. The run must outlive the cursor.
  virtual std::unique_ptr<WordCursor> range(std::string_view from, std::string_view to) const = 0;
  /// Some of its words, spread over all of it, rising.
  virtual std::vector<std::string> sample() const = 0;
};

}  // namespace firth::counts
