// How the rows of a matrix are cut into parts that are built one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "counts/pairs/pair_source.hpp"
#include "firth/run.hpp"

namespace firth::counts {

/// Ranges of rows with about the same number of pairs each, and how many pairs each group of sources puts
/// into them. Sources are dealt to groups (source i to group i mod groups), so a group can be one thread's.
class PairPartitions {
 public:
  /// Goes through all sources once.
  PairPartitions(std::size_t words, const std::vector<std::unique_ptr<PairSource>>& sources,
                 const RunOptions& run);

  /// All pairs, equal ones counted each.
  std::uint64_t pairs() const noexcept { return pairs_; }
  std::size_t groups() const noexcept { return group_cells_.size(); }

  /// Cuts into parts of about `pairs_per_part` pairs, or more where one row has more.
  void cut(std::uint64_t pairs_per_part);

  std::size_t parts() const noexcept { return first_row_.empty() ? 0 : first_row_.size() - 1; }
  /// The part that has the row of `left`.
  std::size_t part_for(WordId left) const noexcept { return cell_part_[cell_of(left)]; }
  /// Rows of part p: first_row(p) .. first_row(p + 1) - 1.
  std::size_t first_row(std::size_t part) const noexcept { return first_row_[part]; }
  /// Pairs that a group puts into a part.
  std::uint64_t size(std::size_t group, std::size_t part) const noexcept {
    return sizes_[group * parts() + part];
  }
  std::uint64_t size(std::size_t part) const noexcept;

 private:
  // The most frequent words fill whole parts alone, so they are handled one by one; the others together.
  static constexpr std::size_t kSingleRows = std::size_t{1} << 14;
  static constexpr std::size_t kMaxCells = std::size_t{1} << 15;

  std::size_t cell_of(WordId left) const noexcept {
    return left < kSingleRows ? left : kSingleRows + ((left - kSingleRows) >> shift_);
  }
  std::size_t first_row_of_cell(std::size_t cell) const noexcept {
    return cell < kSingleRows ? cell : kSingleRows + ((cell - kSingleRows) << shift_);
  }

  std::size_t words_;
  unsigned shift_ = 0;
  std::uint64_t pairs_ = 0;
  std::vector<std::vector<std::uint64_t>> group_cells_;
  std::vector<std::uint32_t> cell_part_;
  std::vector<std::size_t> first_row_;
  std::vector<std::uint64_t> sizes_;
};

}  // namespace firth::counts
