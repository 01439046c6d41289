// Pairs that can be gone through more than once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "firth/counts.hpp"

namespace firth::counts {

/// Counted pairs in no particular order; one pair may come up several times. for_each() may run in several
/// threads at once.
class PairSource {
 public:
  using Visit = std::function<void(std::span<const PairCount>)>;

  virtual ~PairSource() = default;
  /// Calls `visit` with one batch after another.
  virtual void for_each(const Visit& visit) const = 0;
  /// No more pairs than this come up.
  virtual std::uint64_t max_pairs() const = 0;
};

/// Collects pairs for one call of a visitor.
class PairBatch {
 public:
  explicit PairBatch(const PairSource::Visit& visit) : visit_(visit) {}

  void add(const PairCount& pair) {
    pairs_[size_++] = pair;
    if (size_ == pairs_.size()) flush();
  }
  void flush() {
    if (size_ > 0) visit_(std::span(pairs_).first(size_));
    size_ = 0;
  }

 private:
  const PairSource::Visit& visit_;
  std::size_t size_ = 0;
  std::array<PairCount, 1024> pairs_;
};

/// Pairs of a matrix with each word id replaced; ids that become kNoWord are left out.
inline constexpr WordId kNoWord = static_cast<WordId>(-1);
void append_mapped_sources(const PairCounts& pairs, std::span<const WordId> new_ids,
                           std::vector<std::unique_ptr<PairSource>>& sources);

}  // namespace firth::counts
